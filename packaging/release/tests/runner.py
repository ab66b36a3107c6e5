"""Runs steps as GitHub's runner does: expressions, files for variables and outputs, workflow commands in the log."""

import os
import pathlib
import re
import signal
import subprocess

import yaml

COMMANDS = re.compile(r"^\s*::(?P<name>[A-Za-z-]+)(?: (?P<options>[^:]*?))?::(?P<data>.*)$")
OLD_COMMANDS = re.compile(r"##\[(?P<name>[a-z-]+)[^\]]*\](?P<data>.*)")


TOKENS = re.compile(r"\s*(?:('(?:[^']|'')*')|([A-Za-z_][\w.-]*)|(==|!=|&&|\|\||[!(),]))")


def expression(text, values, status="success"):
    """Replaces each `${{ }}` by its value."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda match: str(evaluate(match[1], values, status)), text)


def evaluate(text, values, status="success"):
    """The value of an expression. An unknown name fails the test, except an output that a step did not set."""
    functions = {
        "always": lambda: True, "success": lambda: status == "success", "failure": lambda: status == "failure",
        "contains": lambda text, part: part in text}
    tokens, position = [], 0
    while text[position:].strip():
        match = TOKENS.match(text, position)
        assert match, f"cannot read the expression {text}"
        tokens.append(match)
        position = match.end()
    tokens.reverse()

    def takes(*symbols):
        return bool(tokens) and tokens[-1][3] in symbols and tokens.pop()[3]

    def value():
        if takes("!"):
            return not value()
        if takes("("):
            inner = either()
            assert takes(")"), text
            return inner
        token = tokens.pop()
        if token[1]:
            return token[1][1:-1].replace("''", "'")
        if takes("("):
            arguments = []
            while not takes(")"):
                arguments.append(either())
                takes(",")
            return functions[token[2]](*arguments)
        if re.fullmatch(r"steps\.[\w-]+\.outputs\.\w+", token[2]):
            return values.get(token[2], "")
        return values[token[2]]

    def comparison():
        left = value()
        operator = takes("==", "!=")
        return (left == value()) == (operator == "==") if operator else left

    def both():
        left = comparison()
        while takes("&&"):
            right = comparison()
            left = left and right
        return left

    def either():
        left = both()
        while takes("||"):
            right = both()
            left = left or right
        return left

    result = either()
    assert not tokens, f"cannot read the expression {text}"
    return result


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
        self.summary = ""
        self.groups = []

    def step(self, step, values):
        """Runs one step with `run`. Returns its exit status and its outputs.

        Processes that it leaves in the background run until the end of the job: `close`.
        """
        files = {name: self.folder / name for name in ["GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"]}
        for file in files.values():
            file.write_text("")
        script = self.folder / "step.sh"
        script.write_text(expression(step["run"], values))
        environment = self.variables | self.set | {name: str(file) for name, file in files.items()}
        environment |= {name: expression(text, values) for name, text in step.get("env", {}).items()}
        environment["PATH"] = ":".join([*reversed(self.paths), environment["PATH"]])
        # A pipe would stay open until the processes in the background end.
        log = self.folder / "step.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], cwd=self.workspace, env=environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            self.groups.append(process.pid)
            status = process.wait()
        text = log.read_bytes().decode()
        self.log += text
        for line in text.split("\n"):
            self.command(line)
        self.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        self.set |= assignments(files["GITHUB_ENV"].read_text())
        self.paths += files["GITHUB_PATH"].read_text().splitlines()
        return status, assignments(files["GITHUB_OUTPUT"].read_text())

    def use(self, action, inputs):
        """Runs the action in a folder, as `uses:` does. Returns its outputs; None if a step failed."""
        document = load(pathlib.Path(action) / "action.yml")
        assert set(inputs) <= set(document["inputs"]), inputs
        values = {f"inputs.{name}": inputs.get(name, facts["default"]) for name, facts in document["inputs"].items()}
        for step in document["runs"]["steps"]:
            status, outputs = self.step(step, values)
            values |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()}
            if status != 0:
                return None
        return {name: expression(facts["value"], values) for name, facts in document["outputs"].items()}

    def close(self):
        """Ends what the steps left in the background, as the runner does at the end of a job."""
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                pass

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
