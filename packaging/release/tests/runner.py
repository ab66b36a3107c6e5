"""Runs steps as GitHub's runner does: expressions, files for variables and outputs, workflow commands in the log."""

import pathlib
import re
import subprocess

import yaml

COMMANDS = re.compile(r"^\s*::(?P<name>[A-Za-z-]+)(?: (?P<options>[^:]*?))?::(?P<data>.*)$")
OLD_COMMANDS = re.compile(r"##\[(?P<name>[a-z-]+)[^\]]*\](?P<data>.*)")


def expression(text, values):
    """Replaces `${{ name }}` by its value; an unknown name fails the test."""
    return re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda match: values[match[1]], text)


class Runner:
    """The state of a job: its variables, PATH, masks and errors."""

    def __init__(self, folder, variables):
        self.folder = pathlib.Path(folder)
        self.workspace = self.folder / "workspace"
        self.temporary = self.folder / "runner temp"
        for made in [self.workspace, self.temporary]:
            made.mkdir()
        self.variables = dict(variables) | {
            "RUNNER_TEMP": str(self.temporary), "GITHUB_WORKSPACE": str(self.workspace), "GITHUB_ACTIONS": "true"}
        self.set = {}
        self.paths = []
        self.masks = []
        self.commands = []
        self.log = ""

    def step(self, step, values):
        """Runs one step with `run`. Returns its exit status and its outputs."""
        files = {name: self.folder / name for name in ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"]}
        for file in files.values():
            file.write_text("")
        script = self.folder / "step.sh"
        script.write_text(expression(step["run"], values))
        environment = self.variables | self.set | {name: str(file) for name, file in files.items()}
        environment |= {name: expression(text, values) for name, text in step.get("env", {}).items()}
        environment["PATH"] = ":".join([*reversed(self.paths), environment["PATH"]])
        outcome = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=self.workspace, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.log += outcome.stdout.decode()
        for line in outcome.stdout.decode().split("\n"):
            self.command(line)
        self.set |= assignments(files["GITHUB_ENV"].read_text())
        self.paths += files["GITHUB_PATH"].read_text().splitlines()
        return outcome.returncode, assignments(files["GITHUB_OUTPUT"].read_text())

    def command(self, line):
        match = COMMANDS.match(line) or OLD_COMMANDS.search(line)
        if not match:
            return
        data = match["data"].replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")
        self.commands.append((match["name"], data))
        if match["name"] == "add-mask":
            self.masks.append(data)


def assignments(text):
    """Reads the runner's files: NAME=VALUE, or NAME<<END with lines up to END."""
    found, lines = {}, iter(text.removesuffix("\n").split("\n") if text else [])
    for line in lines:
        if "<<" in line and ("=" not in line or line.index("<<") < line.index("=")):
            name, end = line.split("<<", 1)
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            found[name] = "\n".join(value)
        else:
            name, _, value = line.partition("=")
            found[name] = value
    return found


def load(path):
    """A workflow or an action. YAML 1.1 reads the key `on` as true."""
    document = yaml.safe_load(pathlib.Path(path).read_text())
    if True in document:
        document["on"] = document.pop(True)
    return document
