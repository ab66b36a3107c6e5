from case import ADVICE, BootstrapTest
from standin import SWIFT_VERSION, SWIFTLY_VERSION


class ConfirmationTests(BootstrapTest):
    def answer(self, text):
        terminal = self.machine.on_terminal()
        terminal.read_until("[y/N] ")
        terminal.type(text)
        return terminal.finish(), terminal.output.replace("\r\n", "\n")

    def test_yes(self):
        for answer in ("y\n", "Yes\n"):
            machine = self.machine
            code, output = self.answer(answer)
            self.assertEqual(code, 0, output)
            self.assert_installed(machine)
            self.machine = self.new_machine(self.server, self.signer)

    def test_question_names_sources_sizes_and_folders(self):
        _, output = self.answer("n\n")
        self.assertIn("Swift was not found.\nSwift 6.2 or later is required.\n", output)
        self.assertIn(f"swiftly {SWIFTLY_VERSION}, the installer of swift.org, into {self.machine.swiftly_home}\n", output)
        self.assertIn("download  1 GB from https://download.swift.org, verified by its signature\n", output)
        self.assertIn(f"into      {self.machine.toolchain} (3.5 GB)\n", output)
        self.assertIn("The files of your login shell do not change.\n", output)
        self.assertIn(f"Install Swift {SWIFT_VERSION}? [y/N] ", output)

    def test_question_names_a_mirror_and_its_keys(self):
        _, output = self.answer("n\n")
        self.assertIn(f"from IFTTT_SWIFT_MIRROR, {self.server.url}, verified with the keys of", output)
        self.assertIn(self.signer, output)

    def test_question_names_no_mirror_without_one(self):
        del self.machine.environment["IFTTT_SWIFT_MIRROR"], self.machine.environment["IFTTT_SWIFT_MIRROR_KEYS"]
        _, output = self.answer("n\n")
        self.assertNotIn("MIRROR", output)

    def test_anything_else_installs_nothing(self):
        for answer in ("n\n", "\n", "yesterday\n", "\x04"):
            result = self.answer(answer)
            self.assert_rejected(result, "Swift was not installed.\nSwift was not found.\n")
            self.assertEqual(self.server.requests, [])

    def test_no_terminal(self):
        result = self.machine.run()
        self.assert_rejected(result, "Without a terminal, pass --yes.")
        self.assertNotIn("[y/N]", result[1])
        self.assertEqual(self.server.requests, [])

    def test_nothing_is_installed_before_the_answer(self):
        self.machine.add_tool("apt-get", "echo apt >>\"$RECORD\"\n")
        self.machine.add_tool("dpkg-query", "exit 1\n")
        self.assert_rejected(self.answer("n\n"), "Swift was not installed.")

    def test_unknown_argument(self):
        code, output = self.machine.run("--force")
        self.assertEqual((code, ADVICE in output), (2, False))
        self.assertIn("usage: script/bootstrap [--yes] [build|demo|test|bench]", output)
