"""Checks of the files of a built site: links, pictures, titles, other hosts and markup."""
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Elements that a browser loads, with the attribute that names the file.
LOADED = {
    "script": ("src",), "img": ("src", "srcset"), "source": ("src", "srcset"), "iframe": ("src",), "video": ("src", "poster"),
    "audio": ("src",), "embed": ("src",), "object": ("data",), "input": ("src",), "use": ("href", "xlink:href"),
}
LOADED_LINKS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload", "manifest"}


class Page(HTMLParser):
    """What a page contains, as far as the checks need it."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.problems = [], [], [], []
        self.headings, self.title, self.open = 0, "", []
        self.paragraph = None
        self.feed(text)
        self.close()
        if self.headings != 1:
            self.problems.append(f"{self.headings} elements h1 instead of one")
        if not self.title.strip():
            self.problems.append("no title")

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.ids.append(values["id"])
        if tag == "a" and values.get("href") is not None:
            self.links.append(values["href"])
        if tag == "h1":
            self.headings += 1
        if tag == "img" and not (values.get("alt") or "").strip():
            self.problems.append(f"a picture without a text: {values.get('src')}")
        if tag == "link" and LOADED_LINKS & set((values.get("rel") or "").split()):
            self.loaded.append(values.get("href") or "")
        for name in LOADED.get(tag, ()):
            if values.get(name):
                self.loaded.append(values[name].split(" ")[0])
        if values.get("style"):
            self.loaded += styles(values["style"])
        if tag == "p":
            self.paragraph = ""
        self.open = [tag] if tag in ("title", "style") else []

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open = []

    def handle_endtag(self, tag):
        self.open = []
        if tag == "p" and self.paragraph is not None:
            if re.search(r"^([*+-]|\d+[.)]) ", self.paragraph, re.MULTILINE):
                self.problems.append(f"a list that became text: {self.paragraph[:60]}")
            if "```" in self.paragraph or re.search(r"^\|.*\|$", self.paragraph, re.MULTILINE):
                self.problems.append(f"a block that became text: {self.paragraph[:60]}")
            self.paragraph = None

    def handle_data(self, data):
        if self.open == ["title"]:
            self.title += data
        elif self.open == ["style"]:
            self.loaded += styles(data)
        if self.paragraph is not None:
            self.paragraph += data


def styles(text):
    """The files that a style sheet loads."""
    return re.findall(r"""(?:url\(|@import)\s*["']?([^"')\s]+)""", text)


def is_inline(address):
    return address.startswith(("data:", "#"))


class Site:
    """A built site in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.paths = sorted(self.folder.rglob("*.html"))
        self.pages = {path: Page(path.read_text(encoding="utf-8")) for path in self.paths}

    def name(self, path):
        return str(path.relative_to(self.folder))

    def problems(self):
        """A line for each problem."""
        if not self.pages:
            yield f"{self.folder}: no page"
        for path, page in self.pages.items():
            for problem in [*page.problems, *self.ids(page), *self.links(path, page), *self.files(path, page.loaded)]:
                yield f"{self.name(path)}: {problem}"
        for path in sorted(self.folder.rglob("*.css")):
            for problem in self.files(path, styles(path.read_text(encoding="utf-8"))):
                yield f"{self.name(path)}: {problem}"
        yield from self.titles()
        yield from self.markup()

    @staticmethod
    def ids(page):
        for name in sorted({name for name in page.ids if page.ids.count(name) > 1}):
            yield f"two elements with the id {name}"

    def target(self, path, link):
        """The file to which a relative link leads."""
        target = (path.parent / unquote(urlsplit(link).path)).resolve() if urlsplit(link).path else path
        return target / "index.html" if target.is_dir() else target

    def links(self, path, page):
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            if link.startswith("/"):
                yield f"a link that works only in the root of a server: {link}"
                continue
            target = self.target(path, link)
            if not target.is_relative_to(self.folder) or not target.is_file():
                yield f"a link to a missing page: {link}"
            elif target.suffix == ".html" and parts.fragment:
                if unquote(parts.fragment) not in self.pages[target].ids:
                    yield f"a link to a missing anchor: {link}"

    def files(self, path, addresses):
        for address in addresses:
            if is_inline(address):
                continue
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                yield f"a file of another host: {address}"
            elif address.startswith("/") or not self.target(path, address).is_file():
                yield f"a missing file: {address}"

    def titles(self):
        seen = {}
        for path, page in self.pages.items():
            if other := seen.get(page.title.strip()):
                yield f"{self.name(path)}: the same title as {other}: {page.title.strip()}"
            seen.setdefault(page.title.strip(), self.name(path))

    def markup(self):
        """The errors and warnings of HTML Tidy. It does not know the newest attributes of the standard."""
        def check(path):
            made = subprocess.run(
                ["tidy", "-quiet", "-errors", "--drop-empty-elements", "no", "--warn-proprietary-attributes", "no", path],
                stdin=subprocess.DEVNULL, capture_output=True, text=True)
            return [f"{self.name(path)}: {line}" for line in made.stderr.splitlines()]

        with ThreadPoolExecutor() as pool:
            for lines in pool.map(check, self.paths):
                yield from lines
