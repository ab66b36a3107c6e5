"""The man pages as HTML, made by mandoc."""
import html
import re
import subprocess

from made_page import MadePage, headerlink

SECTIONS = {"1": "Commands", "5": "File formats", "7": "Overviews"}


class ManPages:
    """One page for each man page, and an index."""

    def __init__(self, folder, commands):
        files = sorted(folder.glob("man[0-9]/*.[0-9]"), key=lambda path: (path.suffix, path.stem))
        self.names = {path.name for path in files}
        self.pages = {}
        sections = {}
        for path in files:
            name, number = path.stem, path.suffix[1:]
            made = self.rendered(path)
            title = f"{name}({number})"
            # The page of a command has the same text, so the search finds only that one.
            line = name.replace("-", " ")
            is_command = number == "1" and any("-".join(each["path"]) == name for each in commands.commands)
            link = '<a href="index.html">Man pages</a>'
            if is_command:
                target = next(each for each in commands.paths if each.replace(" ", "-") == name)
                url = commands.url(f"man/{path.name}.md", commands.paths[target])
                link += f' · Reference: <a href="{url}"><code>{html.escape(target)}</code></a>'
            content = f'<h1 id="man-page">{title}</h1>\n<p>{link}</p>\n<div class="manual">\n{made}</div>\n'
            self.pages[f"man/{path.name}.md"] = MadePage(title, content, is_found=not is_command)
            meaning = re.search(r'<span class="Nd">(.*?)</span>', made, re.DOTALL)
            sections.setdefault(number, []).append(
                f'<tr><td><a href="{path.name}.html">{title}</a></td><td>{meaning[1] if meaning else ""}</td></tr>\n')
        self.pages["man/index.md"] = MadePage("Man pages", self.index(sections))

    def rendered(self, path):
        """The page as mandoc writes it, with headings one level down and links only to pages of this site."""
        made = subprocess.run(
            ["mandoc", "-T", "html", "-O", "fragment,man=%N.%S.html", str(path)],
            check=True, capture_output=True, text=True).stdout
        # The title and the date are also in the page's own heading and the footer.
        made = re.sub(r'<table class="(?:head|foot)">.*?</table>\n?', "", made, flags=re.DOTALL)
        made = re.sub(r'<a class="permalink" href="#[^"]*">(.*?)</a>', r"\1", made, flags=re.DOTALL)
        # The page has names of its own, such as "search".
        made = re.sub(r'<dt id="([^"]+)"', r'<dt id="item-\1"', made)
        # A synopsis is a table of two columns, in which a narrow page has no place for the second.
        made = re.sub(
            r'<table class="Nm">\s*<tr>\s*<td>(.*?)</td>\s*<td>(.*?)</td>\s*</tr>\s*</table>',
            r'<p class="synopsis">\1 \2</p>', made, flags=re.DOTALL)
        for old, new in (("h2", "h3"), ("h1", "h2")):
            made = re.sub(rf"<{old} (.*?)</{old}>", rf"<{new} \1</{new}>", made, flags=re.DOTALL)
        made = re.sub(
            r'(<h[23] [^>]*id="([^"]+)"[^>]*>)(.*?)(</h[23]>)',
            lambda match: match[1] + match[3] + headerlink(match[2]) + match[4], made, flags=re.DOTALL)
        return re.sub(r'<a class="Xr" href="([^"]+)\.html">(.*?)</a>', self.reference, made, flags=re.DOTALL)

    def reference(self, match):
        return match[0] if match[1] in self.names else f'<span class="Xr">{match[2]}</span>'

    @staticmethod
    def index(sections):
        text = '<h1 id="man-pages">Man pages</h1>\n<p>The pages that <code>man ifttt</code> and its like show.</p>\n'
        for number, rows in sorted(sections.items()):
            name = f"section-{number}"
            text += f'<h2 id="{name}">Section {number}: {SECTIONS[number]}{headerlink(name)}</h2>\n'
            text += f'<table>\n<thead><tr><th>Page</th><th>Subject</th></tr></thead>\n<tbody>\n{"".join(rows)}</tbody>\n</table>\n'
        return text
