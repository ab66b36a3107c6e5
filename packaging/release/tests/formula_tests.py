"""The Homebrew formula: its syntax, its facts, and its test block."""

import shutil

from support import ROOT, STAGE, VERSION, ScratchCase, needs


class Formula(ScratchCase):
    def setUp(self):
        super().setUp()
        needs(shutil.which("ruby"), "ruby")
        self.archive = self.write(f"ifttt-{VERSION}-source.tar.gz", "a stand-in")
        self.filled = self.folder / "ifttt.rb"
        self.filled.write_text(self.run_program(ROOT / "packaging/homebrew/fill", self.archive))

    def test_syntax(self):
        for path in [ROOT / "packaging/homebrew/ifttt.rb", self.filled]:
            self.assertEqual(self.run_program("ruby", "-wc", path), "Syntax OK\n")

    def test_filled_placeholders(self):
        repository = (ROOT / "packaging/repository").read_text().strip()
        text = self.filled.read_text()
        sum_ = self.run_program("sha256sum", self.archive)[:64]
        self.assertEqual(text.count(f'  sha256 "{sum_}"\n'), 1)
        self.assertEqual(text.count(
            f'  url "https://github.com/{repository}/releases/download/v{VERSION}/{self.archive.name}"\n'), 1)
        self.assertTrue(text.startswith("class Ifttt < Formula\n"), "the comment about the placeholders is left")
        # Nothing else differs.
        template = (ROOT / "packaging/homebrew/ifttt.rb").read_text().split("class ", 1)[1].splitlines()
        differing = [new.split()[0] for old, new in zip(template, text.split("class ", 1)[1].splitlines()) if old != new]
        self.assertLessEqual(set(differing), {"url", "sha256", "homepage", "head"})

    def test_installs_what_script_install_installs(self):
        text = self.filled.read_text()
        self.assertIn('system "script/build"', text)
        self.assertIn('prefix.install Dir[".build/stage/*"]', text)
        self.assertIn("cp -R .build/stage/. ", (ROOT / "script/install").read_text())

    def test_test_block(self):
        needs((STAGE / "bin/ifttt").exists(), ".build/stage (script/build)")
        (self.folder / "test").mkdir()
        output = self.run_program(
            "ruby", ROOT / "packaging/release/tests/formula.rb", self.filled, STAGE, self.folder / "test")
        for fact in ['license ["MIT", {}]', 'uses_from_macos [{"swift"=>:build}]', 'uses_from_macos ["curl", {}]',
                     'uses_from_macos ["expat", {}]', 'uses_from_macos ["sqlite", {}]']:
            self.assertIn(fact, output)
        self.assertTrue((self.folder / "test/home").is_dir(), "the test block did not use its own home")
