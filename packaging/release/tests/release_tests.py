"""script/release: what it rejects, what it makes, and that a failure changes nothing."""

import re
import tarfile

from support import CHANGELOG, PLATFORMS, CheckoutCase


class Rejections(CheckoutCase):
    def test_invalid_versions(self):
        for version in ["1", "1.2", "1.2.3.4", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3+build", "v1.2.3", "1.2.3\n", "latest",
                        "../1.2.3", "$(id)", "1.2.3;id"]:
            with self.subTest(version=version):
                self.assert_unchanged(version, "--dry-run", says="is not a version")

    def test_command_lines(self):
        for words in [[], ["1.2.3", "1.2.4"], ["--dry-run"], ["1.2.3", "--force"], [""]]:
            with self.subTest(words=words):
                self.assert_unchanged(*words, says="usage:", status=2)
        self.assert_unchanged("1.2.3", "--skip-ci", says="only with --dry-run")

    def test_versions_that_are_not_greater(self):
        self.git("tag", "v0.1.0")
        for version in ["0.1.0-rc.1", "0.0.9", "0.0.10"]:
            with self.subTest(version=version):
                self.assert_unchanged(version, says="is not greater than the current version 0.1.0")
        self.assert_unchanged("0.1.0", says="the tag v0.1.0 exists already")
        self.git("tag", "-d", "v0.1.0")
        self.git("tag", "v0.0.1")
        self.assert_unchanged("0.1.0", says="is not greater")

    def test_existing_tag(self):
        self.git("tag", "v0.2.0")
        self.assert_unchanged("0.2.0", says="the tag v0.2.0 exists already")

    def test_uncommitted_changes(self):
        self.write(self.checkout / "new", "x")
        self.assert_unchanged("0.2.0", says="uncommitted changes")
        (self.checkout / "new").unlink()
        self.write(self.checkout / "README.md", "changed")
        self.assert_unchanged("0.2.0", "--dry-run", says="uncommitted changes")

    def test_other_branches(self):
        self.git("switch", "--quiet", "--create", "topic")
        self.assert_unchanged("0.2.0", says="this is 'topic'")
        self.git("switch", "--quiet", "--detach", "main")
        self.assert_unchanged("0.2.0", says="a detached commit")

    def test_empty_changelog(self):
        for entries in ["", "### Connections\n\n", "\n## 0.1.0 - 2026-01-01\n\n* Old.\n"]:
            with self.subTest(entries=entries):
                self.write(self.checkout / "CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n" + entries)
                self.commit("Change the log")
                self.assert_unchanged("0.2.0", says='no entries under "## Unreleased"')

    def test_no_owner(self):
        self.write(self.checkout / "packaging/repository", "OWNER/ifttt\n")
        self.commit("Forget the owner")
        self.assert_unchanged("0.2.0", says="still names OWNER")
        self.assertIn("Note: packaging/repository", self.release("0.2.0", "--dry-run"))


class Failures(CheckoutCase):
    def test_failing_ci(self):
        self.assert_unchanged("0.2.0", says=".ci/run failed for version 0.2.0", CI_STATUS="3")
        self.assert_unchanged("0.2.0", "--dry-run", says=".ci/run failed", CI_STATUS="3")

    def test_failing_steps(self):
        for name in ["PAGES_STATUS", "PACKAGE_STATUS"]:
            with self.subTest(name=name):
                self.assert_unchanged("0.2.0", says="the checkout is unchanged", status=5, **{name: "5"})

    def test_packages_that_change_the_checkout(self):
        self.assert_unchanged("0.2.0", says="changed committed files", STRAY="1")

    def test_failing_arrival(self):
        # The tag has arrived when git rejects the commit.
        self.write(self.checkout / ".git/hooks/reference-transaction", """\
            #!/bin/sh
            [ "$1" != prepared ] || ! grep -q refs/heads/main
            """, 0o755)
        self.assert_unchanged("0.2.0", says="the checkout is unchanged", status=None)

    def test_checkout_that_changes_meanwhile(self):
        output = self.release("0.2.0", status=1, MEANWHILE='echo later >"$CHECKOUT/later"')
        self.assertIn("was changed meanwhile", output)
        self.assertEqual(self.git("tag"), "")
        self.assertEqual(self.git("log", "-1", "--format=%s"), "Begin")
        self.assertEqual((self.checkout / "later").read_text(), "later\n")

    def test_interruption(self):
        self.assert_unchanged("0.2.0", says="the checkout is unchanged", status=143, MEANWHILE='kill -TERM "$PPID"')


class DryRuns(CheckoutCase):
    def test_keeps_nothing(self):
        before = self.state()
        output = self.release("0.2.0", "--dry-run")
        self.assertEqual(self.state(), before)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])
        self.assertRegex(output, r"\+## 0\.2\.0 - \d{4}-\d\d-\d\d")
        self.assertIn("tag them as v0.2.0", output)
        self.assertIn("ifttt-0.2.0-source.tar.gz", output)
        self.assertEqual(self.log.read_text(), "CI of 0.2.0, Release 0.2.0, key none\n")

    def test_skips_ci_if_requested(self):
        self.release("0.2.0", "--dry-run", "--skip-ci", CI_STATUS="1")
        self.assertFalse(self.log.exists())


class Releases(CheckoutCase):
    def test_release(self):
        output = self.release("0.2.0", IFTTT_RELEASE_KEY="secret")
        date = re.search(r"## 0\.2\.0 - (\d{4}-\d\d-\d\d)\n", (self.checkout / "CHANGELOG.md").read_text())[1]
        self.assertEqual(
            (self.checkout / "CHANGELOG.md").read_text(),
            CHANGELOG.replace("## Unreleased\n", f"## Unreleased\n\n## 0.2.0 - {date}\n"))
        # The tests do not see the key.
        self.assertEqual(self.log.read_text(), "CI of 0.2.0, Release 0.2.0, key none\n")
        self.assertEqual(self.git("rev-parse", "--abbrev-ref", "HEAD"), "main")
        self.assertEqual(self.git("status", "--porcelain"), "")
        self.assertEqual(self.git("log", "--format=%an <%ae> %s").splitlines(), [
            "A Maintainer <m@example.org> Release 0.2.0", "A Maintainer <m@example.org> Begin"])
        self.assertEqual(self.git("cat-file", "-t", "v0.2.0"), "tag")
        self.assertEqual(self.git("rev-parse", "v0.2.0^{commit}"), self.git("rev-parse", "HEAD"))
        self.assertEqual(
            self.git("tag", "--list", "--format=%(contents)", "v0.2.0"),
            "ifttt 0.2.0\n\n### Connections\n\n* `list` is faster.")
        for path in ["Sources/Session/ProgramVersion.swift", "Sources/ifttt-grab/plugin.json",
                     "Sources/ifttt-grab/GrabProvider.swift", "man/man1/ifttt.1"]:
            text = (self.checkout / path).read_text()
            self.assertIn("0.2.0", text, path)
            self.assertNotIn("0.1.0", text, path)
        # Nothing was pushed, and the command that would do it is printed.
        self.assertEqual(self.git("ls-remote", "origin").split("\t")[1:], ["HEAD\n" + self.git("rev-parse", "HEAD^"), "refs/heads/main"])
        self.assertIn("git push --atomic origin main v0.2.0", output)
        self.run_program("packaging/release/check-tag", "v0.2.0", folder=self.checkout)
        self.run_program("packaging/release/check-tag", "v0.2.1", folder=self.checkout, status=1)

    def test_packages(self):
        (self.checkout / "dist").mkdir()
        (self.checkout / "dist/old").write_text("of an earlier release")
        self.release("0.2.0")
        dist = self.checkout / "dist"
        # Without the archives of other machines, there is no formula.
        names = ["ifttt-0.2.0-linux-x86_64-symbols.tar.gz", "ifttt-0.2.0-linux-x86_64.tar.gz", "ifttt-0.2.0-source.tar.gz",
                 "ifttt-0.2.0.spdx.json", "ifttt_0.2.0-1_amd64.deb"]
        self.assertEqual(sorted(path.name for path in dist.iterdir()), ["SHA256SUMS"] + names)
        self.assertEqual([line[66:] for line in (dist / "SHA256SUMS").read_text().splitlines()], names)
        self.run_program("sha256sum", "--check", "--strict", "SHA256SUMS", folder=dist)
        with tarfile.open(dist / "ifttt-0.2.0-source.tar.gz") as archive:
            text = archive.extractfile("ifttt-0.2.0/Sources/Session/ProgramVersion.swift").read().decode()
        self.assertIn('"0.2.0"', text)
        # The same commit gives the same archive.
        self.run_program("packaging/release/source", "again", folder=self.checkout)
        self.assertEqual(
            (self.checkout / "again/ifttt-0.2.0-source.tar.gz").read_bytes(), (dist / "ifttt-0.2.0-source.tar.gz").read_bytes())
        # With them, there is one, which a later run without them removes.
        output = self.run_program("packaging/release/source", "again", folder=self.checkout)
        self.assertIn("No formula ifttt.rb is made: ", output)
        self.assertIn("linux-x86_64 linux-aarch64 macos-arm64", output)
        for platform in PLATFORMS:
            self.write(self.checkout / f"again/ifttt-0.2.0-{platform}.tar.gz", platform)
        self.run_program("packaging/release/source", "again", folder=self.checkout)
        self.assertIn("class Ifttt", (self.checkout / "again/ifttt.rb").read_text())
        self.assertIn("  ifttt.rb\n", (self.checkout / "again/SHA256SUMS").read_text())
        (self.checkout / "again/ifttt-0.2.0-macos-arm64.tar.gz").unlink()
        self.run_program("packaging/release/source", "again", folder=self.checkout)
        self.assertFalse((self.checkout / "again/ifttt.rb").exists())

    def test_first_release(self):
        self.release("0.1.0")
        self.assertEqual(self.git("tag"), "v0.1.0")
        self.assertEqual(self.git("diff", "--name-only", "HEAD^"), "CHANGELOG.md")

    def test_prereleases_in_order(self):
        for number, version in enumerate(["0.2.0-rc.9", "0.2.0-rc.10", "0.2.0", "0.10.0", "1.0.0"]):
            text = (self.checkout / "CHANGELOG.md").read_text()
            if number:
                self.write(self.checkout / "CHANGELOG.md", text.replace("## Unreleased\n", f"## Unreleased\n\n* {number}\n"))
                self.commit("Change")
            self.release(version)
            notes = self.run_program("packaging/release/notes", version, folder=self.checkout)
            self.assertEqual(notes.strip(), f"* {number}" if number else "### Connections\n\n* `list` is faster.")
        self.run_program("packaging/release/notes", "0.2.0-rc", folder=self.checkout, status=1)

    def test_signed_tag(self):
        self.run_program("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", self.folder / "key")
        self.write("signers", "m@example.org " + (self.folder / "key.pub").read_text())
        for name, value in {"gpg.format": "ssh", "user.signingkey": self.folder / "key", "tag.gpgsign": "true",
                            "gpg.ssh.allowedSignersFile": self.folder / "signers"}.items():
            self.git("config", name, value)
        self.release("0.2.0")
        self.assertIn('Good "git" signature for m@example.org', self.git("tag", "--verify", "v0.2.0"))
        self.assertEqual(self.git("tag", "--list", "--format=%(contents:subject)", "v0.2.0"), "ifttt 0.2.0")
