"""Pages that show the files of the repository to which documents link, such as examples."""
import posixpath

from documents import LINK, outside_code, repository_files, target_of

LANGUAGES = {
    "go": "go", "gpx": "xml", "json": "json", "Makefile": "make", "mjs": "javascript", "py": "python", "rb": "ruby",
    "sh": "bash", "swift": "swift", "yaml": "yaml", "yml": "yaml",
}


class FilePages:
    """A page for each target of a link: a file, or a folder with all its files."""

    def __init__(self, root, targets):
        self.root = root
        self.names = repository_files(root)
        self.pages = {self.path(target): self.text(target) for target in targets}

    def path(self, target):
        return f"files/{target}/index.md" if (self.root / target).is_dir() else f"files/{target}.md"

    def text(self, target):
        if not (self.root / target).is_dir():
            return f"{self.front(target)}# {target}\n\n{self.block(target)}"
        inside = [name for name in self.names if name.startswith(f"{target}/")]
        readme = f"{target}/README.md"
        text = self.front(target)
        if readme in inside:
            inside.remove(readme)
            text += (self.root / readme).read_text(encoding="utf-8") + "\n"
        else:
            text += f"# {target}\n\n"
        return text + "".join(f"## `{posixpath.relpath(name, target)}`\n\n{self.block(name)}\n" for name in inside)

    @staticmethod
    def front(target):
        """The search finds documents and commands, not the code of examples."""
        return f"---\ntitle: {target}\nsearch:\n  exclude: true\n---\n"

    def block(self, name):
        with open(self.root / name, encoding="utf-8") as file:
            text = file.read().rstrip("\n")
        return f"```````{self.language(name, text)}\n{text}\n```````\n"

    @staticmethod
    def language(name, text):
        """The language by the ending of the name or, in a script, by the first line."""
        ending = posixpath.basename(name).rsplit(".", 1)[-1]
        if ending in LANGUAGES:
            return LANGUAGES[ending]
        first = text.split("\n", 1)[0]
        if not first.startswith("#!"):
            return "text"
        return "python" if "python" in first else "bash"

    def with_links(self, document, text):
        """The document with its links to such files changed to their pages."""
        folder = posixpath.dirname(document)

        def replaced(match):
            page = self.path(target_of(document, match[2])) if ":" not in match[2] else None
            if page not in self.pages:
                return match[0]
            return match[1] + posixpath.relpath(page, folder or ".") + match[3]

        return outside_code(text, lambda part: LINK.sub(replaced, part))
