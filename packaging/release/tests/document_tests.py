"""The commands and workflows in docs/releasing.md and docs/action.md, run as written."""

import re

import yaml

from action_case import ActionCase
from support import ROOT, CheckoutCase


def blocks(name, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / "docs" / name).read_text(), re.MULTILINE | re.DOTALL)


class Releasing(CheckoutCase):
    def test_commands(self):
        # packaging/tests/test_apt.py runs the second one.
        release, _, verification = blocks("releasing.md", "sh")
        output = self.run_program("bash", "-euo", "pipefail", "-c", release, folder=self.checkout)
        self.assertIn("refs/tags/v0.2.0", self.git("ls-remote", "origin"), output)
        self.assertEqual(self.log.read_text(), "CI of 0.2.0, Release 0.2.0, key none\n" * 2)
        # Creates the key as the page says.
        creation = re.search(r"`(ssh-keygen -t ed25519 .*?)`", (ROOT / "docs/releasing.md").read_text())[1]
        self.run_program("bash", "-c", creation)
        dist = self.checkout / "dist"
        form = re.search(r"`(release@ifttt namespaces=\"\S+\") ssh-ed25519 AAAA…`", (ROOT / "docs/releasing.md").read_text())[1]
        (dist / "signers").write_text(f"{form} {(self.folder / 'release-key.pub').read_text()}")
        self.run_program(
            "packaging/release/sign", "dist", folder=self.checkout, IFTTT_RELEASE_KEY=(self.folder / "release-key").read_text())
        self.run_program("bash", "-euo", "pipefail", "-c", verification, folder=dist)
        (dist / "ifttt_0.2.0-1_amd64.deb").write_text("changed")
        self.run_program("bash", "-euo", "pipefail", "-c", verification, folder=dist, status=1)


class Action(ActionCase):
    def test_workflow(self):
        self.use_real_program()
        self.local_archive()
        [text] = blocks("action.md", "yaml")
        [job] = yaml.safe_load(text)["jobs"].values()
        used, run = job["steps"]
        self.assertEqual(used["uses"], "OWNER/ifttt@COMMIT")
        self.assertIsNotNone(self.use(archive=self.archive.name, **used["with"]), self.runner.log)
        self.assertEqual(self.runner.step(run, {})[0], 0, self.runner.log)
        self.assertIn("Kd7Rn2Qx", self.runner.log)

    def test_inputs_and_outputs(self):
        document = yaml.safe_load((ROOT / "action.yml").read_text())
        page = (ROOT / "docs/action.md").read_text()
        self.assertEqual(re.findall(r"^\| `([\w-]+)` \|", page, re.MULTILINE), list(document["inputs"]))
        for name in document["outputs"]:
            self.assertIn(f"`{name}`", page)
