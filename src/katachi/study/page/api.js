// Requests to the server. A mistake is an Error whose message is a sentence; a server that does not
// answer is a Lost. One that is busy is asked again, as often as ATTEMPTS says.

import { W } from "./words.js";

export class Lost extends Error {}

const ATTEMPTS = 8;

async function send(path, options) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sendOnce(path, options);
    if (response.ok) return response;
    const busy = response.status === 429 || response.status === 503;
    if (busy && attempt < ATTEMPTS) {
      await pause(Number(response.headers.get("Retry-After") ?? 1), options.signal);
      continue;
    }
    let words = W.status(response.status);
    try { words = (await response.json()).error ?? words; } catch { /* no JSON */ }
    throw new Error(words);
  }
}

function pause(seconds, signal) {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, 1000 * seconds);
    signal?.addEventListener("abort", () => { clearTimeout(timer); fail(signal.reason); }, { once: true });
  });
}

async function sendOnce(path, options) {
  try {
    return await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Lost(W.serverGone);
  }
}

const json = (data) => ({
  method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data),
});

export const get = async (name) => (await send(`api/${name}`, {})).json();

export const post = async (name, data, signal) =>
  (await send(`api/${name}`, { ...json(data), signal })).json();

/** Send bytes; the response, whatever it holds. */
export const postBytes = async (name, body) => (await send(`api/${name}`, {
  method: "POST", headers: { "Content-Type": "application/octet-stream" }, body,
}));

/** Call `each` with every line of JSON as it comes. */
export async function lines(name, data, each, signal) {
  const response = await send(`api/${name}`, { ...json(data), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Lost(W.serverStopped);
    }
    rest += part.value ?? "";
    const whole = rest.split("\n");
    rest = whole.pop();
    for (const line of whole) {
      if (!line) continue;
      const found = JSON.parse(line);
      if (found.error) throw new Error(found.error);
      each(found);
    }
    if (part.done) return;
  }
}
