"""Finds code blocks of documents that no test runs.

`DocumentTests` runs the shell blocks of the documents in its list `documents`, except those whose first line is in its list
`exempt`, with a reason. A shell block elsewhere must be in that list too.
"""
import re
from pathlib import Path

TESTS = "Tests/TranscriptTests/DocumentTests.swift"
SHELL = {"bash", "console", "fish", "sh", "shell", "shell-session", "zsh"}
# A line of a block that a reader would enter in a shell, whatever the block's language is.
COMMAND = re.compile(r"(\$ |sudo |apt(-get)? |brew |curl |git |ifttt |python3 |script/|tar |\./)[\w./~'-]")
FENCE = re.compile(r"^( *)(`{3,}|~{3,})([^\n`]*)\n(.*?)^\1\2", re.MULTILINE | re.DOTALL)


def swift_list(source, name):
    """The literals of a static list of strings in a Swift source; of a dictionary, its keys."""
    match = re.search(rf"static let {name} = \[(.*?)\]\n", source, re.DOTALL)
    if not match:
        raise ValueError(f"{TESTS} has no list {name}")
    text = match[1]
    if re.search(r'":\s', text):
        return re.findall(r'^\s*"((?:[^"\\]|\\.)*)":\s', text, re.MULTILINE)
    return re.findall(r'"((?:[^"\\]|\\.)*)"', text)


class Blocks:
    """The code blocks of documents and the lists of the tests."""

    def __init__(self, root, documents):
        self.root, self.documents = Path(root), documents
        source = (self.root / TESTS).read_text(encoding="utf-8")
        self.run = set(swift_list(source, "documents"))
        self.exempt = set(swift_list(source, "exempt"))

    def problems(self):
        for document in self.documents:
            text = (self.root / document).read_text(encoding="utf-8")
            for block in FENCE.finditer(text):
                place = f"{document}:{text.count(chr(10), 0, block.start()) + 1}"
                language, first = block[3].strip(), block[4].split("\n", 1)[0].strip()
                if not language:
                    yield f"{place}: a code block without a language; use `text` for a drawing"
                elif language not in SHELL:
                    if language == "text" and any(COMMAND.match(line.strip()) for line in block[4].splitlines()):
                        yield f"{place}: a block with commands has the language {language}"
                elif first not in self.exempt and (document not in self.run or language not in ("sh", "console")):
                    yield f"{place}: no test runs this block: {first}"
