"""The npm packages @sabaki/gtp and @sabaki/sgf, which Sabaki itself is made with."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.needs("npm"), pytest.mark.slow]

SCRIPT = """
const { Controller } = require('@sabaki/gtp');
const sgf = require('@sabaki/sgf');
const [python] = process.argv.slice(2);
const send = (c, name, args = [], each) => c.sendCommand({ name, args }, each);
(async () => {
  const engine = new Controller(python, ['-m', 'katachi', 'gtp', '--simulations', '60']);
  engine.start();
  const out = { moves: [], updates: 0 };
  out.name = (await send(engine, 'name')).content;
  out.commands = (await send(engine, 'list_commands')).content.split('\\n').length;
  await send(engine, 'boardsize', ['9']);
  out.handicap = (await send(engine, 'fixed_handicap', ['2'])).content;
  let colour = 'W', passes = 0;
  for (let i = 0; i < 200 && passes < 2; i += 1) {
    let move = null;
    if (i % 5 === 0) {
      const reply = await send(engine, 'genmove_analyze', [colour, '2'], ({ line }) => {
        if (line.startsWith('info ')) out.updates += 1;
        if (line.startsWith('play ')) move = line.slice(5);
      });
      if (reply.error) throw new Error(reply.content);
    } else {
      move = (await send(engine, 'genmove', [colour])).content;
    }
    if (move === 'resign') break;
    out.moves.push(move);
    passes = move === 'pass' ? passes + 1 : 0;
    colour = colour === 'W' ? 'B' : 'W';
  }
  // An analysis is ended by the next command
  let seen = 0;
  const stream = send(engine, 'analyze', ['B', '5'], () => { seen += 1; });
  while (seen < 1) await new Promise((done) => setTimeout(done, 10));
  await send(engine, 'undo');
  await stream;
  out.seen = seen;
  out.dead = (await send(engine, 'final_status_list', ['dead'])).error;
  out.score = (await send(engine, 'final_score')).content;
  out.sgf = (await send(engine, 'printsgf')).content;
  const [root] = sgf.parse(out.sgf);
  out.nodes = 0;
  for (let n = root; n; n = n.children[0]) out.nodes += 1;
  await engine.stop();
  console.log(JSON.stringify(out));
})().catch((error) => { console.error(error); process.exit(1); });
"""


def test_a_whole_game(tmp_path: Path) -> None:
    """Handicap, streams, undo, final status: everything through Sabaki's own client."""
    installed = subprocess.run(
        [
            shutil.which("npm") or "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "@sabaki/gtp",
            "@sabaki/sgf",
        ],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    if installed.returncode:
        pytest.skip("the npm packages of Sabaki cannot be installed here")
    (tmp_path / "play.js").write_text(SCRIPT)
    done = subprocess.run(
        ["node", "play.js", sys.executable],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["name"] == "Katachi"
    assert told["commands"] > 50
    assert told["handicap"] == "C3 G7"
    assert len(told["moves"]) > 10
    assert told["updates"] > 0
    assert told["seen"] >= 2
    assert told["dead"] is False
    assert told["score"][0] in "BW0"
    assert told["nodes"] == len(told["moves"])  # one was taken back, and there is the root
