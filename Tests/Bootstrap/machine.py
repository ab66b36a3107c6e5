"""A machine without Swift: a checkout, a home folder and a PATH in a scratch folder."""
import errno
import fcntl
import os
import pty
import shutil
import signal
import subprocess
import tempfile
import termios

from standin import HERE, ROOT, SWIFT_VERSION

TOOLS = [
    "bash", "cat", "chmod", "cp", "curl", "cut", "df", "dirname", "env", "gpg", "grep", "gzip", "id", "ln", "ls", "mkdir",
    "mv", "readlink", "rm", "sed", "tar", "tee", "uname",
]


class Machine:
    def __init__(self, server=None, keys=""):
        # The names contain spaces, as home folders may.
        self.folder = tempfile.mkdtemp(prefix="bootstrap test.")
        self.checkout = os.path.join(self.folder, "my checkout")
        self.home = os.path.join(self.folder, "my home")
        self.tools = os.path.join(self.folder, "tools")
        self.temporary = os.path.join(self.folder, "temporary")
        self.record = os.path.join(self.folder, "record")
        for folder in (os.path.join(self.checkout, "script"), self.home, self.tools, self.temporary):
            os.makedirs(folder)
        for name in ("script/environment", "script/install-swift", "script/bootstrap", "script/build", "Package.swift"):
            shutil.copy(os.path.join(ROOT, name), os.path.join(self.checkout, name))
        # The only folder outside PATH and home where the scripts look for Swift. This machine may have it.
        self.replace("script/environment", "/opt/swift/usr/bin", self.folder + "/none")
        for name in (".profile", ".bash_profile", ".bashrc", ".zshrc"):
            self.write(os.path.join(self.home, name), "# mine\n")
        for name in TOOLS:
            os.symlink(shutil.which(name), os.path.join(self.tools, name))
        self.environment = {
            "HOME": self.home, "PATH": self.tools, "TMPDIR": self.temporary, "SHELL": "/bin/bash", "LC_ALL": "C.UTF-8",
            "RECORD": self.record, "IFTTT_SWIFT_RELEASE": "bookworm",
        }
        if server:
            self.environment.update(IFTTT_SWIFT_MIRROR=server if isinstance(server, str) else server.url)
            self.environment.update(IFTTT_SWIFT_MIRROR_KEYS=keys)
        self.user = None

    def close(self):
        shutil.rmtree(self.folder)

    def replace(self, name, old, new):
        path = os.path.join(self.checkout, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        assert old in text
        self.write(path, text.replace(old, new), 0o755)

    @staticmethod
    def write(path, text, mode=0o644):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)

    def add_tool(self, name, script):
        """Replaces a program of the PATH by a shell script."""
        path = os.path.join(self.tools, name)
        if os.path.lexists(path):
            os.unlink(path)
        self.write(path, "#!/usr/bin/env bash\n" + script, 0o755)

    def remove_tool(self, name):
        os.unlink(os.path.join(self.tools, name))

    @property
    def swiftly_home(self):
        return os.path.join(self.home, ".local", "share", "swiftly")

    @property
    def toolchain(self):
        return os.path.join(self.swiftly_home, "toolchains", SWIFT_VERSION)

    def install_swiftly(self):
        """Installs the stand-in, as the user may have done."""
        program = os.path.join(self.swiftly_home, "bin", "swiftly")
        os.makedirs(os.path.dirname(program))
        shutil.copy(os.path.join(HERE, "swiftly"), program)
        self.write(os.path.join(self.swiftly_home, "config.json"), '{ "installedToolchains" : [ "5.10.1" ] }\n')

    def options(self, extra):
        options = {"cwd": "/", "env": {**self.environment, **extra}}
        if self.user is not None:
            options.update(user=self.user, group=self.user, extra_groups=[])
        return options

    def command(self, arguments):
        return [os.path.join(self.checkout, "script", "bootstrap"), *arguments]

    def run(self, *arguments, extra={}, limit=None):
        """Runs script/bootstrap without a terminal. Returns the exit code and the output."""
        result = subprocess.run(
            self.command(arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            preexec_fn=limit, check=False, **self.options(extra))
        return result.returncode, result.stdout.decode()

    def shell(self, script):
        """Runs a script in a new shell, without the variables of the test's mirror."""
        environment = {name: value for name, value in self.environment.items() if not name.startswith("IFTTT_")}
        result = subprocess.run(
            ["bash", "-c", script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=self.checkout, env=environment, check=False)
        return result.returncode, result.stdout.decode()

    def on_terminal(self, *arguments, extra={}):
        return Terminal(self.command(arguments), self.options(extra))

    def runs(self):
        """The commands of swiftly that ran."""
        if not os.path.exists(self.record):
            return []
        with open(self.record, encoding="utf-8") as file:
            return [line.strip() for line in file]

    def leftovers(self):
        """The temporary files that are left, and what of Swift is in the home folder."""
        build = os.path.join(self.checkout, ".build")
        names = os.listdir(build) if os.path.exists(build) else []
        left = [name for name in names if name.startswith("install-swift")] + os.listdir(self.temporary)
        for folder, _, files in os.walk(self.home):
            left += [os.path.relpath(os.path.join(folder, name), self.home) for name in files]
        return sorted(set(left) - {".profile", ".bash_profile", ".bashrc", ".zshrc"})

    def profiles(self):
        texts = set()
        for name in (".profile", ".bash_profile", ".bashrc", ".zshrc"):
            with open(os.path.join(self.home, name), encoding="utf-8") as file:
                texts.add(file.read())
        return texts


class Terminal:
    """A run of a command on a terminal of its own."""

    def __init__(self, command, options):
        self.master, terminal = pty.openpty()

        def control():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            # A process in the background inherits that Ctrl-C is ignored.
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        self.process = subprocess.Popen(
            command, stdin=terminal, stdout=terminal, stderr=terminal, preexec_fn=control, **options)
        os.close(terminal)
        self.output = ""

    def read_until(self, text):
        while text not in self.output:
            piece = self.read()
            if not piece:
                raise AssertionError(f"{text!r} is missing in: {self.output}")

    def read(self):
        try:
            piece = os.read(self.master, 65536).decode()
        except OSError as error:
            # Linux reports the end of a terminal in this way.
            if error.errno != errno.EIO:
                raise
            piece = ""
        self.output += piece
        return piece

    def type(self, text):
        os.write(self.master, text.encode())

    def finish(self):
        """Reads to the end and returns the exit code."""
        while self.read():
            pass
        os.close(self.master)
        return self.process.wait()
