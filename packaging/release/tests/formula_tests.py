"""The Homebrew formula: its syntax, its facts, and its test block."""

import json
import shutil

from support import PLATFORMS, ROOT, STAGE, VERSION, ScratchCase, needs


class Formula(ScratchCase):
    def setUp(self):
        super().setUp()
        needs(shutil.which("ruby"), "ruby")
        self.archives = {
            platform: self.write(f"archives/ifttt-{VERSION}-{platform}.tar.gz", f"a stand-in for {platform}")
            for platform in PLATFORMS}
        self.filled = self.folder / "ifttt.rb"
        self.filled.write_text(self.fill())

    def fill(self, **options):
        return self.run_program(ROOT / "packaging/homebrew/fill", self.folder / "archives", **options)

    def facts(self, system, machine, installs="nothing"):
        """What the formula says on a system, and what its method `install` does there: `release`, `head` or `nothing`."""
        output = self.run_program(
            "ruby", ROOT / "packaging/release/tests/formula.rb", self.filled, "facts", system, machine, installs)
        return json.loads(output)

    def test_syntax(self):
        for path in [ROOT / "packaging/homebrew/ifttt.rb", self.filled]:
            self.assertEqual(self.run_program("ruby", "-wc", path), "Syntax OK\n")

    def test_archive_of_each_platform(self):
        repository = (ROOT / "packaging/repository").read_text().strip()
        for platform, system in PLATFORMS.items():
            facts = self.facts(*system.split("/"))
            url = f"https://github.com/{repository}/releases/download/v{VERSION}/{self.archives[platform].name}"
            self.assertEqual(facts["stable"]["url"], [url])
            self.assertEqual(facts["stable"]["sha256"], [self.run_program("sha256sum", self.archives[platform])[:64]])
            self.assertEqual(facts["version"], VERSION)
        self.assertNotIn("0.0.0", self.filled.read_text())
        self.assertNotIn("0" * 64, self.filled.read_text())

    def test_filled_placeholders(self):
        text = self.filled.read_text()
        self.assertTrue(text.startswith("class Ifttt < Formula\n"), "the comment about the placeholders is left")
        # Nothing else differs.
        template = (ROOT / "packaging/homebrew/ifttt.rb").read_text().split("class ", 1)[1].splitlines()
        differing = [new.split()[0] for old, new in zip(template, text.split("class ", 1)[1].splitlines(), strict=True) if old != new]
        self.assertLessEqual(set(differing), {"url", "sha256", "version", "homepage"})

    def test_a_missing_archive_or_place_is_an_error(self):
        last = self.archives.popitem()[1]
        last.unlink()
        self.assertIn(last.name, self.fill(status=1))
        checkout = self.folder / "checkout"
        for path in ["packaging/homebrew", "packaging/release", "script", "Sources/Session"]:
            shutil.copytree(ROOT / path, checkout / path, ignore=shutil.ignore_patterns("tests"))
        shutil.copy(ROOT / "packaging/repository", checkout / "packaging/repository")
        with open(checkout / "packaging/release/platforms", "a") as file:
            file.write("plan9-mips Plan9/mips\n")
        for platform in [*PLATFORMS, "plan9-mips"]:
            self.write(f"archives/ifttt-{VERSION}-{platform}.tar.gz", "x")
        output = self.run_program(checkout / "packaging/homebrew/fill", self.folder / "archives", status=1)
        self.assertIn("the formula has no ifttt-0.0.0-plan9-mips.tar.gz", output)

    def test_installs_the_archive(self):
        for system in PLATFORMS.values():
            self.assertEqual(self.facts(*system.split("/"), "release")["installed"], ["bin", "libexec", "share"])
        facts = self.facts("Darwin", "x86_64", "release")
        self.assertEqual(facts["installed"], [])
        self.assertRegex(facts["error"], r"no release for Intel Macs.* brew install --HEAD octo/tap/ifttt$")
        # A release needs no compiler, and the oldest macOS is the one of the build.
        for system in ["Darwin/arm64", "Darwin/x86_64", "Linux/x86_64"]:
            self.assertNotIn("xcode", json.dumps(self.facts(*system.split("/"))["stable"]))
        self.assertEqual(self.facts("Darwin", "arm64")["stable"]["depends_on"], [{"macos": "ventura"}])
        self.assertIn("platforms: [.macOS(.v13)]", (ROOT / "Package.swift").read_text())

    def test_head_builds_on_every_mac(self):
        for machine in ["arm64", "x86_64"]:
            facts = self.facts("Darwin", machine, "head")
            self.assertNotIn("error", facts)
            self.assertEqual(facts["commands"], [["script/build", "--disable-sandbox"]])
            self.assertEqual(facts["installed"], [".build/stage/*"])
            self.assertIn({"xcode": ["26.0", "build"]}, facts["head"]["depends_on"])
        self.assertIn("cp -R .build/stage/. ", (ROOT / "script/install").read_text())
        self.assertIn("-rpath", self.facts("Linux", "x86_64", "head")["commands"][0])
        used = self.facts("Linux", "x86_64")["head"]["uses_from_macos"]
        self.assertEqual(used, [{"swift": "build"}, "curl", "expat", "sqlite", "zlib"])

    def test_test_block(self):
        needs((STAGE / "bin/ifttt").exists(), ".build/stage (script/build)")
        (self.folder / "test").mkdir()
        self.run_program("ruby", ROOT / "packaging/release/tests/formula.rb", self.filled, "test", STAGE, self.folder / "test")
        self.assertTrue((self.folder / "test/home").is_dir(), "the test block did not use its own home")
