"""The processor time of a TAB in a shell that runs in a terminal, with all the programs that the shell starts for it."""

import os
import pty
import select
import shutil
import subprocess
import tempfile
import time

PRESSES = 20
SHELLS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "bind 'set show-all-if-ambiguous off'; source {script}\n"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -d {folder}/dump; source {script}\n"),
    "fish": (["fish", "--no-config", "-i"], "source {script}\n"),
}


class Terminal:
    """A shell in a terminal, until the `with` statement ends."""

    def __init__(self, words, environment):
        self.words, self.environment = words, environment

    def __enter__(self):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            os.execvpe(self.words[0], self.words, self.environment)
        self.read()
        return self

    def __exit__(self, *_):
        os.close(self.descriptor)
        os.waitpid(self.pid, 0)

    def read(self, quiet=0.3):
        """What the shell writes until it has been quiet for a time. A terminal that fish asks about answers."""
        text = b""
        while select.select([self.descriptor], [], [], quiet)[0]:
            try:
                piece = os.read(self.descriptor, 1 << 16)
            except OSError:
                break
            text += piece
            if b"\x1b[c" in piece or b"\x1b[0c" in piece:
                os.write(self.descriptor, b"\x1b[?62c")
        return text

    def type(self, text):
        os.write(self.descriptor, text.encode())
        return self.read()

    def processor_time(self):
        """Of the shell and of the programs that it has waited for, in seconds."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def tab_time(program, shell, environment, typed):
    """The milliseconds of processor time of one TAB after a typed line."""
    words, setup = SHELLS[shell]
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-tab-") as folder:
        shutil.copy(program, os.path.join(folder, "ifttt"))
        script = os.path.join(folder, "script")
        with open(script, "wb") as file:
            file.write(subprocess.run([program, "completion", shell], check=True, capture_output=True).stdout)
        path = f"{folder}:{environment['PATH']}"
        with Terminal(words, {**environment, "PATH": path, "TERM": "xterm", "PS1": "$ ", "HOME": folder}) as terminal:
            terminal.type(setup.format(script=script, folder=folder))
            terminal.type(f"{typed}\t")
            before = terminal.processor_time()
            for _ in range(PRESSES):
                terminal.type("\x15")
                terminal.type(f"{typed}\t")
            return (terminal.processor_time() - before) / PRESSES * 1000


def installed_shells():
    return [shell for shell in SHELLS if shutil.which(shell)]
