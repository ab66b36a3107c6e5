"""The RPM package: its bytes and facts, and its installation, use, upgrade and removal in a Debian root.

Debian's rpm and dnf install it. Their database in a new root is empty, so a package made here stands for the libraries of the
root, and provides what rpm finds in them: the requirements of the package are checked as a distribution with RPM would.
"""
import glob
import hashlib
import json
import os
import re
import shutil

from harness import ENVIRONMENT, PACKAGES, ROOT, STAGE, PackageTestCase, package, require
from roots import SYSTEMS, RootTestCase

RPM_PACKAGE = f"ifttt-*.{os.uname().machine}.rpm"
MAKE = os.path.join(ROOT, "packaging/rpm/make")
# The version of the oldest supported systems: RHEL 9 and Amazon Linux 2023.
OLDEST_GLIBC = (2, 34)
SYSTEM = "debian12"
SPEC = """\
Name: {name}
Version: {version}
Release: 1
Summary: A package of a test
License: MIT
{lines}
%description
A package of a test.
%files
"""


def version(text):
    return tuple(map(int, text.split(".")))


class RPMTestCase(PackageTestCase):
    def setUp(self):
        require("rpm", "rpmbuild")
        super().setUp()
        self.path = package(RPM_PACKAGE)

    def plain_folder(self):
        """A new folder whose path has no space, which rpm does not accept."""
        return os.path.dirname(self.folder())

    def query(self, *arguments, path=None):
        return self.run_command("rpm", "--query", "--package", *arguments, path or self.path).splitlines()

    def make(self, stage, name, output, **options):
        """Makes a package of a stage as script/package does."""
        [time] = self.query("--queryformat", "%{BUILDTIME}")
        options["env"] = ENVIRONMENT | {"SOURCE_DATE_EPOCH": time} | options.get("env", {})
        self.run_command(MAKE, stage, name, output, **options)
        return output

    def small_stage(self):
        """A copy of the stage with other programs, whose compression is faster."""
        stage = os.path.join(self.folder(), "stage")
        shutil.copytree(STAGE, stage)
        for program in ["bin/ifttt", "libexec/ifttt/grab/ifttt-grab"]:
            shutil.copy("/bin/true", os.path.join(stage, program))
        return stage


class RPMTests(RPMTestCase):
    def test_is_the_same_at_another_time_and_in_another_folder(self):
        stage, folder = self.small_stage(), self.plain_folder()
        one = self.make(stage, "1.0.0", os.path.join(folder, "one.rpm"))
        for above, _, names in os.walk(stage):
            for name in names:
                os.utime(os.path.join(above, name), (1, 1))
        two = self.make(
            stage, "1.0.0", os.path.join(folder, "two.rpm"), preexec_fn=lambda: os.umask(0o077), cwd="/",
            env={"TZ": "Asia/Kolkata", "LC_ALL": "C.UTF-8", "HOME": folder, "HOSTNAME": "other", "USER": "other"})
        with open(one, "rb") as first, open(two, "rb") as second:
            self.assertTrue(first.read() == second.read(), "the packages differ")
        # The published package was made in the same way.
        facts = ["--queryformat", "%{BUILDTIME} %{BUILDHOST} %{PAYLOADCOMPRESSOR} %{PAYLOADFLAGS} [%{FILEMTIMES:day}]"]
        self.assertEqual(set(self.query(*facts)[0].split()), set(self.query(*facts, path=one)[0].split()))

    def test_names_neither_the_machine_nor_the_user(self):
        names = {os.uname().nodename, os.path.expanduser("~"), ROOT} - {"localhost", "/"}
        text = "\n".join(self.query("--info", "--dump", "--qf", "%{BUILDHOST} %{PLATFORM} %{OPTFLAGS} %{COOKIE}"))
        self.assertIn("Build Host  : localhost", text)
        self.assertEqual([name for name in names if name in text], [])

    def test_files_and_modes(self):
        found = {}
        for line in self.query("--queryformat", "[%{FILENAMES}\t%{FILEMODES:octal}\t%{FILEUSERNAME}\t%{FILEGROUPNAME}\t%{FILEDIGESTS}\n]"):
            path, mode, user, group, digest = line.split("\t")
            self.assertEqual((user, group), ("root", "root"), path)
            found[path] = (mode, digest)
        for path, (mode, _) in found.items():
            is_program = path in ("/usr/bin/ifttt", "/usr/libexec/ifttt/grab/ifttt-grab")
            self.assertIn(mode, ["100755"] if is_program else ["100644", "40755"], path)
        expected = {"/usr/share/doc/ifttt/CHANGELOG.md", "/usr/share/licenses/ifttt/copyright"}
        for above, _, names in os.walk(STAGE):
            for name in names:
                path = os.path.join("/usr", os.path.relpath(os.path.join(above, name), STAGE))
                expected.add(path + ".gz" if "/share/man/" in path else path)
                if "/share/man/" not in path:
                    with open(os.path.join(above, name), "rb") as file:
                        self.assertEqual(found[path][1], hashlib.sha256(file.read()).hexdigest(), path)
        self.assertEqual({path for path, (mode, _) in found.items() if mode.startswith("10")}, expected)
        # The folders of the package itself, which no other package removes.
        for folder in ["/usr/libexec/ifttt", "/usr/libexec/ifttt/grab", "/usr/share/doc/ifttt", "/usr/share/licenses/ifttt"]:
            self.assertIn(folder, found)
        flags = dict(reversed(line.split(" ", 1)) for line in self.query("--queryformat", "[%{FILEFLAGS:fflags} %{FILENAMES}\n]"))
        self.assertEqual(flags["/usr/share/licenses/ifttt/copyright"], "l")
        self.assertEqual(flags["/usr/share/doc/ifttt/CHANGELOG.md"], "d")

    def test_requirements(self):
        requirements = {line.split()[0] for line in self.query("--requires")}
        self.assertLessEqual({"ca-certificates", "libcurl.so.4()(64bit)", "libcrypto.so.3()(64bit)"}, requirements)
        versions = {found[1] for name in requirements if (found := re.match(r"lib[cm]\.so\.6\(GLIBC_([\d.]+)\)", name))}
        self.assertTrue(versions)
        self.assertLessEqual(max(map(version, versions)), OLDEST_GLIBC)
        # Names of Debian's packages, or libraries that are linked, would not exist elsewhere.
        form = r"(lib(c|m)\.so\.6|ld-linux-[\w-]+\.so\.\d|lib(curl\.so\.4|crypto\.so\.3))\(.*\)\(64bit\)|rtld\(GNU_HASH\)|rpmlib\(.*\)|ca-certificates"
        self.assertEqual([name for name in requirements if not re.fullmatch(form, name)], [])

    def test_digests(self):
        self.assertIn("digests OK", self.run_command("rpm", "--checksig", self.path))
        damaged = os.path.join(self.plain_folder(), "damaged.rpm")
        with open(self.path, "rb") as file:
            contents = bytearray(file.read())
        contents[len(contents) // 2] ^= 1
        with open(damaged, "wb") as file:
            file.write(contents)
        self.assertIn("DIGESTS NOT OK", self.run_command("rpm", "--checksig", damaged, status=1).upper())

    def test_rpmlint_reports_nothing_that_is_not_explained(self):
        require("rpmlint")
        self.run_command("rpmlint", "--strict", "--config", os.path.join(ROOT, "packaging/rpm/rpmlint.toml"), self.path)

    def test_prereleases_precede_their_release(self):
        folder, stage = self.plain_folder(), self.small_stage()
        versions = ["1.0.0-rc.1", "1.0.0-rc.10", "1.0.0", "1.0.1"]
        found = [self.query("--queryformat", "%{VERSION}", path=self.make(stage, each, os.path.join(folder, f"{each}.rpm")))[0]
                 for each in versions]
        self.assertEqual(found[0], "1.0.0~rc.1")
        for older, newer in zip(found, found[1:]):
            order = self.run_command("rpm", "--eval", f"%{{lua:print(rpm.vercmp('{older}', '{newer}'))}}").strip()
            self.assertEqual(order, "-1", f"{older} and {newer}")


class RPMInstallationTests(RPMTestCase, RootTestCase):
    def setUp(self):
        require("dnf")
        super().setUp()
        self.root = self.unpack(SYSTEM)
        # In a distribution with RPM, these folders belong to its own packages, and stay.
        self.root.must("useradd --create-home alice; mkdir --parents /usr/share/licenses; touch /usr/share/fish/vendor_completions.d/other")
        self.root.must("apt-get -qq install --yes --no-install-recommends " + " ".join(SYSTEMS[SYSTEM].dependencies))
        self.user = {"user": self.root.must("echo $(id -u alice):$(id -g alice)").strip(), "folder": "/home/alice",
                     "environment": {"HOME": "/home/alice"}}
        self.rpm("--initdb")

    # Debian's rpm has its database in the caller's home, also in another root.
    HOME = ENVIRONMENT | {"HOME": "/var/lib/rpm"}

    def rpm(self, *arguments, status=0):
        return self.run_command("rpm", "--root", self.root.path, *arguments, status=status, env=self.HOME)

    def dnf(self, *arguments):
        return self.run_command(
            "dnf", "--installroot", self.root.path, "--disablerepo=*", "--setopt=reposdir=/dev/null", "--setopt=plugins=0",
            "--setopt=keepcache=0", "--releasever=1", "--assumeyes", *arguments, env=self.HOME)

    def build(self, name, version, lines):
        """A package without files."""
        folder = self.plain_folder()
        spec = os.path.join(folder, "made.spec")
        with open(spec, "w") as file:
            file.write(SPEC.format(name=name, version=version, lines="\n".join(lines)))
        self.run_command("rpmbuild", "-bb", "--quiet", "--define", f"_topdir {folder}", "--define", "_rpmfilename made.rpm", spec)
        return os.path.join(folder, "RPMS/made.rpm")

    def libraries(self):
        """A package that provides what rpm finds in the root's libraries."""
        names = ["libc.so.6", "libm.so.6", "ld-linux-*.so.*", "libcurl.so.4", "libcrypto.so.3"]
        files = [os.path.realpath(path) for name in names
                 for path in glob.glob(os.path.join(self.root.path, "usr/lib/*-linux-gnu", name))]
        self.assertEqual(len(files), len(names), files)
        found = self.run_command("/usr/lib/rpm/elfdeps", "--provides", *files)
        provided = sorted(set(found.split())) + ["rtld(GNU_HASH)", "ca-certificates"]
        return self.build("libraries", "1", [f"Provides: {name}" for name in provided])

    def older(self):
        """The package with an older version, small programs and one file more."""
        stage = self.small_stage()
        with open(os.path.join(stage, "share/man/man7/ifttt-old.7"), "w") as file:
            file.write("old\n")
        return self.make(stage, "0.0.9", os.path.join(self.plain_folder(), "older.rpm"))

    def files(self):
        """The files of the root, without those of the user and of rpm and dnf themselves."""
        own = ("/home/alice/", "/var/lib/rpm", "/var/lib/dnf", "/var/cache/dnf", "/var/log", "/etc/dnf", "/usr/lib/sysimage")
        return {path for path in self.root.files() if not path.startswith(own)}

    def test_works_after_its_installation_and_leaves_nothing(self):
        output = self.rpm("--install", self.path, status=1)
        for name in ["libcurl.so.4()(64bit)", "libcrypto.so.3()(64bit)", "libc.so.6(GLIBC_2.34)(64bit)", "ca-certificates"]:
            self.assertIn(f"{name} is needed by ifttt", output)
        self.rpm("--install", self.libraries())
        before = self.files()
        self.rpm("--install", self.path)
        self.assertEqual(self.rpm("--verify", "ifttt"), "")
        expected = {path for path in self.query("--list") if path not in before}
        self.assertEqual(self.files() - before, expected)

        def run(script, **variables):
            options = self.user | {"environment": self.user["environment"] | variables}
            return self.root.must(script, **options)

        self.assertRegex(run("ifttt --version"), r"^ifttt \d+\.\d+\.\d+")
        self.assertRegex(run("man ifttt", MANPAGER="cat"), r"(?s)NAME.*ifttt .*SYNOPSIS")
        plugins = json.loads(run("ifttt plugin list --json"))
        self.assertEqual([(plugin["name"], plugin["status"]) for plugin in plugins], [("grab", "bundled")])
        self.assertIn("Kd7Rn2Qx", run("ifttt --profile sandbox connections list --json"))
        checks = {check["check"]: check["status"] for check in json.loads(run("ifttt doctor --json || [ $? = 1 ]"))}
        for name in ["libraries", "plugins", "completion", "man"]:
            self.assertEqual(checks[name], "ok", name)
        self.assertRegex(run("fish --command 'complete --do-complete \"ifttt conn\"'"), r"(?m)^connections\t")

        self.rpm("--erase", "ifttt")
        self.assertEqual(self.files() ^ before, set())

    def test_upgrade_keeps_the_store(self):
        before = self.files()
        self.dnf("install", self.libraries(), self.older())
        self.assertEqual(self.rpm("--query", "--queryformat", "%{VERSION}", "ifttt"), "0.0.9")
        # The older package has no program, so the store is the one of the staged program.
        self.root.must(
            "/run/stage/bin/ifttt profile create mine --service lampost --use; /run/stage/bin/ifttt --profile sandbox connections list",
            mounts=[(STAGE, "/run/stage")], **self.user)
        state = "cd /home/alice/.local/share/ifttt; sha256sum ifttt.db; stat --format '%a %U %n' *"
        store = self.root.must(state, **self.user)
        self.dnf("upgrade", self.path)
        self.assertEqual(self.rpm("--query", "ifttt").split("-")[0], "ifttt")
        self.assertNotEqual(self.rpm("--query", "--queryformat", "%{VERSION}", "ifttt"), "0.0.9")
        self.assertNotIn("/usr/share/man/man7/ifttt-old.7.gz", self.files())
        self.assertEqual(self.root.must(state, **self.user), store)
        profiles = json.loads(self.root.must("ifttt profile list --json", **self.user))
        self.assertIn("mine", [profile["name"] for profile in profiles])
        self.dnf("remove", "ifttt", "libraries")
        self.assertEqual(self.files() ^ before, set())
        self.assertEqual(self.root.must(state, **self.user), store)
