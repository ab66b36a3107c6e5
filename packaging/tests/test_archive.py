"""The relocatable archive and its install.sh."""
import datetime
import json
import os
import shutil
import stat
import subprocess
import tarfile

from harness import ARCHIVE, ENVIRONMENT, PACKAGES, ROOT, STAGE, SYMBOLS, SYMBOLS_ARCHIVE, PackageTestCase, package, require


def tree(folder):
    """The files and folders below a folder."""
    return sorted(
        os.path.relpath(os.path.join(above, name), folder)
        for above, folders, files in os.walk(folder) for name in folders + files)


class ArchiveTests(PackageTestCase):
    def setUp(self):
        self.path = package(ARCHIVE)
        self.scratch = self.folder()
        with tarfile.open(self.path) as archive:
            archive.extractall(self.scratch)
        [name] = os.listdir(self.scratch)
        self.unpacked = os.path.join(self.scratch, name)
        self.home = self.folder()
        self.environment = ENVIRONMENT | {"HOME": self.home}

    def program(self, prefix, *arguments):
        return self.run_command(os.path.join(prefix, "bin/ifttt"), *arguments, env=self.environment)

    def install(self, *arguments, script=None, **options):
        script = script or os.path.join(self.unpacked, "install.sh")
        return self.run_command("/bin/sh", script, *arguments, env=self.environment, **options)

    def test_has_one_root_folder_named_as_the_archive(self):
        self.assertEqual(os.path.basename(self.path), os.path.basename(self.unpacked) + ".tar.gz")
        expected = {"LICENSE", "README.md", "bin", "install.sh", "libexec", "share"}
        self.assertEqual(set(os.listdir(self.unpacked)), expected)
        for path in [
            "share/zsh/site-functions/_ifttt", "share/fish/vendor_completions.d/ifttt.fish", "share/man/man1/ifttt.1",
            "share/bash-completion/completions/ifttt", "share/doc/ifttt/copyright",
        ]:
            self.assertTrue(os.path.isfile(os.path.join(self.unpacked, path)), path)

    def test_entries_are_sorted_and_name_no_user(self):
        with tarfile.open(self.path) as archive:
            entries = archive.getmembers()
        self.assertEqual([entry.name for entry in entries], sorted(entry.name for entry in entries))
        self.assertEqual({(entry.uid, entry.gid, entry.uname, entry.gname) for entry in entries}, {(0, 0, "root", "root")})
        self.assertEqual(len({entry.mtime for entry in entries}), 1)
        self.assertLessEqual({stat.S_IMODE(entry.mode) for entry in entries}, {0o644, 0o755})

    def test_runs_where_it_was_unpacked(self):
        self.assertRegex(self.program(self.unpacked, "--version"), r"^ifttt \d+\.\d+\.\d+")
        plugins = json.loads(self.program(self.unpacked, "plugin", "list", "--json"))
        self.assertEqual([(plugin["name"], plugin["status"]) for plugin in plugins], [("grab", "bundled")])
        connections = json.loads(self.program(self.unpacked, "--profile", "sandbox", "connections", "list", "--json"))
        self.assertTrue(connections)

    def test_man_finds_its_pages(self):
        require("man")
        # man looks for share/man beside each folder of PATH.
        path = os.path.join(self.unpacked, "bin") + ":" + self.environment["PATH"]
        found = self.run_command("man", "--where", "ifttt", env=self.environment | {"PATH": path})
        self.assertIn(os.path.join(self.unpacked, "share/man/man1/ifttt.1"), found)

    def checkout(self):
        """A clone with the files of the working tree, whose changes may not be committed yet."""
        copy = os.path.join(self.folder(), "checkout")
        self.run_command("git", "clone", "--quiet", "--no-local", "--depth=1", f"file://{ROOT}", copy)
        for name in ["packaging", "script", "README.md", "LICENSE", "CHANGELOG.md", "Package.resolved"]:
            source, target = os.path.join(ROOT, name), os.path.join(copy, name)
            if os.path.isdir(source):
                shutil.copytree(source, target, dirs_exist_ok=True)
            else:
                shutil.copy(source, target)
        return copy

    def test_is_the_same_at_another_time_and_in_another_folder(self):
        copy = self.checkout()
        shutil.copytree(STAGE, os.path.join(copy, ".build/stage"))
        shutil.copytree(SYMBOLS, os.path.join(copy, ".build/symbols"))
        for above, _, files in os.walk(os.path.join(copy, ".build")):
            for name in files:
                os.utime(os.path.join(above, name), (1, 1))
        with open(package("ifttt-*.spdx.json")) as file:
            created = datetime.datetime.fromisoformat(json.load(file)["creationInfo"]["created"].replace("Z", "+00:00"))
        output = os.path.join(self.folder(), "packages")
        self.run_command(
            os.path.join(copy, "script/package"), "tar", "--no-build", "--output", output,
            preexec_fn=lambda: os.umask(0o077),
            env=self.environment | {"SOURCE_DATE_EPOCH": f"{created.timestamp():.0f}", "TZ": "Asia/Kolkata", "LC_ALL": "C.UTF-8"})
        names = sorted(os.listdir(output))
        made = [package(pattern) for pattern in [ARCHIVE, SYMBOLS_ARCHIVE, "ifttt-*.spdx.json"]]
        self.assertEqual(names, sorted(["SHA256SUMS", *map(os.path.basename, made)]))
        for name in set(names) - {"SHA256SUMS"}:
            with open(os.path.join(output, name), "rb") as one, open(os.path.join(PACKAGES, name), "rb") as two:
                self.assertTrue(one.read() == two.read(), f"{name} differs")

    def test_verify_finds_a_build_that_depends_on_its_folder(self):
        copy = self.checkout()
        # A build of two folders would take too long. This one takes the staged files.
        with open(os.path.join(copy, "script/build"), "w") as file:
            file.write('#!/bin/sh\nset -eu\ncd "$(dirname "$0")/.."\nmkdir -p .build\ncp -R "$STAGED" .build/stage\n'
                       'cp -R "$SYMBOLS" .build/symbols\n'
                       'if [ -n "${ADDED-}" ]; then echo "$PWD" >>.build/stage/share/man/man1/ifttt.1; fi\n')
        command = [os.path.join(copy, "script/package"), "tar", "--verify", "--output", os.path.join(copy, "dist")]
        self.environment |= {"STAGED": STAGE, "SYMBOLS": SYMBOLS}
        self.assertIn("not committed", self.run_command(*command, env=self.environment, status=1))
        self.run_command("git", "-C", copy, "add", "--all")
        self.run_command(
            "git", "-C", copy, "-c", "user.name=Test", "-c", "user.email=test@localhost", "commit", "--quiet", "--message=Test")
        output = self.run_command(*command, env=self.environment)
        self.assertIn(os.path.basename(self.path), output)
        output = self.run_command(*command, env=self.environment | {"ADDED": "yes"}, status=1)
        self.assertIn("the two builds differ", output)

    # install.sh

    def prefix(self):
        """A folder with a store and another program's files, as ~/.local has them."""
        prefix = self.folder()
        for path in ["share/ifttt/ifttt.db", "bin/other", "share/man/man1/other.1"]:
            os.makedirs(os.path.dirname(os.path.join(prefix, path)), exist_ok=True)
            with open(os.path.join(prefix, path), "w") as file:
                file.write(path)
        return prefix

    def test_installs_and_uninstalls_without_a_trace(self):
        prefix = self.prefix()
        before = tree(prefix)
        self.assertIn("Installed ifttt ", self.install("--prefix", prefix))
        plugins = json.loads(self.program(prefix, "plugin", "list", "--json"))
        self.assertEqual([plugin["status"] for plugin in plugins], ["bundled"])
        self.assertEqual(os.listdir(os.path.join(prefix, "share/ifttt")), ["ifttt.db"])
        # The archive is no longer needed.
        shutil.rmtree(self.unpacked)
        installed = os.path.join(prefix, "lib/ifttt/install.sh")
        self.install("--uninstall", script=installed)
        self.assertEqual(tree(prefix), before)
        with open(os.path.join(prefix, "share/ifttt/ifttt.db")) as file:
            self.assertEqual(file.read(), "share/ifttt/ifttt.db")

    def test_removes_a_folder_that_it_created(self):
        above = self.folder()
        prefix = os.path.join(above, "new")
        self.install("--prefix", prefix)
        self.install("--prefix", prefix, "--uninstall")
        self.assertEqual(os.listdir(above), [])

    def test_default_folder_of_an_ordinary_user_is_local(self):
        # The same shell, with an id that answers as for an ordinary user.
        tools = self.folder()
        with open(os.path.join(tools, "id"), "w") as file:
            file.write("#!/bin/sh\necho 1000\n")
        os.chmod(os.path.join(tools, "id"), 0o755)
        self.environment["PATH"] = tools + ":" + self.environment["PATH"]
        output = self.install()
        local = os.path.join(self.home, ".local")
        self.assertTrue(os.path.isfile(os.path.join(local, "bin/ifttt")))
        self.assertFalse(os.path.exists(os.path.join(local, "share/ifttt")))
        # The advice works when pasted.
        [line] = [line for line in output.splitlines() if "export PATH=" in line]
        found = self.run_command("/bin/sh", "-c", f"{line}\ncommand -v ifttt", env=self.environment).strip()
        self.assertEqual(found, os.path.join(local, "bin/ifttt"))
        self.environment["PATH"] = os.path.join(local, "bin") + ":" + self.environment["PATH"]
        self.assertNotIn("export PATH=", self.install())

    def test_upgrade_removes_what_the_new_version_does_not_have(self):
        prefix = self.prefix()
        before = tree(prefix)
        # An older version with one more page, and a folder of its own.
        older = os.path.join(self.folder(), "older")
        shutil.copytree(self.unpacked, older)
        os.mkdir(os.path.join(older, "share/man/man9"))
        for path in ["share/man/man1/ifttt-old.1", "share/man/man9/ifttt-old.9"]:
            shutil.copy(os.path.join(older, "share/man/man1/ifttt.1"), os.path.join(older, path))
        self.install("--prefix", prefix, script=os.path.join(older, "install.sh"))
        self.assertTrue(os.path.exists(os.path.join(prefix, "share/man/man9/ifttt-old.9")))
        program = os.stat(os.path.join(prefix, "bin/ifttt")).st_ino
        self.install("--prefix", prefix)
        self.assertFalse(os.path.exists(os.path.join(prefix, "share/man/man9")))
        self.assertFalse(os.path.exists(os.path.join(prefix, "share/man/man1/ifttt-old.1")))
        # A rename, not a write into the program that may be running.
        self.assertNotEqual(os.stat(os.path.join(prefix, "bin/ifttt")).st_ino, program)
        self.install("--prefix", prefix, "--uninstall")
        self.assertEqual(tree(prefix), before)

    def test_is_safe_from_the_umask(self):
        prefix = os.path.join(self.folder(), "new")
        self.install("--prefix", prefix, preexec_fn=lambda: os.umask(0o002))
        for path in tree(prefix):
            self.assertFalse(os.lstat(os.path.join(prefix, path)).st_mode & 0o022, path)

    def test_dry_run_changes_nothing(self):
        prefix = self.prefix()
        before = tree(prefix)
        output = self.install("--prefix", prefix, "--dry-run")
        self.assertIn(f"install {prefix}/bin/ifttt", output.splitlines())
        self.assertEqual(tree(prefix), before)
        self.install("--prefix", prefix)
        installed = tree(prefix)
        output = self.install("--prefix", prefix, "--uninstall", "--dry-run")
        self.assertIn(f"remove {prefix}/bin/ifttt", output.splitlines())
        self.assertEqual(tree(prefix), installed)

    def test_changes_nothing_if_the_program_does_not_run_here(self):
        prefix = self.prefix()
        self.install("--prefix", prefix)
        before = tree(prefix)
        with open(os.path.join(self.unpacked, "bin/ifttt"), "w") as file:
            file.write("#!/bin/sh\n")
            for version in ("9.9", "9.10", "2.4"):
                file.write(f"echo 'version GLIBC_{version} not found' >&2\n")
            file.write("exit 1\n")
        output = self.install("--prefix", prefix, status=1)
        found = subprocess.run(["getconf", "GNU_LIBC_VERSION"], capture_output=True, text=True, check=True).stdout.strip()
        self.assertIn(f"the program needs glibc 9.10 or later, and this system has {found}", output)
        self.assertIn("nothing was installed", output)
        self.assertEqual(tree(prefix), before)
        self.program(prefix, "--version")
        empty = os.path.join(self.folder(), "new")
        self.install("--prefix", empty, status=1)
        self.assertFalse(os.path.exists(empty))

    def test_rejects_other_systems(self):
        machine = os.uname()
        here = f"{machine.sysname}/{machine.machine}"
        with open(os.path.join(ROOT, "packaging/release/platforms")) as file:
            systems = [line.split()[1] for line in file if not line.startswith("#")]
        prefix = os.path.join(self.folder(), "new")
        tools = self.folder()
        path = self.environment["PATH"]

        def install_on(system, is_apple_processor="0", status=1):
            for name, script in {
                "uname": "case $1 in -s) echo '{}' ;; -m) echo '{}' ;; esac".format(*system.split("/")),
                "sysctl": f"[ \"$*\" = '-n hw.optional.arm64' ] && echo {is_apple_processor}",
            }.items():
                with open(os.path.join(tools, name), "w") as file:
                    file.write(f"#!/bin/sh\n{script}\n")
                os.chmod(os.path.join(tools, name), 0o755)
            self.environment["PATH"] = f"{tools}:{path}"
            output = self.install("--prefix", prefix, status=status)
            self.assertEqual(os.path.exists(prefix), status == 0)
            return output

        for system in set(systems) - {here}:
            self.assertIn(f"this archive is for {here}, and this system is {system}; download the archive", install_on(system))
        with open(os.path.join(ROOT, "packaging/repository")) as file:
            source = f"build the program from source: https://github.com/{file.read().strip()}#install"
        for system in ["Darwin/x86_64", "Linux/armv7l", "FreeBSD/amd64"]:
            self.assertIn(f"there is no release for {system}; {source}", install_on(system))
        # A Mac with an Apple processor, in a shell for Intel.
        if here != "Darwin/arm64":
            self.assertIn("this system is Darwin/arm64;", install_on("Darwin/x86_64", is_apple_processor="1"))
        install_on(here, status=0)

    def test_an_interrupted_run_can_be_uninstalled(self):
        prefix = self.prefix()
        before = tree(prefix)
        # mv fails in the middle of the files.
        tools = self.folder()
        with open(os.path.join(tools, "mv"), "w") as file:
            file.write('#!/bin/sh\ncase "$3" in *-token-list.1) exit 1 ;; esac\nPATH=${PATH#*:} exec mv "$@"\n')
        os.chmod(os.path.join(tools, "mv"), 0o755)
        path = self.environment["PATH"]
        self.environment["PATH"] = tools + ":" + path
        self.assertIn("cannot be replaced", self.install("--prefix", prefix, status=1))
        self.environment["PATH"] = path
        self.assertNotEqual(tree(prefix), before)
        self.install("--prefix", prefix, "--uninstall")
        self.assertEqual(tree(prefix), before)

    def test_a_list_that_names_foreign_files_is_rejected(self):
        for line in ["../outside", "/etc/passwd", "share/ifttt/ifttt.db", "share/./ifttt/ifttt.db", "share/ifttt/"]:
            prefix = self.prefix()
            self.install("--prefix", prefix)
            with open(os.path.join(prefix, "lib/ifttt/installed-files"), "a") as file:
                file.write(line + "\n")
            before = tree(prefix)
            self.assertIn("nothing was changed", self.install("--prefix", prefix, "--uninstall", status=1), line)
            self.assertEqual(tree(prefix), before)

    def test_wrong_arguments(self):
        self.assertIn("unknown argument '--purge'", self.install("--purge", status=2))
        self.assertIn("requires a folder", self.install("--prefix", status=1))
        self.assertIn("requires a folder", self.install("--prefix=", status=1))
        self.assertIn("installed nothing", self.install("--prefix", self.folder(), "--uninstall", status=1))
        self.assertIn("--dry-run", self.install("--help"))
