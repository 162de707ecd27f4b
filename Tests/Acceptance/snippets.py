"""The code that README and the pages of `Web/docs` have people paste, found by page and heading."""

import os
import subprocess
from dataclasses import dataclass

from understudy import BINARY, ROOT, plain_environment

#: Every document for users by the name that tests call it.
PAGES = {"README.md": ROOT / "README.md"} | {page.name: page for page in sorted((ROOT / "Web/docs").glob("*.md"))}


@dataclass(frozen=True)
class Block:
    """A fenced block: the page, the heading above it, which of the blocks below that heading, from 0, and what it says."""

    page: str
    heading: str
    number: int
    language: str
    text: str

    @property
    def place(self):
        return self.page, self.heading, self.number


def blocks_of(page):
    """All fenced blocks of a page, in their order."""
    found, heading, opened, lines = [], "", None, []
    for line in PAGES[page].read_text().splitlines():
        if opened is None and line.startswith("```"):
            opened, lines = line[3:], []
        elif opened is not None and line == "```":
            number = sum(block.heading == heading for block in found)
            found.append(Block(page, heading, number, opened, "\n".join(lines) + "\n"))
            opened = None
        elif opened is not None:
            lines.append(line)
        elif line.startswith("#"):
            heading = line.lstrip("#").strip()
    assert opened is None, f"{page}: a block is not closed"
    return found


#: The places of the blocks that some test asked for.
used = set()


def snippet(page, heading, number=0):
    """The text of one block; whoever asks for it has it tested."""
    [text] = [block.text for block in blocks_of(page) if block.place == (page, heading, number)]
    used.add((page, heading, number))
    return text


def paste(commands, url, shell="bash", cwd="/", **environment):
    """Runs `commands` as somebody would who pasted them into `shell`, with the server at `url` in the place of the usual one."""
    path = f"{BINARY.parent}{os.pathsep}{os.environ['PATH']}"
    # A pipe that loses its first half fails too, where the shell can say so.
    options = ["-euo", "pipefail"] if shell in ("bash", "zsh") else ["-eu"]
    done = subprocess.run(
        [shell, *options, "-c", commands.replace("http://localhost:8420", url)], capture_output=True, text=True, timeout=60, cwd=cwd,
        env=plain_environment(**({"PATH": path, "UNDERSTUDY_URL": url} | environment)))
    assert done.returncode == 0, done.stdout + done.stderr
    return done
