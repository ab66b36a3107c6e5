"""Debian and Ubuntu in a folder, made with debootstrap, and commands that run in it.

A root is made once, as a tar file below .build/roots, and unpacked for each test. Commands run in namespaces of their own: their
mounts and processes end with them. Only making a root and a step that says so use the network; without it, apt installs from
the root's own copies of packages.
"""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from harness import BUILD, PackageTestCase, require

ROOTS = os.path.join(BUILD, "roots")
# What the tests use in a root, in addition to the package that they install.
TOOLS = ["man-db", "bash-completion", "zsh", "fish", "jq"]
# What the package requires, downloaded in advance. The names of the libraries changed in 2024.
DEPENDENCIES = {"old": ["ca-certificates", "libcurl4", "libssl3"], "new": ["ca-certificates", "libcurl4t64", "libssl3t64"]}


class System:
    """A release of a distribution."""

    def __init__(self, name, distribution, suite, script, dependencies):
        self.name, self.distribution, self.suite, self.script = name, distribution, suite, script
        self.dependencies = DEPENDENCIES[dependencies]

    def path(self, kind):
        return os.path.join(ROOTS, f"{self.name}-{kind}.tar")


# debootstrap of Debian 12 does not know the newer suites. Their scripts are the same.
SYSTEMS = {
    system.name: system for system in [
        System("debian12", "debian", "bookworm", "sid", "old"), System("debian13", "debian", "trixie", "sid", "new"),
        System("ubuntu22.04", "ubuntu", "jammy", "gutsy", "old"), System("ubuntu24.04", "ubuntu", "noble", "gutsy", "new"),
    ]
}


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, stdin=subprocess.DEVNULL).stdout


def mirror(distribution):
    """The mirror that apt is configured with, if this system is of the same distribution; otherwise the public one."""
    with open("/etc/os-release") as file:
        here = re.search(r'^ID="?(\w+)', file.read(), re.MULTILINE)[1]
    if here == distribution:
        with open("/etc/os-release") as file:
            suite = re.search(r'^VERSION_CODENAME="?(\w+)', file.read(), re.MULTILINE)[1]
        for line in output("apt-get", "indextargets", "--format", "$(RELEASE) $(SITE)", "Created-By: Packages").splitlines():
            release, site = line.split(" ", 1)
            if release == suite:
                return site
    return {"debian": "http://deb.debian.org/debian", "ubuntu": "http://archive.ubuntu.com/ubuntu"}[distribution]


def keyring(distribution):
    """The file with the keys that sign a distribution's packages."""
    name = f"{distribution}-archive-keyring.gpg"
    path = os.path.join("/usr/share/keyrings", name)
    if os.path.exists(path) or distribution != "ubuntu":
        return path
    # Debian 13 has a package with Ubuntu's keys, signed by Debian.
    path = os.path.join(ROOTS, name)
    if not os.path.exists(path):
        with unpacked(SYSTEMS["debian13"], "tools") as root:
            root.must("apt-get -qq install --yes --no-install-recommends ubuntu-keyring", network=True)
            shutil.copyfile(os.path.join(root.path, "usr/share/keyrings", name), path)
    return path


def require_root():
    if os.geteuid() != 0:
        raise unittest.SkipTest("needs root, to make and enter a Debian root")
    require("debootstrap", "unshare", "chroot")


class Root:
    """A folder with an unpacked system."""

    def __init__(self, path):
        self.path = path

    def run(self, script, user="0:0", environment=(), network=False, mounts=(), folder="/"):
        """Runs a bash script in the root and returns the completed process.

        mounts: pairs of a folder outside and one in the root, mounted read-only.
        """
        enter = self.enter
        arguments = [self.path]
        for outside, inside in mounts:
            enter += 'mkdir -p "$root$2"; mount --bind "$1" "$root$2"; mount -o remount,bind,ro "$root$2"; shift 2\n'
            arguments += [outside, inside]
        command = self.namespaces + ([] if network else ["--net"]) + ["bash", "-euc", enter + 'exec "$@"', "enter"]
        return subprocess.run(
            command + arguments + self.command(script, user, environment, folder),
            capture_output=True, text=True, stdin=subprocess.DEVNULL)

    namespaces = ["unshare", "--mount", "--pid", "--ipc", "--fork", "--kill-child"]
    enter = 'root=$1; mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"; shift\n'

    def command(self, script, user="0:0", environment=(), folder="/"):
        """The command that runs a bash script in the root."""
        variables = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive", "SHELL": "/bin/bash",
        } | dict(environment)
        return ["chroot", f"--userspec={user}", self.path, "/usr/bin/env", "-i", f"--chdir={folder}",
                *(f"{name}={value}" for name, value in variables.items()), "/bin/bash", "-euo", "pipefail", "-c", script]

    def start(self, script, **options):
        """Starts a bash script in the root, in namespaces with a loopback network, and returns the running process."""
        enter = self.enter + 'ip link set lo up; exec "$@"'
        started = subprocess.Popen(
            [*self.namespaces, "--net", "bash", "-euc", enter, "enter", self.path, *self.command(script, **options)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, stdin=subprocess.DEVNULL)
        return Process(self, started)

    def must(self, script, **options):
        result = self.run(script, **options)
        if result.returncode != 0:
            raise AssertionError(f"{script}\nexited with {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def files(self):
        """The paths of all files and folders, except those that every use of the system changes."""
        return set(self.must(
            "find / -xdev \\( -path /proc -o -path /dev -o -path /sys -o -path /tmp -o -path /run \\) -prune -o -print")
            .splitlines())

    def size(self):
        """The size of all files, in bytes; a file with several names counts once."""
        return int(output("du", "--summarize", "--one-file-system", "--block-size=1", self.path).split()[0])

    def keep(self, path):
        part = f"{path}.{os.getpid()}"
        output("tar", "--create", f"--file={part}", f"--directory={self.path}", "--one-file-system", ".")
        os.rename(part, path)


class Process:
    """A process that runs in a root, as process 1 of its namespaces."""

    def __init__(self, root, started):
        self.root, self.started = root, started
        # The id of the process outside of its namespaces: it is the only child of unshare.
        children = ""
        while not children and started.poll() is None:
            with open(f"/proc/{started.pid}/task/{started.pid}/children") as file:
                children = file.read()
        if not children:
            raise AssertionError(f"the process ended at once: {started.stdout.read()}")
        self.id = int(children)

    def run(self, script, **options):
        """Runs a bash script in the root, in the namespaces of the process."""
        return self.run_outside(*self.root.command(script, **options), namespaces=["--mount", "--pid", "--net", "--ipc"])

    def run_outside(self, *command, namespaces=("--net",)):
        """Runs a program of this system in the network of the process."""
        return subprocess.run(
            ["nsenter", "--target", str(self.id), *namespaces, *command],
            capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def signal(self, number):
        os.kill(self.id, number)

    def wait(self):
        """Waits for the end, and returns the exit status and the output."""
        output, _ = self.started.communicate(timeout=60)
        return self.started.returncode, output

    def end(self):
        """Ends the process if it still runs. --kill-child has no effect once a process changes its user."""
        if self.started.poll() is None:
            self.signal(signal.SIGKILL)
        self.started.communicate()


def make(system):
    """Makes both archives of a system: `minimal`, and `tools` with the tools and the downloaded dependencies."""
    address = mirror(system.distribution)
    keys = keyring(system.distribution)
    if not os.path.exists(keys):
        raise unittest.SkipTest(f"needs {keys}, to check the packages of {system.name}")
    components = "main,universe" if system.distribution == "ubuntu" else "main"
    folder = tempfile.mkdtemp(prefix=f"{system.name}-", dir=ROOTS)
    log = os.path.join(ROOTS, f"{system.name}.log")
    try:
        root = Root(os.path.join(folder, "root"))
        script = os.path.join("/usr/share/debootstrap/scripts", system.script)
        with open(log, "w") as file:
            made = subprocess.run(
                ["debootstrap", "--variant=minbase", f"--components={components}", f"--keyring={keys}",
                 system.suite, root.path, address, script],
                stdout=file, stderr=file, stdin=subprocess.DEVNULL)
        if made.returncode != 0:
            # The first root is always required. Others depend on what the mirrors serve.
            with open(log) as file:
                reason = file.read().strip().splitlines()[-1:]
            raise unittest.SkipTest(f"needs a mirror of {system.name}: {reason} ({log})")
        # The settings of this system, such as a proxy, apply in the root, too.
        settings = [
            line for line in output("apt-config", "dump").splitlines()
            if re.match(r"Acquire::([a-z]+::Proxy|Check-)", line, re.IGNORECASE)]
        with open(os.path.join(root.path, "etc/apt/apt.conf.d/90tests"), "w") as file:
            file.write("\n".join(settings) + "\n")
        # A test root need not survive a power failure.
        with open(os.path.join(root.path, "etc/dpkg/dpkg.cfg.d/tests"), "w") as file:
            file.write("force-unsafe-io\n")
        for name in ["resolv.conf", "hosts"]:
            shutil.copyfile(os.path.join("/etc", name), os.path.join(root.path, "etc", name))
        # As in the images of distributions.
        root.must("apt-get clean; rm -rf /var/lib/apt/lists/*")
        root.keep(system.path("minimal"))
        root.must(
            "apt-get -qq update; apt-get -qq install --yes --no-install-recommends " + " ".join(TOOLS) + "; apt-get clean;"
            # Not --download-only of the package itself, which need not exist yet.
            "apt-get -qq install --yes --no-install-recommends --download-only " + " ".join(system.dependencies), network=True)
        root.keep(system.path("tools"))
    finally:
        shutil.rmtree(folder)


def archive(system, kind):
    """The path of an archive of a system, which is made if there is none yet."""
    os.makedirs(ROOTS, exist_ok=True)
    if not os.path.exists(system.path("tools")):
        make(system)
    return system.path(kind)


@contextlib.contextmanager
def unpacked(system, kind):
    """A new root. Its folder is removed afterward."""
    path = archive(system, kind)
    folder = tempfile.mkdtemp(prefix="test-", dir=ROOTS)
    try:
        root = Root(os.path.join(folder, "root"))
        os.mkdir(root.path)
        output("tar", "--extract", f"--file={path}", f"--directory={root.path}")
        yield root
    finally:
        # Much faster than shutil.rmtree.
        output("rm", "-rf", folder)


class RootTestCase(PackageTestCase):
    """A test in a new root."""

    def unpack(self, system, kind="tools"):
        require_root()
        return self.enterContext(unpacked(SYSTEMS[system], kind))
