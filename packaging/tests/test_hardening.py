"""How the released programs are linked, as readelf reports it."""
import os
import re
import unittest

from harness import ROOT, STAGE, PackageTestCase, require

PROGRAMS = ["bin/ifttt", "libexec/ifttt/grab/ifttt-grab"]


@unittest.skipUnless(os.uname().sysname == "Linux", "Linux has ELF files")
class HardeningTests(PackageTestCase):
    def report(self, option):
        require("readelf")
        for program in PROGRAMS:
            yield program, self.run_command("readelf", "--wide", option, os.path.join(STAGE, program))

    def test_programs_are_loaded_at_a_random_address(self):
        for program, header in self.report("--file-header"):
            self.assertRegex(header, r"Type: +DYN \(Position-Independent Executable", program)

    def test_function_tables_are_read_only(self):
        for program, dynamic in self.report("--dynamic"):
            self.assertIn("BIND_NOW", dynamic, program)
        for program, segments in self.report("--segments"):
            self.assertIn("GNU_RELRO", segments, program)

    def test_no_memory_is_writable_and_executable(self):
        for program, segments in self.report("--segments"):
            flags = re.findall(r"^ +(?:LOAD|GNU_STACK) +(?:0x\w+ +){5}([RWE ]{3})", segments, re.MULTILINE)
            self.assertGreater(len(flags), 3, program)
            self.assertEqual([one for one in flags if "W" in one and "E" in one], [], program)

    def test_no_path_of_the_build_is_contained(self):
        for program in PROGRAMS:
            with open(os.path.join(STAGE, program), "rb") as file:
                contents = file.read()
            paths = set(re.findall(rb"/[\w./+-]*/checkouts/[\w./+-]*", contents))
            paths = {path for path in paths if not path.startswith(b"/.build/checkouts/")}
            self.assertEqual(paths, set(), program)
            self.assertEqual(contents.count(ROOT.encode() + b"/"), 0, program)

    def test_nothing_depends_on_the_folder_of_the_build(self):
        for program, sections in self.report("--sections"):
            self.assertNotIn(".swift_modhash", sections, program)
