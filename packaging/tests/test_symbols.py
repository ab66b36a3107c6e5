"""The archive with the symbols of the programs, and the script that reads a crash with it."""
import os
import re
import signal
import stat
import subprocess
import tarfile
import unittest

from harness import ARCHIVE, ENVIRONMENT, ROOT, STAGE, SYMBOLS_ARCHIVE, PackageTestCase, package, require

PROGRAMS = ["bin/ifttt", "libexec/ifttt/grab/ifttt-grab"]


class SymbolsTests(PackageTestCase):
    def setUp(self):
        self.path = package(SYMBOLS_ARCHIVE)
        scratch = self.folder()
        with tarfile.open(self.path) as archive:
            self.entries = archive.getmembers()
            archive.extractall(scratch)
        [name] = os.listdir(scratch)
        self.unpacked = os.path.join(scratch, name)

    def file(self, program):
        """The build id of a staged program, and its symbol file."""
        require("readelf")
        notes = self.run_command("readelf", "--notes", os.path.join(STAGE, program))
        build = re.search(r"Build ID: (\w+)", notes)[1]
        return build, os.path.join(self.unpacked, ".build-id", build[:2], build[2:] + ".debug")

    def test_is_named_as_the_archive_of_the_programs(self):
        name = os.path.basename(package(ARCHIVE)).removesuffix(".tar.gz")
        self.assertEqual(os.path.basename(self.path), f"{name}-symbols.tar.gz")
        self.assertEqual(os.path.basename(self.unpacked), f"{name}-symbols")

    def test_entries_are_sorted_and_name_no_user(self):
        names = [entry.name for entry in self.entries]
        self.assertEqual(names, sorted(names))
        self.assertEqual({(entry.uid, entry.gid, entry.uname, entry.gname) for entry in self.entries}, {(0, 0, "root", "root")})
        self.assertEqual(len({entry.mtime for entry in self.entries}), 1)
        self.assertEqual({stat.S_IMODE(entry.mode) for entry in self.entries if entry.isfile()}, {0o644})

    @unittest.skipUnless(os.uname().sysname == "Linux", "macOS has dSYM folders")
    def test_has_the_symbols_of_each_program(self):
        files = set()
        for program in PROGRAMS:
            build, file = self.file(program)
            files.add(file)
            self.assertIn(build, self.run_command("readelf", "--notes", file))
            sections = self.run_command("readelf", "--wide", "--sections", file)
            for section in [".symtab", ".debug_info", ".debug_line"]:
                self.assertRegex(sections, rf"(?m)\{section} ", file)
            self.assertNotIn(".symtab", self.run_command("readelf", "--wide", "--sections", os.path.join(STAGE, program)))
        found = {os.path.join(above, name) for above, _, names in os.walk(self.unpacked) for name in names}
        self.assertEqual(found, files)

    @unittest.skipUnless(os.uname().sysname == "Linux", "macOS has dSYM folders")
    def test_no_path_of_the_build_is_contained(self):
        require("objcopy")
        for program in PROGRAMS:
            _, file = self.file(program)
            readable = os.path.join(self.folder(), "symbols")
            self.run_command("objcopy", "--decompress-debug-sections", file, readable)
            with open(readable, "rb") as contents:
                self.assertEqual(contents.read().count(ROOT.encode() + b"/"), 0, program)

    @unittest.skipUnless(os.uname().sysname == "Linux", "macOS has dSYM folders")
    def test_a_crash_can_be_read_with_it(self):
        require("nm", "addr2line")
        build, file = self.file("bin/ifttt")
        symbols = dict(reversed(line.split()[::2]) for line in self.run_command("nm", file).splitlines() if " T main" in line)
        line = f"ifttt 0.1.0 crashed: SIGSEGV, build {build}, at 0x{int(symbols['main'], 16):x}"
        stack = self.run_command(os.path.join(ROOT, "script/symbolize"), "--symbols", file, line)
        self.assertRegex(stack, r"(?m)^\w*main at .*/Sources/ifttt/main\.swift")

    @unittest.skipUnless(os.uname().sysname == "Linux", "macOS has dSYM folders")
    def test_a_crash_prints_the_whole_stack(self):
        # The tests of Tests run a program that links libgcc's shared library, and finds the tables for unwinding in another way.
        require("addr2line")
        program = subprocess.Popen(
            [os.path.join(STAGE, "bin/ifttt"), "sandbox", "start", "--port", "0"], stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT | {"IFTTT_HOME": self.folder()})
        # It waits in the C library for requests.
        program.stdout.readline()
        program.send_signal(signal.SIGABRT)
        line = program.communicate()[1]
        self.assertEqual(program.returncode, -signal.SIGABRT, line)
        _, file = self.file("bin/ifttt")
        stack = self.run_command(os.path.join(ROOT, "script/symbolize"), "--symbols", file, line)
        self.assertRegex(stack, r"Descriptors\.swift:\d+\n(.*\n)*.*Program\.swift:\d+\n(.*\n)*\w*main at .*/Sources/ifttt/main\.swift")
