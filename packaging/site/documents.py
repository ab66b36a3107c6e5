"""The documents of the repository that are pages of the site, and their links."""
import posixpath
import re
import subprocess

PICTURES = (".svg", ".png")
FENCE = re.compile(r"^( *)(`{3,}).*?^\1\2`*$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def repository_files(root):
    """The files of the repository, also those that are not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True, capture_output=True)
    names = (name.decode() for name in listed.stdout.split(b"\0") if name)
    return sorted({name for name in names if (root / name).is_file()})


def documents(root):
    """The Markdown files that are pages: those of the root, of docs, of docs/api and of Benchmarks."""
    return [
        name for name in repository_files(root)
        if name.endswith(".md") and posixpath.dirname(name) in ("", "docs", "docs/api", "Benchmarks")
    ]


def outside_code(text, replace):
    """The text with `replace` applied to everything except code blocks."""
    parts, end = [], 0
    for block in FENCE.finditer(text):
        parts += [replace(text[end : block.start()]), block[0]]
        end = block.end()
    return "".join(parts) + replace(text[end:])


def target_of(document, link):
    """The path in the repository to which a relative link leads."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(document), link))


def link_targets(root, names):
    """The paths in the repository to which the documents link, except documents. Pictures are among them."""
    found = set()
    for name in names:
        def note(text):
            for match in LINK.finditer(text):
                if ":" not in match[2]:
                    found.add(target_of(name, match[2]))
            return text

        outside_code((root / name).read_text(encoding="utf-8"), note)
    return sorted(path for path in found if path not in names and (root / path).exists())
