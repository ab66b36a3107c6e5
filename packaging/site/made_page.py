"""A page whose HTML is made here, not by Markdown."""
import html
import json
import re


class MadePage:
    """The page of a command, or a man page: a title, HTML that begins with the only h1, and headings h2 and h3 with ids."""

    def __init__(self, title, content, *, is_found=True):
        self.html = content
        # The search shows commands before documents that mention them.
        search = "boost: 2" if is_found else "exclude: true"
        self.source = f"---\ntitle: {json.dumps(title)}\nsearch:\n  {search}\n---\n"

    @property
    def contents(self):
        """The headings as MkDocs reads them."""
        tops = []
        for level, name, text in re.findall(r'<h([123])[^>]* id="([^"]+)"[^>]*>(.*?)</h\1>', self.html, re.DOTALL):
            plain = html.unescape(re.sub(r'<a class="headerlink".*?</a>|<[^>]+>', "", text, flags=re.DOTALL)).strip()
            heading = {"level": int(level), "id": name, "name": html.escape(plain), "children": []}
            place = tops
            while place and place[-1]["level"] < heading["level"]:
                place = place[-1]["children"]
            place.append(heading)
        return tops


def headerlink(name):
    return f'<a class="headerlink" href="#{name}" title="Link to this section">¶</a>'
