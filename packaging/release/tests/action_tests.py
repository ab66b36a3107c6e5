"""The GitHub Action with a local archive, with ordinary and with hostile inputs."""

import gzip
import io
import os
import pathlib
import shutil
import tarfile

from action_case import ActionCase
from support import ROOT, VERSION

from runner import load

# Texts that would run a program, add a variable or start a workflow command if they were not treated as data.
HOSTILE = [
    "$(touch injected)", "`touch injected`", "'; touch injected; '", '"; touch injected; "', "a;touch injected", "a|touch injected",
    "a\ntouch injected", "${{ secrets.TOKEN }}", "x\nPATH=/evil", "x\r\nPATH=/evil", "x\n::add-path::/evil",
    "::set-env name=PATH::/evil", "##[add-path]/evil", "x\n##[set-env name=PATH]/evil", "x%0A::add-path::/evil", "x\x1b[2J",
    "NAME<<END\nx\nEND", "é\u2028x", "a" * 5000, "x\x7f",
]


class Definition(ActionCase):
    def test_inputs_reach_no_program_text(self):
        document = load(ROOT / "action.yml")
        self.assertEqual(set(document["inputs"]), {"version", "archive", "user-token", "profile"})
        self.assertEqual(document["runs"]["using"], "composite")
        for step in document["runs"]["steps"]:
            self.assertNotIn("${{", step["run"])
            self.assertEqual(step["shell"], "bash")
            script = step["run"].replace("$GITHUB_ACTION_PATH", str(ROOT)).strip('"')
            self.assertTrue(os.access(script, os.X_OK), script)


class Installation(ActionCase):
    def test_local_archive(self):
        self.local_archive()
        outputs = self.use(archive=self.archive.name, profile="mine", user_token="tok_1234567890")
        self.assertIsNotNone(outputs, self.runner.log)
        self.assertEqual(outputs["version"], VERSION)
        self.assertEqual(self.runner.paths, [str(pathlib.Path(outputs["path"]).parent)])
        self.assertEqual(self.runner.set, {"IFTTT_PROFILE": "mine", "IFTTT_USER_TOKEN": "tok_1234567890"})
        self.assertEqual(self.runner.masks, ["tok_1234567890"])

    def test_real_program(self):
        self.use_real_program()
        self.local_archive()
        self.assertIsNotNone(self.use(archive=self.archive.name, profile="sandbox"), self.runner.log)
        # The steps that follow use the program with this profile.
        step = {"run": "ifttt connections list --fields id --output tsv --no-header; ifttt plugin show grab --fields status -o tsv"}
        status, _ = self.runner.step(step, {})
        self.assertEqual(status, 0, self.runner.log)
        self.assertIn("Kd7Rn2Qx\n", self.runner.log)
        self.assertIn("bundled\n", self.runner.log)

    def test_archive_without_checksums(self):
        self.local_archive(name="other name.tar.gz", sums=False)
        self.assertEqual(self.use(archive="other name.tar.gz", version=f"v{VERSION}")["version"], VERSION)
        self.assertIn("it is not verified", self.runner.log)
        self.assertEqual(self.runner.set, {})
        self.assertEqual(self.runner.commands, [])

    def test_wrong_checksum(self):
        with open(self.local_archive(), "ab") as archive:
            archive.write(b"x")
        self.assert_rejected("the checksum of the archive is wrong", archive=self.archive.name)

    def test_checksums_of_another_archive(self):
        archive = self.local_archive()
        for name in [f"x{archive.name}", f"{archive.name}.sig", f"a/{archive.name}", f"{archive.name} b"]:
            with self.subTest(name=name):
                sums = (archive.parent / "SHA256SUMS").read_text()
                (archive.parent / "SHA256SUMS").write_text(f"{sums.split()[0]}  {name}\n")
                self.runner.commands.clear()
                self.assert_rejected("SHA256SUMS does not list the archive", archive=archive.name)

    def test_two_checksums(self):
        archive = self.local_archive()
        with open(archive.parent / "SHA256SUMS", "a") as sums:
            sums.write(f"{'0' * 64}  {archive.name}\n")
        self.assert_rejected("two checksums", archive=archive.name)

    def test_other_version(self):
        self.local_archive()
        self.assert_rejected(f"the archive has version {VERSION} instead of 9.9.9", archive=self.archive.name, version="9.9.9")

    def test_missing_archives(self):
        for name in ["missing.tar.gz", ".", "../missing", "-missing", "--help", "/etc", "/dev/null"]:
            with self.subTest(name=name):
                self.runner.commands.clear()
                self.assert_rejected("is not a file", archive=name)

    def test_leading_hyphen(self):
        self.local_archive(name="-rf.tar.gz")
        self.assertIsNotNone(self.use(archive="-rf.tar.gz"), self.runner.log)

    def test_name_with_shell_syntax(self):
        name = "$(touch injected);`touch injected` '\".tar.gz"
        self.local_archive(name=name)
        self.assertIsNotNone(self.use(archive=name), self.runner.log)
        self.assertFalse((self.runner.workspace / "injected").exists())


class HostileInputs(ActionCase):
    def test_versions(self):
        for text in HOSTILE + ["../../../evil", "1.2.3/../evil", "-1.2.3", "--version", "1.2.3 ", "latest", "v", "vv1.2.3"]:
            with self.subTest(text=text):
                self.runner.commands.clear()
                self.assert_rejected("::error", version=text)
                self.assertEqual(self.runner.set, {})

    def test_archives(self):
        for text in HOSTILE:
            with self.subTest(text=text):
                self.runner.commands.clear()
                self.assert_rejected("::error", archive=text)

    def test_profiles(self):
        for text in HOSTILE + ["../x", "-x", ".x", "a b", "a/b", "a" * 65]:
            with self.subTest(text=text):
                self.runner.commands.clear()
                self.assert_rejected("is not a name", profile=text)
                self.assertEqual(self.runner.set, {})

    def test_tokens_with_line_breaks(self):
        self.local_archive()
        for text in [text for text in HOSTILE if any(ord(letter) < 32 or letter == "\x7f" for letter in text)]:
            with self.subTest(text=text):
                self.runner.commands.clear()
                self.runner.masks.clear()
                self.assert_rejected("the user token contains a control character", user_token=text, archive=self.archive.name)
                self.assertEqual(self.runner.set, {})
                # Each line is masked before anything else is printed.
                self.assertEqual(self.runner.masks, [line.rstrip("\r") for line in text.split("\n") if line.rstrip("\r")])
                self.assertEqual([name for name, _ in self.runner.commands[:-1]], ["add-mask"] * len(self.runner.masks))

    def test_other_tokens_are_data(self):
        self.local_archive()
        for text in HOSTILE + ["%0A::add-path::/evil", "%25", "100%", "<<x", "a=b", "-n", "\\n", "tok_1\n", "tok_1\r\n"]:
            if any(ord(letter) < 32 or letter == "\x7f" for letter in text.rstrip("\r\n")):
                continue
            with self.subTest(text=text):
                self.runner.set.clear()
                self.runner.masks.clear()
                self.runner.commands.clear()
                self.runner.paths.clear()
                self.assertIsNotNone(self.use(user_token=text, archive=self.archive.name), self.runner.log)
                self.assertEqual(self.runner.set, {"IFTTT_USER_TOKEN": text.rstrip("\r\n")})
                self.assertEqual(self.runner.masks, [text.rstrip("\r\n")])
                self.assertEqual({name for name, _ in self.runner.commands}, {"add-mask"})
                self.assertEqual(len(self.runner.paths), 1)
                self.assertFalse((self.runner.workspace / "injected").exists())


class HostileArchives(ActionCase):
    def pack(self, *members, root=None):
        """An archive of the program with more entries, each a name and the facts of its entry, without checksums."""
        target = self.runner.workspace / "made.tar.gz"
        with gzip.open(self.archive) as packed, tarfile.open(fileobj=packed) as source:
            with tarfile.open(target, "w:gz", compresslevel=1) as archive:
                for member in source if root is None else []:
                    archive.addfile(member, source.extractfile(member) if member.isfile() else None)
                for name, facts in members:
                    entry = tarfile.TarInfo(name.replace("ROOT", self.name))
                    content = facts.pop("content", b"")
                    for key, value in facts.items():
                        setattr(entry, key, value)
                    entry.size = len(content)
                    archive.addfile(entry, io.BytesIO(content))
        return target.name

    def test_entries_outside_the_root(self):
        target = str(self.folder / "outside")
        cases = {
            "parent": [("ROOT/../../../outside", {"content": b"x"})],
            "parent in the middle": [("ROOT/bin/../../../../../outside", {"content": b"x"})],
            "absolute": [(target, {"content": b"x"})],
            "other root": [("other/file", {"content": b"x"})],
            "root with a longer name": [("ROOT-more/file", {"content": b"x"})],
            "file beside the root": [("file", {"content": b"x"})],
            "line break": [("ROOT/a\n/outside", {"content": b"x"}), ("x\nROOT/a", {"content": b"x"})],
            "symbolic link out": [("ROOT/link", {"type": tarfile.SYMTYPE, "linkname": str(self.folder)}),
                                  ("ROOT/link/outside", {"content": b"x"})],
            "relative link out": [("ROOT/link", {"type": tarfile.SYMTYPE, "linkname": "../../.."}),
                                  ("ROOT/link/outside", {"content": b"x"})],
            "link in place of the program": [("ROOT/bin/ifttt", {"type": tarfile.SYMTYPE, "linkname": "/bin/sh"})],
            "hard link out": [("ROOT/hard", {"type": tarfile.LNKTYPE, "linkname": "/etc/passwd"})],
            "pipe": [("ROOT/pipe", {"type": tarfile.FIFOTYPE})],
            "device": [("ROOT/null", {"type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 3})],
        }
        says = {"parent": "a path with '..'", "link": "not files or folders", "root": "more than one root"}
        for name, members in cases.items():
            with self.subTest(name):
                self.runner.commands.clear()
                self.runner.log = ""
                message = next((text for word, text in says.items() if word in name), "::error")
                self.assert_rejected(message, archive=self.pack(*members))
                self.assertFalse(pathlib.Path(target).exists(), "an entry was written outside")
                self.assertEqual(list(self.runner.temporary.rglob("outside")), [])

    def test_a_listing_that_fails(self):
        """tar fails when it lists the types of the entries: a link must not count as a file."""
        tools = self.folder / "tools"
        tools.mkdir()
        script = f'#!/bin/sh\ncase "$1" in -t*v*) exit 1 ;; esac\nexec {shutil.which("tar")} "$@"\n'
        (tools / "tar").write_text(script)
        (tools / "tar").chmod(0o755)
        self.runner.variables["PATH"] = f"{tools}:{self.runner.variables['PATH']}"
        link = ("ROOT/link", {"type": tarfile.SYMTYPE, "linkname": "/etc"})
        self.assert_rejected("the archive is damaged", archive=self.pack(link))

    def test_hostile_names(self):
        for root in ["::add-path::/evil", "##[add-path]/evil", "$(touch injected)", "-x", "ifttt-\n::add-path::", "ifttt-1 2"]:
            with self.subTest(root=root):
                self.runner.commands.clear()
                self.assert_rejected("::error", archive=self.pack((f"{root}/bin/ifttt", {"content": b"x"}), root=root))

    def test_special_permissions(self):
        name = self.pack(("ROOT/bin/extra", {"content": b"x", "mode": 0o6777, "uid": 12345}))
        path = pathlib.Path(self.use(archive=name)["path"])
        self.assertEqual(oct((path.parent / "extra").stat().st_mode), "0o100755")
        self.assertEqual((path.parent / "extra").stat().st_uid, os.getuid())

    def test_damaged_archives(self):
        whole = self.archive.read_bytes()
        for content in [b"", b"text", whole[: len(whole) // 2], whole[:-4], gzip.compress(b"not a tar archive" * 100)]:
            with self.subTest(length=len(content)):
                (self.runner.workspace / "damaged.tar.gz").write_bytes(content)
                self.runner.commands.clear()
                self.assert_rejected("::error", archive="damaged.tar.gz")

    def test_programs_that_are_not_ifttt(self):
        for script in [None, "exit 1", "echo 'ifttt 1.2'", "printf 'ifttt x\\n::add-path::/evil\\n'", "echo ::add-path::/evil >&2; exit 3"]:
            with self.subTest(script=script):
                root = f"ifttt-{VERSION}-x"
                member = (f"{root}/bin/ifttt", {"content": f"#!/bin/sh\n{script}\n".encode(), "mode": 0o755})
                other = (f"{root}/README.md", {"content": b"x"})
                self.runner.commands.clear()
                self.assert_rejected("::error", archive=self.pack(member if script else other, root=root))
