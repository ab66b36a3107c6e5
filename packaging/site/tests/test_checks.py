"""Each check of the site finds its fault in a small site, and no fault in a good one."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "check"))

from blocks import Blocks
from pages import Site
from views import Views

# The scripts in it do what the theme's do: they follow the color scheme of the system.
GOOD = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title><link rel="icon" href="data:,"><style>
body {{ margin: 0; color: #222; background: #fff }} body[data-md-color-scheme=slate] {{ color: #eee; background: #111 }}
</style>{head}</head>
<body data-md-color-scheme="default">
<script>
  const dark = matchMedia("(prefers-color-scheme: dark)")
  const follow = () => document.body.dataset.mdColorScheme = dark.matches ? "slate" : "default"
  dark.addEventListener("change", follow)
  follow()
</script>
<main><article><h1 id="top">{title}</h1>
{body}
</article></main>
</body>
</html>
"""


class SmallSite:
    """A site in a scratch folder, with a page `index.html` and a page `docs/other.html`."""

    def __init__(self, body="", *, head="", other="<p>Other</p>", page=None):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = Path(self.scratch.name)
        (self.folder / "docs").mkdir()
        (self.folder / "index.html").write_text(page or GOOD.format(title="Home", head=head, body=body), encoding="utf-8")
        (self.folder / "docs/other.html").write_text(
            GOOD.format(title="Other", head="", body=f'<h2 id="part">Part</h2>\n{other}'), encoding="utf-8")
        (self.folder / "picture.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>', encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.scratch.cleanup()


class PageChecks(unittest.TestCase):
    def problems(self, *arguments, **options):
        with SmallSite(*arguments, **options) as small:
            return "\n".join(Site(small.folder).problems())

    def test_a_good_site_has_no_problems(self):
        body = """<p>See <a href="docs/other.html#part">other</a>, <a href="#top">top</a> and
            <a href="https://example.com/">a page elsewhere</a>.</p><p><img src="picture.svg" alt="A picture"></p>"""
        self.assertEqual(self.problems(body, other='<p><a href="../index.html">Home</a></p>'), "")

    def test_links(self):
        for link, problem in [
            ("missing.html", "a link to a missing page: missing.html"), ("docs/", "a link to a missing page: docs/"),
            ("docs/other.html#missing", "a link to a missing anchor: docs/other.html#missing"),
            ("#missing", "a link to a missing anchor: #missing"), ("../index.html", "a link to a missing page"),
            ("/docs/other.html", "a link that works only in the root of a server"),
        ]:
            with self.subTest(link):
                self.assertIn(problem, self.problems(f'<p><a href="{link}">Link</a></p>'))

    def test_files_of_other_hosts(self):
        for element in [
            '<p><script src="https://cdn.example.com/a.js"></script></p>', '<p><img src="//example.com/a.png" alt="A"></p>',
            '<p style="background: url(https://example.com/a.png)">A</p>', '<p><iframe src="http://example.com" title="a"></iframe></p>',
        ]:
            with self.subTest(element):
                self.assertIn("a file of another host", self.problems(element))
        for head in [
            '<link rel="stylesheet" href="https://fonts.example.com/css">', '<link rel="preconnect" href="https://example.com">',
            "<style>@import 'https://example.com/a.css'; body { color: #222 }</style>",
            "<style>@font-face { font-family: a; src: url(https://example.com/a.woff2) }</style>",
        ]:
            with self.subTest(head):
                self.assertIn("a file of another host", self.problems(head=head))

    def test_files_of_other_hosts_in_style_sheets(self):
        with SmallSite(head='<link rel="stylesheet" href="a.css">') as small:
            (small.folder / "a.css").write_text('@font-face { src: url("https://example.com/a.woff2") }', encoding="utf-8")
            self.assertIn("a.css: a file of another host", "\n".join(Site(small.folder).problems()))

    def test_missing_files(self):
        self.assertIn("a missing file: missing.svg", self.problems('<p><img src="missing.svg" alt="A"></p>'))

    def test_pictures_need_a_text(self):
        for element in ['<img src="picture.svg">', '<img src="picture.svg" alt=" ">']:
            self.assertIn("a picture without a text", self.problems(f"<p>{element}</p>"))

    def test_headings_and_titles(self):
        self.assertIn("2 elements h1", self.problems("<h1>Second</h1>"))
        self.assertIn("0 elements h1", self.problems(page=GOOD.format(title="A", head="", body="").replace("h1", "h2")))
        self.assertIn("no title", self.problems(page=GOOD.format(title="", head="", body="")))
        self.assertIn("the same title as", self.problems(page=GOOD.format(title="Other", head="", body="")))

    def test_ids(self):
        self.assertIn("two elements with the id a", self.problems('<p id="a">A</p><p id="a">B</p>'))

    def test_markdown_that_became_text(self):
        self.assertIn("a list that became text", self.problems("<p>These:\n* one\n* two</p>"))
        self.assertIn("a block that became text", self.problems("<p>```sh\nls</p>"))
        self.assertIn("a block that became text", self.problems("<p>Table\n| a | b |\n|---|---|</p>"))

    def test_markup(self):
        for body in ["<p>Not <b>closed</p>", "<p>Text</p></div>"]:
            with self.subTest(body):
                self.assertIn("Warning", self.problems(body))

    def test_an_empty_site(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("no page", "\n".join(Site(folder).problems()))


class ViewChecks(unittest.TestCase):
    def problems(self, *arguments, **options):
        with SmallSite(*arguments, **options) as small:
            views = Views(Site(small.folder))
            # A small site has neither a search nor a switch.
            views.searches = views.switches = lambda: iter(())
            return "\n".join(views.problems())

    def test_a_good_site_has_no_problems(self):
        self.assertEqual(self.problems('<pre style="overflow: auto">' + "wide " * 200 + "</pre>"), "")

    def test_wide_pages(self):
        found = self.problems("<pre>" + "wide " * 60 + "</pre>")
        self.assertIn("in a window of 360", found)
        self.assertIn("in a window of 1280", found)

    def test_wide_pages_that_are_not_samples(self):
        found = self.problems(other='<p style="width: 400px">Wide</p>')
        self.assertIn("docs/other.html: 401 pixels in a window of 360; p.", found)

    def test_contrast(self):
        found = self.problems("""<p style="color: #777">Gray</p><p style="color: #333">Dark</p><p style="opacity: 0.4">Faint</p>
            <div style="background: #00c; color: #000"><p>On blue</p></div><p style="color: #767676">Enough</p>""")
        for problem in ["light: contrast 4.48 for p.: Gray", "dark: contrast 1.49 for p.: Dark", "light: contrast 2.42 for p.: Faint"]:
            self.assertIn(problem, found)
        self.assertRegex(found, "contrast .* On blue")
        self.assertNotIn("light: contrast 4.54", found)

    def test_color_schemes(self):
        page = GOOD.format(title="Home", head="", body="").replace("  follow()\n", "").replace("addEventListener", "has")
        self.assertIn("does not follow the dark color scheme", self.problems(page=page))

    def test_the_console(self):
        found = self.problems("""<script>console.error('a fault')</script><script>missing()</script>
            <p><img src="missing.svg" alt="A"></p>""")
        for problem in ["console: a fault", "ReferenceError", "404"]:
            self.assertIn(problem, found)

    def test_requests(self):
        found = self.problems("<script>for (const at of ['http://127.0.0.1:9/a.png', '/a.svg']) new Image().src = at</script>")
        self.assertIn("a request to another host or folder: http://127.0.0.1:9/a.png", found)
        self.assertRegex(found, "a request to another host or folder: http://127.0.0.1:[0-9]{2,}/a.svg")

    def test_pages_without_scripts(self):
        page = GOOD.format(title="Home", head="", body="").replace("<article>", "<article hidden>")
        page = page.replace("</main>", "</main><script>document.querySelector('article').hidden = false</script>")
        self.assertEqual(self.problems(page=page), "index.html: the text is hidden without scripts")


class BlockChecks(unittest.TestCase):
    TESTS = '''
      static let documents = ["README.md", "docs/a.md"]
      static let exempt = [
        "script/demo   # a comment": "builds [something]",
        "./other":
          "a reason",
      ]
    '''

    def problems(self, text, document="docs/b.md"):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, content in [("Tests/TranscriptTests/DocumentTests.swift", self.TESTS), (document, text)]:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(content, encoding="utf-8")
            return "\n".join(Blocks(root, [document]).problems())

    def test_blocks_that_are_run(self):
        for text in ["```sh\nls\n```\n", "```console\n$ ls\nfile\n```\n"]:
            self.assertEqual(self.problems(text, "README.md"), "")
            self.assertIn("docs/b.md:3: no test runs this block", self.problems(f"Text\n\n{text}"))
        # `DocumentTests` does not know this language.
        self.assertIn("no test runs this block", self.problems("```bash\nls\n```\n", "README.md"))

    def test_exempt_blocks(self):
        self.assertEqual(self.problems("```sh\nscript/demo   # a comment\n```\n\n```sh\n./other\n```\n"), "")
        self.assertIn("no test runs this block", self.problems("```sh\nscript/demo\n```\n"))

    def test_languages(self):
        self.assertIn("a code block without a language", self.problems("```\nls\n```\n"))
        self.assertIn("a block with commands", self.problems("```text\nifttt connections list\n```\n"))
        self.assertEqual(self.problems("```text\nifttt ─► Commands\n```\n\n```json\n{}\n```\n"), "")
        self.assertIn("no test runs", self.problems("* item\n\n  ```sh\n  ls\n  ```\n"))


if __name__ == "__main__":
    unittest.main()
