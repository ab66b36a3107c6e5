"""The version: its order, and the places that repeat it."""

import json
import re

from support import ROOT, VERSION, CheckoutCase, ScratchCase


class Order(ScratchCase):
    def semver(self, function, *versions):
        script = f'. "{ROOT}/packaging/release/semver"; if {function} "$@"; then echo yes; else echo no; fi'
        return self.run_program("bash", "-euo", "pipefail", "-c", script, "bash", *versions) == "yes\n"

    def test_precedence(self):
        # The order of semver.org §11, with numbers that a comparison of text or of machine words gets wrong.
        versions = ["0.9.0", "1.0.0-0", "1.0.0-9", "1.0.0-10", "1.0.0-99999999999999999999", "1.0.0-A", "1.0.0-alpha",
                    "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
                    "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0", "99999999999999999999.0.0"]
        script = f'. "{ROOT}/packaging/release/semver"; ' + (
            'for a; do for b; do if semver_precedes "$a" "$b"; then echo "$a $b"; fi; done; done')
        found = self.run_program("bash", "-euo", "pipefail", "-c", script, "bash", *versions).split("\n")[:-1]
        self.assertEqual(found, [f"{a} {b}" for place, a in enumerate(versions) for b in versions[place + 1:]])

    def test_validity(self):
        for version in ["0.0.0", "1.2.3-0a", "1.2.3--", "1.2.3-x.7.z.92", "10.20.30"]:
            self.assertTrue(self.semver("semver_is_valid", version), version)
        for version in ["", "1", "1.2", "1.2.3-a..b", "1.2.3-é", "-1.0.0", "1.2.3 ", "1.2.3\n4.5.6"]:
            self.assertFalse(self.semver("semver_is_valid", version), version)


class Places(CheckoutCase):
    def test_agree(self):
        self.assertEqual(json.loads((ROOT / "Sources/ifttt-grab/plugin.json").read_text())["version"], VERSION)
        self.assertIn(f'let version = "{VERSION}"', (ROOT / "Sources/ifttt-grab/GrabProvider.swift").read_text())
        for page in (ROOT / "man/man1").iterdir():
            self.assertIn(f"\n.Os ifttt {VERSION}\n", page.read_text(), page)

    def test_setting(self):
        before = self.state()[0]
        self.run_program("script/version", "1.2.0-rc.1", folder=self.checkout)
        self.assertEqual(self.run_program("script/version", folder=self.checkout), "1.2.0-rc.1\n")
        after = self.state()[0]
        changed = {str(path): after[path].decode() for path in after if after[path] != before[path]}
        self.assertEqual(set(changed), {
            "Sources/Session/ProgramVersion.swift", "Sources/ifttt-grab/GrabProvider.swift",
            "Sources/ifttt-grab/plugin.json"})
        for path, text in changed.items():
            self.assertEqual(len(re.findall(r"1\.2\.0-rc\.1", text)), 1, path)

    def test_invalid_version(self):
        self.run_program("script/version", '1.0.0"', folder=self.checkout, status=2)

    def test_missing_place(self):
        self.write(self.checkout / "Sources/ifttt-grab/plugin.json", '{"version": "0.1.0"}\n')
        self.assertIn("expected exactly one line", self.run_program("script/version", "1.2.0", folder=self.checkout, status=1))
