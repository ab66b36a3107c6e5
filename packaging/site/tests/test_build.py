"""`script/site` in a copy of the checkout: what it rejects, and what it builds."""
import gzip
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "packaging/site"), str(ROOT / "packaging/site/check")]

from documents import repository_files
from pages import Site
from views import Views


class Checkout:
    """A copy of the repository, with the staged program and the builder of the checkout."""

    def __init__(self, folder):
        self.folder = Path(folder)
        for name in repository_files(ROOT):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        (self.folder / ".build").mkdir()
        for name in ("stage", "site-tools"):
            (self.folder / ".build" / name).symlink_to(ROOT / ".build" / name)
        (self.folder / ".gitignore").write_text(".build/\n__pycache__/\n", encoding="utf-8")
        subprocess.run(["git", "init", "--quiet"], cwd=self.folder, check=True)

    def site(self, *arguments, **environment):
        return subprocess.run(
            [self.folder / "script/site", *arguments], cwd=self.folder, capture_output=True, text=True,
            stdin=subprocess.DEVNULL, env={"SOURCE_DATE_EPOCH": "1600000000", **os.environ, **environment})


class Rejections(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.checkout = Checkout(scratch.name)

    def write(self, name, text):
        path = self.checkout.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_faults_of_documents(self):
        self.write("docs/new.md", "# New\n\nNot in the navigation.\n")
        self.write("CONTRIBUTING.md", "# Contributing\n\n[a](docs/missing.md) [b](README.md#no-such-section)\n")
        made = self.checkout.site()
        self.assertNotEqual(made.returncode, 0)
        for text in ("docs/new.md", "docs/missing.md", "#no-such-section"):
            self.assertIn(text, made.stderr)

    def test_a_folder_with_other_files_is_kept(self):
        self.write("other/file", "precious")
        made = self.checkout.site("--output", "other")
        self.assertEqual(made.returncode, 1)
        self.assertIn("has other files; nothing was changed", made.stderr)
        self.assertEqual((self.checkout.folder / "other/file").read_text(encoding="utf-8"), "precious")

    def test_wrong_arguments(self):
        for arguments in (["--outptu"], ["--output"], ["--output", ""]):
            self.assertEqual(self.checkout.site(*arguments).returncode, 2)


class Builds(unittest.TestCase):
    """A site whose page about contributing links to a file and a folder."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.checkout = Checkout(scratch.name)
        contributing = cls.checkout.folder / "CONTRIBUTING.md"
        contributing.write_text("# Contributing\n\n[one](script/site), [all](Examples/location)\n", encoding="utf-8")
        made = cls.checkout.site("--output", "site")
        if made.returncode:
            raise AssertionError(made.stderr)
        cls.site = cls.checkout.folder / "site"

    def test_links_to_files_of_the_repository(self):
        page = (self.site / "CONTRIBUTING.html").read_text(encoding="utf-8")
        self.assertIn('href="files/script/site.html"', page)
        self.assertIn('href="files/Examples/location/index.html"', page)
        self.assertIn("walk.gpx", (self.site / "files/Examples/location/index.html").read_text(encoding="utf-8"))

    def test_a_site_with_an_address(self):
        """The sitemap and the page for 404 are for this address. Without one, they are omitted."""
        address = "https://docs.example.com/ifttt/"
        made = self.checkout.site("--output", "addressed", IFTTT_SITE_URL=address, SOURCE_DATE_EPOCH="1600000000")
        self.assertEqual(made.returncode, 0, made.stderr)
        addressed = self.checkout.folder / "addressed"
        sitemap = (addressed / "sitemap.xml").read_text(encoding="utf-8")
        self.assertIn(f"{address}commands/connections/disable.html", sitemap)
        self.assertIn("2020-09-13", sitemap)
        packed = (addressed / "sitemap.xml.gz").read_bytes()
        self.assertEqual(gzip.decompress(packed).decode(), sitemap)
        # MkDocs rounds the time in the header down to a day.
        self.assertEqual(int.from_bytes(packed[4:8], "little"), 1600000000 // 86400 * 86400)
        self.assertIn('href="/ifttt/site.css"', (addressed / "404.html").read_text(encoding="utf-8"))
        for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
            self.assertFalse((self.site / name).exists(), name)

    def test_every_command_has_a_page_and_a_man_page(self):
        for page in self.checkout.folder.glob("man/man*/*.[0-9]"):
            self.assertTrue((self.site / f"man/{page.name}.html").is_file(), page.name)
        text = (self.site / "commands/connections/disable.html").read_text(encoding="utf-8")
        for part in (
            "ifttt connections disable [OPTIONS] [--] [ID...]", 'id="option-resume"', 'id="argument-id"',
            "ifttt connections disable --stdin -o jsonl", "Part of a batch failed.",
            'href="../../man/ifttt-connections-disable.1.html"', 'href="../options.html"',
        ):
            self.assertIn(part, text)
        page = (self.site / "docs/commands.html").read_text(encoding="utf-8")
        commands = re.findall(r"^\| `ifttt ([\w -]+)` \|", (ROOT / "docs/commands.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertGreater(len(commands), 100)
        for command in commands:
            self.assertIn(f'href="../commands/{command.replace(" ", "/")}.html"', page)

    def test_the_search_must_find_the_command(self):
        site = self.checkout.folder / "changed"
        shutil.copytree(self.site, site)
        for name in ("search_index.js", "search_index.json"):
            index = site / "search" / name
            index.write_text(index.read_text(encoding="utf-8").replace("connections/disable.html", "a.html"), encoding="utf-8")
        views = Views(Site(site))
        views.samples = views.switches = views.plain = lambda: iter(())
        found = "\n".join(views.problems())
        self.assertRegex(found, "http://[^ ]+: the search for 'disable' does not find")
        self.assertRegex(found, "file://[^ ]+: the search for 'disable' does not find")


if __name__ == "__main__":
    unittest.main()
