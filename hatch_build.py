"""What the package says of itself where it is built: the README with whole links, and addresses.

The repository's address stands once, in pyproject.toml: [tool.katachi] repository. As long as it is
empty, links stay as they are in the repository, and no address is told.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")


def with_whole_links(text: str, repository: str) -> str:
    """The same text of Markdown, its links to files of the repository with the whole address."""

    def whole(link: re.Match[str]) -> str:
        image, words, target = link.groups()
        place = "raw" if image else "blob"
        return f"{image}[{words}]({repository}/{place}/main/{target})"

    return _LINK.sub(whole, text) if repository else text


def addresses(repository: str) -> dict[str, str]:
    """The addresses that a registry shows."""
    if not repository:
        return {}
    return {
        "Repository": repository,
        "Documentation": f"{repository}/blob/main/docs/index.md",
        "Changelog": f"{repository}/blob/main/CHANGELOG.md",
        "Issues": f"{repository}/issues",
    }


class CustomMetadataHook(MetadataHookInterface):
    """Called by hatchling, which finds it by the name of this file."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in the readme and the addresses."""
        import tomllib

        root = Path(self.root)
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
        repository = project["tool"]["katachi"]["repository"].rstrip("/")
        text = (root / "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_whole_links(text, repository),
        }
        metadata["urls"] = addresses(repository)
