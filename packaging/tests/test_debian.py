"""The Debian package: checked by lintian, and installed, used, upgraded and removed in a Debian root."""
import json
import os
import re

from harness import PACKAGES, PackageTestCase, package, require
from roots import SYSTEMS, RootTestCase

DEBIAN_PACKAGE = "ifttt_*.deb"
# The version of the oldest supported systems, RHEL 9 and Amazon Linux 2023.
OLDEST_GLIBC = (2, 34)
# Types a line into an interactive shell, presses TAB, and prints the line. In the shell, Control-G must print the line
# between < and >, so that the end of the completion is known.
TYPE = r"""
zmodload zsh/zpty
zpty shell "$1"
zpty -w shell "PS1= PS2=; stty -echo columns 200; . $2; printf '<%s>' ready"
zpty -r shell seen '*<ready>*'
zpty -w -n shell $'ifttt conn\t\C-g'
zpty -r shell seen '*<*>*'
print -r -- "$seen"
"""
BASH = r"""
. /usr/share/bash-completion/bash_completion
bind -x '"\C-g": printf "<%s>" "$READLINE_LINE"; READLINE_LINE='
"""
ZSH = r"""
autoload -Uz compinit
compinit -u -D
finish() { print -rn -- "<$BUFFER>"; BUFFER='' }
zle -N finish
bindkey '^G' finish
"""


class LintianTests(PackageTestCase):
    def test_reports_nothing_that_is_not_explained(self):
        require("lintian")
        arguments = ["--allow-root"] if os.geteuid() == 0 else []
        self.run_command("lintian", *arguments, "--fail-on", "error,warning", package(DEBIAN_PACKAGE))

    def test_every_override_has_its_reason(self):
        with open(os.path.join(os.path.dirname(__file__), "../debian/lintian-overrides")) as file:
            groups = re.findall(r"((?:#.*\n)*)((?:[^#\n].*\n)+)", file.read())
        self.assertTrue(groups)
        for reason, _ in groups:
            self.assertTrue(reason)


class LibraryTests(PackageTestCase):
    """What the package requires of the C library. It is built on a newer system than the oldest one that it supports."""

    def test_dependency(self):
        depends = self.run_command("dpkg-deb", "--field", package(DEBIAN_PACKAGE), "Depends")
        self.assertLessEqual(version(re.search(r"libc6 \(>= ([\d.]+)\)", depends)[1]), OLDEST_GLIBC, depends)

    def test_symbols(self):
        require("readelf")
        root = os.path.join(self.folder(), "root")
        self.run_command("dpkg-deb", "--extract", package(DEBIAN_PACKAGE), root)
        for program in ["usr/bin/ifttt", "usr/libexec/ifttt/grab/ifttt-grab"]:
            symbols = self.run_command("readelf", "--wide", "--dyn-syms", os.path.join(root, program))
            imported = set(re.findall(r"UND (\S+@GLIBC_([\d.]+))", symbols))
            self.assertTrue(imported, program)
            self.assertEqual([name for name, glibc in imported if version(glibc) > OLDEST_GLIBC], [], program)
            # Not the version of a symbol: the loader must know a format of relocations, since 2.36.
            needed = self.run_command("readelf", "--wide", "--version-info", os.path.join(root, program))
            self.assertNotIn("GLIBC_ABI_DT_RELR", needed, program)


def version(text):
    return tuple(map(int, text.split(".")))


class Debian(RootTestCase):
    system = None

    def install(self, root, path=None, mounts=()):
        output = root.must(
            f"apt-get -qq -o Dpkg::Use-Pty=0 install --yes --no-install-recommends {path or '/run/packages/' + DEBIAN_PACKAGE} 2>&1",
            mounts=[(PACKAGES, "/run/packages"), *mounts])
        self.assertNotIn("dpkg: warning", output)
        return output

    def test_works_after_its_installation(self):
        root = self.unpack(self.system)
        self.install(root)
        root.must("useradd --create-home alice")
        user = {"user": root.must("echo $(id -u alice):$(id -g alice)").strip(), "folder": "/home/alice"}
        home = {"HOME": "/home/alice"}

        def run(script, **variables):
            return root.must(script, environment=home | variables, **user)

        with self.subTest("version"):
            self.assertRegex(run("ifttt --version"), r"^ifttt \d+\.\d+\.\d+")
        with self.subTest("pages"):
            self.assertRegex(run("man ifttt", MANPAGER="cat"), r"(?s)NAME.*ifttt .*SYNOPSIS")
            for name in ["ifttt-connections-list", "ifttt-grab-login", "5 ifttt-plugin", "7 ifttt-sandbox"]:
                self.assertIn("NAME", run(f"man {name}", MANPAGER="cat"))
        with self.subTest("plugin"):
            plugins = json.loads(run("ifttt plugin list --json"))
            self.assertEqual([(plugin["name"], plugin["status"]) for plugin in plugins], [("grab", "bundled")])
            self.assertIn("Usage: ifttt grab login", run("ifttt grab login --help"))
        with self.subTest("pipeline"):
            identifiers = run("ifttt --profile sandbox connections list --json | jq --raw-output '.[].id'").split()
            self.assertIn("Kd7Rn2Qx", identifiers)
        for shell in ["/bin/bash", "/bin/zsh", "/usr/bin/fish"]:
            with self.subTest("doctor", shell=shell):
                # There is no network and no token, so the program reports failed checks.
                checks = json.loads(run("ifttt doctor --json || [ $? = 1 ]", SHELL=shell))
                found = {check["check"]: check for check in checks}
                for name in ["libraries", "plugins", "completion", "man"]:
                    self.assertEqual(found[name]["status"], "ok", found[name])
                # Without a server, nothing is verified with the system's certificates, but they are found. libcurl does not
                # name them before 7.84.
                certificates = ("libcurl's own trusted certificates" if self.system == "ubuntu22.04"
                                else "/etc/ssl/certs/ca-certificates.crt")
                self.assertEqual(found["certificates"]["status"], "skipped", found["certificates"])
                self.assertIn(certificates, found["certificates"]["found"])
                others = {name for name, check in found.items() if check["status"] in ("failure", "warning")}
                self.assertEqual(others, {"network", "token"})
        with self.subTest("completion of bash"):
            self.assertEqual(self.typed(run, "bash --norc -i", BASH), "ifttt connections ")
        with self.subTest("completion of zsh"):
            self.assertEqual(self.typed(run, "zsh -f -i", ZSH), "ifttt connections ")
        with self.subTest("completion of fish"):
            self.assertRegex(run("fish --command 'complete --do-complete \"ifttt conn\"'"), r"(?m)^connections\t")

    def typed(self, run, shell, setup):
        script = f"cat >setup <<'END'\n{setup}\nEND\ncat >driver <<'END'\n{TYPE}\nEND\nzsh -f driver '{shell}' ./setup"
        return re.search(r"<([^<>]*)>\s*$", run(script))[1]

    def older(self):
        """The same package with an older version and one file more, in a folder."""
        folder = self.folder()
        root = os.path.join(folder, "older")
        self.run_command("dpkg-deb", "--raw-extract", package(DEBIAN_PACKAGE), root)
        control = os.path.join(root, "DEBIAN/control")
        with open(control) as file:
            text = re.sub(r"(?m)^Version: .*$", "Version: 0.0.9-1", file.read())
        with open(control, "w") as file:
            file.write(text)
        with open(os.path.join(root, "usr/share/doc/ifttt/old"), "w") as file:
            file.write("old\n")
        self.run_command("dpkg-deb", "--root-owner-group", "-Znone", "--build", root, os.path.join(folder, "older.deb"))
        return folder

    def test_upgrade_keeps_the_store_and_purge_leaves_nothing(self):
        root = self.unpack(self.system)
        root.must("useradd --create-home alice")
        user = {"user": root.must("echo $(id -u alice):$(id -g alice)").strip(), "folder": "/home/alice",
                "environment": {"HOME": "/home/alice"}}
        dependencies = " ".join(SYSTEMS[self.system].dependencies)
        root.must(f"apt-get -qq install --yes --no-install-recommends {dependencies}")
        before = root.files()

        self.install(root, "/run/older/older.deb", mounts=[(self.older(), "/run/older")])
        self.assertEqual(root.must("dpkg-query --show --showformat '${Version}' ifttt"), "0.0.9-1")
        root.must("ifttt profile create mine --service lampost --use; ifttt --profile sandbox connections list", **user)
        store = root.must("cd /home/alice/.local/share/ifttt; sha256sum ifttt.db; stat --format '%a %U %n' *")
        self.install(root)
        self.assertNotEqual(root.must("dpkg-query --show --showformat '${Version}' ifttt"), "0.0.9-1")
        self.assertEqual(root.must("cd /home/alice/.local/share/ifttt; sha256sum ifttt.db; stat --format '%a %U %n' *"), store)
        profiles = json.loads(root.must("ifttt profile list --json", **user))
        self.assertIn("mine", [profile["name"] for profile in profiles])
        self.assertNotIn("/usr/share/doc/ifttt/old", root.files())

        root.must("apt-get -qq purge --yes ifttt")
        after = {path for path in root.files() if not path.startswith("/home/alice/")}
        self.assertEqual(after ^ {path for path in before if not path.startswith("/home/alice/")}, set())
        # The user's data is the user's.
        self.assertEqual(root.must("cd /home/alice/.local/share/ifttt; sha256sum ifttt.db; stat --format '%a %U %n' *"), store)


def load_tests(loader, tests, pattern):
    """One class of tests for each system of IFTTT_PACKAGE_SYSTEMS."""
    chosen = os.environ.get("IFTTT_PACKAGE_SYSTEMS", "debian12").split()
    suite = loader.suiteClass([loader.loadTestsFromTestCase(tests) for tests in (LintianTests, LibraryTests)])
    for system in chosen:
        name = "Tests_" + system.replace(".", "_")
        suite.addTests(loader.loadTestsFromTestCase(type(name, (Debian,), {"system": system})))
    return suite
