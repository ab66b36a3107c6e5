"""The container file: its steps, executed in a Debian root, and the program as the user that it names."""
import json
import os

import containerfile
from harness import PACKAGES, ROOT
from roots import RootTestCase


def megabytes(size):
    return f"{size / 1e6:.1f} MB"


class ContainerTests(RootTestCase):
    def text(self):
        with open(os.path.join(ROOT, "packaging/container/Containerfile")) as file:
            return file.read()

    def test_image_runs_the_program_without_root(self):
        root = self.unpack("debian12", kind="minimal")
        before, packages = root.size(), self.packages(root)
        image = containerfile.execute(self.text(), root, PACKAGES)
        self.assertEqual(image.base, "debian:12-slim")
        self.assertNotEqual(image.user.split(":")[0], "0")
        self.assertEqual(image.variables["IFTTT_HOME"], "/data")
        self.assertEqual(image.volumes, ["/data"])

        self.assertRegex(containerfile.run(image, root, "--version"), r"^ifttt \d")
        plugins = json.loads(containerfile.run(image, root, "plugin", "list", "--json"))
        self.assertEqual([plugin["status"] for plugin in plugins], ["bundled"])
        self.assertTrue(json.loads(containerfile.run(image, root, "--profile", "sandbox", "connections", "list", "--json")))
        containerfile.run(image, root, "profile", "create", "mine", "--service", "lampost")
        # The store is in the volume, readable only for the user, and nothing is outside.
        owners = root.must("stat --format '%a %u %n' /data /data/*").splitlines()
        self.assertIn("700 10001 /data", owners)
        self.assertIn("600 10001 /data/ifttt.db", owners)
        self.assertEqual(root.must("find / -xdev -user 10001 ! -path '/data*' ! -path '/proc/*'"), "")

        added = self.packages(root) - packages
        self.assertLessEqual({"ifttt", "libcurl4", "ca-certificates"}, added)
        # What the program does not need: a shell's tools, a compiler, an editor.
        self.assertFalse(added & {"curl", "gcc", "perl", "python3", "vim-tiny"})
        after = root.size()
        print(f"\nContainer: {megabytes(after)}, of which {megabytes(before)} are the base and {megabytes(after - before)} "
              f"were added: {', '.join(sorted(added))}")

    def packages(self, root):
        return set(root.must("dpkg-query --show --showformat '${Package}\\n'").split())

    def test_an_unknown_instruction_is_an_error(self):
        for line in ["ADD https://localhost/a /a", "RUN --security=insecure true", "USER root", "RUN --mount=type=cache,target=/a true"]:
            with self.assertRaises((ValueError, TypeError), msg=line):
                containerfile.execute(f"FROM debian:12-slim\n{line}\n", None, PACKAGES)
