import os
import signal
import subprocess

from case import BootstrapTest
from standin import SWIFT_VERSION, SWIFTLY_VERSION

INIT = "init --assume-yes --no-modify-profile --skip-install --quiet-shell-followup --platform debian12"


class InstallationTests(BootstrapTest):
    def test_installs_and_is_found_by_a_new_shell(self):
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertIn(f"Installed Swift {SWIFT_VERSION} in {self.machine.toolchain}", output)
        self.assertNotIn("[y/N]", output)
        self.assert_installed()
        commands = self.machine.runs()
        self.assertEqual(commands[0], INIT)
        self.assertRegex(commands[2], f"^install {SWIFT_VERSION} --assume-yes --post-install-file .*/packages$")

    def test_keeps_keyring_and_temporary_files_in_the_build_folder(self):
        self.machine.run("--yes")
        for line in self.machine.runs():
            if line.startswith("gpg="):
                self.assertIn(f"gpg={self.machine.checkout}/.build/install-swift.", line)
                self.assertIn(f" tmp={self.machine.checkout}/.build/install-swift.", line)

    def test_second_run_installs_nothing(self):
        self.machine.run("--yes")
        commands = self.machine.runs()
        requests = len(self.server.requests)
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertNotIn("Swift was not found", output)
        self.assertEqual((self.machine.runs(), len(self.server.requests)), (commands, requests))

    def test_ci_does_not_ask(self):
        code, output = self.machine.run(extra={"CI": "true"})
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_custom_folders_of_swiftly(self):
        folders = {
            "SWIFTLY_HOME_DIR": self.machine.folder + "/a home", "SWIFTLY_BIN_DIR": self.machine.folder + "/a bin",
            "SWIFTLY_TOOLCHAINS_DIR": self.machine.folder + "/toolchains",
        }
        self.machine.environment.update(folders)
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertEqual(
            self.machine.shell(". script/environment && command -v swift"),
            (0, f"{self.machine.folder}/toolchains/{SWIFT_VERSION}/usr/bin/swift\n"))
        self.assertEqual(self.machine.leftovers(), [])

    def test_uses_the_swiftly_that_exists(self):
        self.machine.install_swiftly()
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertIn(f"with      {self.machine.swiftly_home}/bin/swiftly", output)
        self.assertEqual(self.server.requests, [])
        self.assert_installed()

    def test_swiftly_without_configuration_is_installed_again(self):
        self.machine.install_swiftly()
        os.unlink(self.machine.swiftly_home + "/config.json")
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.machine.runs()[0], INIT)
        self.assert_installed()

    def test_broken_swiftly_is_installed_again(self):
        self.machine.install_swiftly()
        self.machine.write(self.machine.swiftly_home + "/bin/swiftly", "#!/usr/bin/env bash\nexit 1\n", 0o755)
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_recorded_toolchain_without_files_is_installed_again(self):
        self.machine.run("--yes")
        os.unlink(self.machine.toolchain + "/usr/bin/swift")
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertIn(f"uninstall {SWIFT_VERSION} --assume-yes", self.machine.runs())
        self.assert_installed()

    def test_unrecorded_toolchain_is_not_used(self):
        os.makedirs(self.machine.toolchain + "/usr/bin")
        self.machine.write(self.machine.toolchain + "/usr/bin/swift", "#!/usr/bin/env bash\necho Swift version 6.3.1\n", 0o755)
        code, output = self.machine.shell(". script/environment && command -v swift")
        self.assertEqual(code, 1, output)
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_old_swift_is_named_and_replaced(self):
        self.machine.add_tool("swift", 'echo "Swift version 5.10.1 (swift-5.10.1-RELEASE)"\n')
        old = f"Swift 5.10 in {self.machine.tools} is too old."
        code, output = self.machine.shell("script/build")
        self.assertEqual(code, 1)
        self.assertIn(old, output)
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertIn(old, output)
        self.assert_installed()

    def test_old_minor_version(self):
        self.machine.add_tool("swift", 'echo "Swift version 6.1.3 (swift-6.1.3-RELEASE)"\n')
        self.assert_rejected(self.machine.run(), f"Swift 6.1 in {self.machine.tools} is too old.")

    def test_recent_swift_is_kept(self):
        for version in ("6.2", "6.10.1", "7.0-dev"):
            self.machine.add_tool("swift", f'echo "swift-driver version: 1.1 Apple Swift version {version} (x)"\n')
            code, output = self.machine.run("--yes")
            self.assertEqual((code, self.server.requests), (0, []), output)

    def test_other_scripts_name_bootstrap(self):
        code, output = self.machine.shell("script/build")
        self.assertEqual(code, 1)
        self.assertIn("Swift was not found.\nSwift 6.2 or later is required.", output)
        self.assertIn("script/bootstrap --yes", output)

    def test_missing_packages_are_printed(self):
        code, output = self.machine.run("--yes", extra={"POST_INSTALL": "apt-get -y install libexample"})
        self.assertEqual(code, 0, output)
        self.assertIn("Install them as root:\napt-get -y install libexample", output)

    def test_failure_of_swiftly_leaves_nothing(self):
        result = self.machine.run("--yes", extra={"FAIL": "install"})
        commands = [line for line in self.machine.runs() if not line.startswith("gpg=")]
        self.assertEqual(len(commands), 2)
        self.assert_rejected(result, f"swiftly could not install Swift {SWIFT_VERSION}.", ran=commands)

    def test_failure_keeps_the_swiftly_that_existed(self):
        self.machine.install_swiftly()
        before = self.machine.leftovers()
        code, output = self.machine.run("--yes", extra={"FAIL": "install"})
        self.assertEqual(code, 1, output)
        self.assertLessEqual(set(before), set(self.machine.leftovers()))
        self.assertFalse(os.path.exists(self.machine.toolchain))

    def test_installed_swift_that_does_not_run(self):
        self.machine.add_tool("chmod", '[[ "$*" == *usr/bin/swift ]] && printf "exit 3\\n" >"${@: -1}"; exec /bin/chmod "$@"\n')
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 1)
        self.assertIn("but does not run.", output)

    def paused(self, *arguments):
        """Starts a run on a terminal and waits until the toolchain is half written."""
        pipe = os.path.join(self.machine.folder, "pause")
        if not os.path.exists(pipe):
            os.mkfifo(pipe)
        terminal = self.machine.on_terminal("--yes", extra={"PAUSE": pipe})
        with open(pipe, encoding="utf-8") as file:
            self.assertEqual(file.readline(), "half\n")
        return terminal

    def test_ctrl_c_while_the_toolchain_is_written(self):
        terminal = self.paused()
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130, terminal.output)
        self.assertEqual(self.machine.leftovers(), [])
        self.assertEqual(self.machine.run("--yes")[0], 0)
        self.assert_installed()

    def test_ctrl_c_during_the_download(self):
        self.server.faults[f"/swiftly/linux/swiftly-{SWIFTLY_VERSION}-x86_64.tar.gz"] = ["stall"]
        terminal = self.machine.on_terminal("--yes")
        self.server.stalled.wait()
        terminal.type("\x03")
        self.assertEqual(terminal.finish(), 130, terminal.output)
        self.assertEqual((self.machine.leftovers(), self.machine.runs()), ([], []))
        self.assertEqual(self.machine.run("--yes")[0], 0)
        self.assert_installed()

    def test_run_after_a_killed_one(self):
        terminal = self.paused()
        os.killpg(terminal.process.pid, signal.SIGKILL)
        self.assertEqual(terminal.finish(), -signal.SIGKILL)
        self.assertNotEqual(self.machine.leftovers(), [])
        code, output = self.machine.shell(". script/environment && command -v swift")
        self.assertEqual(code, 1, output)
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_concurrent_run_keeps_the_folder_of_another(self):
        other = os.path.join(self.machine.checkout, ".build", f"install-swift.{os.getpid()}")
        os.makedirs(other)
        ended = subprocess.Popen(["true"])
        ended.wait()
        stale = os.path.join(self.machine.checkout, ".build", f"install-swift.{ended.pid}")
        os.makedirs(stale)
        self.assertEqual(self.machine.run("--yes")[0], 0)
        self.assertEqual((os.path.exists(other), os.path.exists(stale)), (True, False))
