import os
import shutil

from case import ARCHIVE, BootstrapTest
from standin import HERE, SWIFT_VERSION, SWIFTLY_VERSION

SIGNED = """Package "swiftly.pkg":
   Status: signed by a developer certificate issued by Apple for distribution
   Certificate Chain:
    1. Developer ID Installer: Swift Open Source (V9AUD2URP3)
       Expires: 2027-01-01 00:00:00 +0000
    2. Developer ID Certification Authority
"""


class LinuxTests(BootstrapTest):
    def test_unsupported_release(self):
        self.machine.environment["IFTTT_SWIFT_RELEASE"] = "sid"
        result = self.machine.run("--yes")
        self.assert_rejected(result, "This script installs Swift on Debian 12 and 13", "This is: sid")
        self.assertNotIn("script/bootstrap --yes", result[1])

    def test_unsupported_processor(self):
        self.machine.add_tool("uname", 'case "${1-}" in -m) echo s390x ;; *) echo Linux ;; esac\n')
        self.assert_rejected(self.machine.run("--yes"), "swift.org has no Swift for Linux on s390x.")

    def test_platform_of_each_release(self):
        for release, platform in [("trixie", "debian12"), ("jammy", "ubuntu22.04"), ("noble", "ubuntu24.04")]:
            machine = self.new_machine(self.server, self.signer)
            machine.environment["IFTTT_SWIFT_RELEASE"] = release
            code, output = machine.run("--yes")
            self.assertEqual(code, 0, output)
            self.assertTrue(machine.runs()[0].endswith(f"--platform {platform}"))

    def test_arm(self):
        self.machine.add_tool("uname", 'case "${1-}" in -m) echo aarch64 ;; *) echo Linux ;; esac\n')
        for ending in ("", ".sig"):
            self.server.files[ARCHIVE.replace("x86_64", "aarch64") + ending] = self.files[ARCHIVE + ending]
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_missing_tools(self):
        for name in ("curl", "gpg", "tar", "gzip"):
            self.machine = self.new_machine(self.server, self.signer)
            self.machine.remove_tool(name)
            self.assert_rejected(self.machine.run("--yes"), f"{name} is missing.")


class PackageTests(BootstrapTest):
    """A machine with apt and without curl and gpg. apt is a stand-in that records its arguments and provides both."""

    def setUp(self):
        super().setUp()
        self.log = os.path.join(self.machine.folder, "apt")
        self.machine.environment.update(LOG=self.log, TOOLS=self.machine.tools)
        self.machine.add_tool("dpkg-query", 'case "${@: -1}" in git | gcc) echo installed ;; *) exit 1 ;; esac\n')
        self.machine.add_tool("apt-get", "exit 1\n")
        self.machine.add_tool("id", "echo 1000\n")
        links = "".join(f'ln -s "{shutil.which(name)}" "$TOOLS/{name}"\n' for name in ("curl", "gpg"))
        self.machine.add_tool(
            "sudo", 'case "$1" in tee) cat >/dev/null ;; esac\necho "$*" >>"$LOG"\n'
            f'case "$*" in *apt-get*install*) {links}[ -z "${{APT_FAILS:-}}" ] ;; esac\n')
        for name in ("curl", "gpg"):
            self.machine.remove_tool(name)

    def installed(self):
        with open(self.log, encoding="utf-8") as file:
            return [line.split() for line in file if "apt-get" in line and "install" in line]

    def test_packages_come_first(self):
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assert_installed()
        [words] = self.installed()
        for name in ("curl", "ca-certificates", "gnupg", "libstdc++-12-dev", "libpython3-dev", "libncurses-dev", "unzip"):
            self.assertIn(name, words)
        for name in ("git", "gcc", "libstdc++-13-dev"):
            self.assertNotIn(name, words)

    def test_packages_of_ubuntu(self):
        for release, names in [("jammy", ["libstdc++-11-dev", "python3-lldb-13"]), ("noble", ["libstdc++-13-dev", "libgcc-13-dev"])]:
            # The packages fail, so that Swift is still absent for the next release.
            self.machine.run("--yes", extra={"APT_FAILS": "yes", "IFTTT_SWIFT_RELEASE": release})
            self.assertLessEqual(set(names), set(self.installed()[-1]))

    def test_packages_cannot_be_installed(self):
        result = self.machine.run("--yes", extra={"APT_FAILS": "yes"})
        self.assert_rejected(result, "The packages could not be installed.")
        self.assertEqual(self.server.requests, [])

    def test_packages_of_swift_only_without_swift(self):
        self.machine.add_tool("swift", 'echo "Swift version 6.3"\n')
        code, output = self.machine.run()
        self.assertEqual(code, 0, output)
        self.assertNotIn("libpython3-dev", self.installed()[0])


class MacTests(BootstrapTest):
    """The way on macOS, with stand-ins for its programs. No Mac takes part."""

    def setUp(self):
        super().setUp()
        self.package = f"/swiftly/darwin/swiftly-{SWIFTLY_VERSION}.pkg"
        self.server.files[self.package] = b"package"
        self.machine.remove_tool("gpg")
        self.machine.add_tool("uname", 'case "${1-}" in -m) echo arm64 ;; *) echo Darwin ;; esac\n')
        self.machine.add_tool("xcode-select", "echo /Library/Developer/CommandLineTools\n")
        self.machine.add_tool("brew", "")
        self.machine.add_tool(
            "installer",
            f'echo "installer $1 ${{2##*/}} $3 $4" >>"$RECORD"\nmkdir -p "$HOME/.swiftly/bin"\n'
            f'cp "{HERE}/swiftly" "$HOME/.swiftly/bin/swiftly"\n')
        self.sign(SIGNED)

    def sign(self, report, code=0):
        self.machine.add_tool("pkgutil", f"cat <<'END'\n{report}END\nexit {code}\n")

    def test_installs(self):
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        commands = [line for line in self.machine.runs() if not line.startswith("gpg=")]
        self.assertEqual(commands[:2], [
            f"installer -pkg swiftly-{SWIFTLY_VERSION}.pkg -target CurrentUserHomeDirectory",
            "init --assume-yes --no-modify-profile --skip-install --quiet-shell-followup",
        ])
        toolchain = f"{self.machine.home}/Library/Developer/Toolchains/swift-{SWIFT_VERSION}-RELEASE.xctoolchain"
        self.assertEqual(
            self.machine.shell(". script/environment && command -v swift"), (0, toolchain + "/usr/bin/swift\n"))
        self.assertEqual(self.machine.profiles(), {"# mine\n"})
        self.assertEqual(self.machine.run()[0], 0)

    def test_signatures_that_are_not_accepted(self):
        for report, code in [
            (SIGNED, 1),
            ('Package "swiftly.pkg":\n   Status: no signature\n', 0),
            (SIGNED.replace("a developer certificate issued by Apple for distribution", "untrusted certificate"), 0),
            (SIGNED.replace("Swift Open Source (V9AUD2URP3)", "Swift Open Source (AAAAAAAAAA)"), 0),
            (SIGNED.replace("1. Developer ID Installer: Swift", "1. Developer ID Installer: X").replace(
                "2. Developer ID Certification Authority", "2. Developer ID Installer: Swift Open Source (V9AUD2URP3)"), 0),
        ]:
            self.sign(report, code)
            self.assert_rejected(self.machine.run("--yes"), "is not valid. Nothing of it was run.")

    def test_no_command_line_tools(self):
        self.machine.add_tool("xcode-select", "exit 2\n")
        self.assert_rejected(self.machine.run("--yes"), "Run: xcode-select --install")
