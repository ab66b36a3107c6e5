"""What all tests share: a server with a signed swiftly, and a machine that uses it."""
import unittest

from machine import Machine
from server import Server
from standin import Keys, SWIFTLY_VERSION, archive

ARCHIVE = f"/swiftly/linux/swiftly-{SWIFTLY_VERSION}-x86_64.tar.gz"
KEYS = "/keys/all-keys.asc"
# The text that scripts print without Swift.
ADVICE = "https://www.swift.org/install/linux/swiftly"


class BootstrapTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.keys = Keys()
        cls.addClassCleanup(cls.keys.close)
        cls.signer = cls.keys.create("signer")
        content = archive()
        cls.files = {
            ARCHIVE: content,
            ARCHIVE + ".sig": cls.keys.sign(cls.signer, content),
            KEYS: cls.keys.public(cls.signer),
        }

    def setUp(self):
        self.server = Server(self.files)
        self.addCleanup(self.server.close)
        self.machine = self.new_machine(self.server, self.signer)

    def new_machine(self, *arguments):
        machine = Machine(*arguments)
        self.addCleanup(machine.close)
        # The archive of the tests is for this processor.
        machine.add_tool("uname", 'case "${1-}" in -m) echo x86_64 ;; *) echo Linux ;; esac\n')
        return machine

    def assert_installed(self, machine=None):
        machine = machine or self.machine
        self.assertEqual(
            machine.shell(". script/environment && command -v swift"), (0, machine.toolchain + "/usr/bin/swift\n"))
        self.assertEqual([name for name in machine.leftovers() if "share/swiftly" not in name], [])
        self.assertEqual(machine.profiles(), {"# mine\n"})

    def assert_rejected(self, result, *texts, ran=()):
        """The run failed, printed the texts and the advice, and left nothing."""
        code, output = result
        self.assertEqual(code, 1, output)
        for text in (*texts, ADVICE):
            self.assertIn(text, output)
        self.assertEqual([line for line in self.machine.runs() if not line.startswith("gpg=")], list(ran))
        self.assertEqual(self.machine.leftovers(), [])
        self.assertEqual(self.machine.profiles(), {"# mine\n"})
