"""What the tests of releases share: scratch folders, programs, and a checkout with quick stand-ins for slow scripts."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
VERSION = subprocess.run([ROOT / "script/version"], capture_output=True, text=True, check=True).stdout.strip()
STAGE = ROOT / ".build/stage"
# What uname prints, by the platform of a release.
PLATFORMS = dict(
    line.split() for line in (ROOT / "packaging/release/platforms").read_text().splitlines() if not line.startswith("#"))


def needs(condition, name):
    """Skips a test of which something is missing; in CI that is a failure."""
    if condition:
        return
    if os.environ.get("CI"):
        raise AssertionError(f"needs {name}")
    print(f"skipped: needs {name}")
    raise unittest.SkipTest(f"needs {name}")


class ScratchCase(unittest.TestCase):
    """A test with a folder of its own, an empty home, and no settings of the caller."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="ifttt-release-tests-"))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "home").mkdir()
        (self.folder / "tmp").mkdir()
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": str(self.folder / "home"), "TMPDIR": str(self.folder / "tmp"),
            "GIT_CONFIG_NOSYSTEM": "1", "LANG": "C.UTF-8",
        }

    def run_program(self, *words, folder=None, status=0, **environment):
        """Runs a program, and returns its stdout and stderr together."""
        outcome = subprocess.run(
            [str(word) for word in words], cwd=folder or self.folder, env=self.environment | environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if status is not None:
            self.assertEqual(outcome.returncode, status, outcome.stdout)
        return outcome.stdout

    def write(self, path, text, mode=0o644):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        path.chmod(mode)
        return path


# What the slow scripts do that script/release depends on.
STAND_INS = {
    ".ci/run": """\
        #!/usr/bin/env bash
        echo "CI of $(script/version), $(git log -1 --format=%s), key ${IFTTT_RELEASE_KEY-none}" >>"$LOG"
        if [ -n "${MEANWHILE-}" ]; then eval "$MEANWHILE"; fi
        exit "${CI_STATUS:-0}"
        """,
    "script/pages": """\
        #!/usr/bin/env bash
        printf '.Os ifttt %s\\n' "$(script/version)" >man/man1/ifttt.1
        exit "${PAGES_STATUS:-0}"
        """,
    "script/package": """\
        #!/usr/bin/env bash
        set -euo pipefail
        [ "$*" = all ]
        mkdir -p dist
        echo deb >"dist/ifttt_$(script/version)-1_amd64.deb"
        echo tar >"dist/ifttt-$(script/version)-linux-x86_64.tar.gz"
        echo symbols >"dist/ifttt-$(script/version)-linux-x86_64-symbols.tar.gz"
        echo '{}' >"dist/ifttt-$(script/version).spdx.json"
        packaging/release/sums dist
        if [ -n "${STRAY-}" ]; then echo stray >>README.md; fi
        exit "${PACKAGE_STATUS:-0}"
        """,
}

CHANGELOG = """\
# Changelog

Versions follow Semantic Versioning.

## Unreleased

### Connections

* `list` is faster.
"""


class CheckoutCase(ScratchCase):
    """A test with a repository that has the real release scripts, on the branch main, with a remote repository."""

    # Made once, and copied for each test.
    template = None

    def setUp(self):
        super().setUp()
        self.checkout = self.folder / "checkout"
        self.log = self.folder / "log"
        self.environment |= {"LOG": str(self.log), "CHECKOUT": str(self.checkout)}
        if CheckoutCase.template is None:
            self.make_checkout()
            CheckoutCase.template = tempfile.TemporaryDirectory(prefix="ifttt-release-template-")
            for name in ["checkout", "remote"]:
                shutil.copytree(self.folder / name, pathlib.Path(CheckoutCase.template.name) / name)
        else:
            for name in ["checkout", "remote"]:
                shutil.copytree(pathlib.Path(CheckoutCase.template.name) / name, self.folder / name)
            self.git("remote", "set-url", "origin", self.folder / "remote")

    def make_checkout(self):
        for path in [
            "script/release", "script/version", "packaging/homebrew", "packaging/release", "packaging/repository",
            "Sources/Session/ProgramVersion.swift", "Sources/ifttt-grab/GrabProvider.swift",
            "Sources/ifttt-grab/plugin.json", ".gitignore",
        ]:
            source, target = ROOT / path, self.checkout / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("tests"))
            else:
                shutil.copy(source, target)
        for path, text in STAND_INS.items():
            self.write(self.checkout / path, text, 0o755)
        self.write(self.checkout / "packaging/repository", "octo/ifttt\n")
        self.write(self.checkout / "man/man1/ifttt.1", ".Os ifttt 0.1.0\n")
        self.write(self.checkout / "README.md", "# ifttt\n")
        self.write(self.checkout / "CHANGELOG.md", CHANGELOG)
        if VERSION != "0.1.0":
            self.run_program("script/version", "0.1.0", folder=self.checkout)
        self.git("init", "--quiet", "--initial-branch", "main")
        for name, value in {"user.name": "A Maintainer", "user.email": "m@example.org"}.items():
            self.git("config", name, value)
        self.commit("Begin")
        self.git("init", "--quiet", "--bare", "--initial-branch", "main", self.folder / "remote")
        self.git("remote", "add", "origin", self.folder / "remote")
        self.git("push", "--quiet", "origin", "main")

    def git(self, *words, **options):
        return self.run_program("git", *words, folder=self.checkout, **options).rstrip("\n")

    def commit(self, message):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)

    def release(self, *words, **options):
        return self.run_program("script/release", *words, folder=self.checkout, **options)

    def state(self):
        """Everything of the checkout that a failed release must not change."""
        files = {
            path.relative_to(self.checkout): path.read_bytes() for path in sorted(self.checkout.rglob("*"))
            if path.is_file() and ".git" not in path.relative_to(self.checkout).parts
        }
        return files, self.git("for-each-ref"), self.git("rev-parse", "--abbrev-ref", "HEAD"), self.git("status", "--short")

    def assert_unchanged(self, *words, says, status=1, **environment):
        """Runs a release that must fail, and compares the checkout before and after."""
        before = self.state()
        output = self.release(*words, status=status, **environment)
        self.assertIn(says, output)
        self.assertEqual(self.state(), before)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [], "a scratch folder is left")
        return output
