"""Reads a container file and executes its steps in a root, without a container engine.

Only the instructions that occur in packaging/container/Containerfile are known. Another one is an error, so the test cannot
pass without executing it.
"""
import json
import re


class Image:
    """The settings that the instructions result in."""

    def __init__(self):
        self.base, self.variables, self.user, self.folder = None, {}, "0:0", "/"
        self.volumes, self.ports, self.entry_point, self.command, self.health_check = [], [], None, [], None


def instructions(text):
    """The instructions of a container file: pairs of a name and its arguments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [tuple(line.split(None, 1)) for line in joined.splitlines()]


def execute(text, root, context):
    """Executes the steps in a root that stands for the base image, and returns the image's settings."""
    image = Image()
    for name, argument in instructions(text):
        if image.base is None and name != "FROM":
            raise ValueError(f"{name} before FROM")
        if name == "FROM":
            if image.base:
                raise ValueError("a second FROM")
            image.base = argument
        elif name == "RUN":
            mounts, script = [], argument
            while match := re.match(r"--mount=(\S+)\s+", script):
                options = dict(part.split("=", 1) for part in match[1].split(","))
                if set(options) != {"type", "target"} or options["type"] != "bind":
                    raise ValueError(f"unknown mount: {match[1]}")
                mounts.append((context, options["target"]))
                script = script[match.end():]
            if script.startswith("--"):
                raise ValueError(f"unknown option: {script}")
            # Container engines run sh.
            root.must(
                f"exec /bin/sh -c {quote(script)}", user=image.user, environment=image.variables, folder=image.folder,
                mounts=mounts, network=True)
        elif name == "ENV":
            variable, value = re.fullmatch(r"([A-Z_]+)=([^\s\"'$]+)", argument).groups()
            image.variables[variable] = value
        elif name == "VOLUME":
            image.volumes.append(re.fullmatch(r"/[a-z/]+", argument)[0])
        elif name == "WORKDIR":
            image.folder = re.fullmatch(r"/[a-z/]+", argument)[0]
        elif name == "USER":
            image.user = re.fullmatch(r"[0-9]+:[0-9]+", argument)[0]
        elif name == "EXPOSE":
            image.ports.append(int(re.fullmatch(r"[0-9]+", argument)[0]))
        elif name == "HEALTHCHECK":
            match = re.fullmatch(r"(?:--(?:interval|timeout|start-period)=[0-9]+s )*CMD (\[.*\])", argument)
            if not match:
                raise ValueError(f"unknown health check: {argument}")
            image.health_check = words(match[1])
        elif name == "ENTRYPOINT":
            image.entry_point = words(argument)
        elif name == "CMD":
            image.command = words(argument)
        else:
            raise ValueError(f"unknown instruction: {name}")
    return image


def words(text):
    """The words of a command in its JSON form. In the other form, a shell would be process 1, and get the signals."""
    command = json.loads(text)
    if not (isinstance(command, list) and all(isinstance(word, str) for word in command)):
        raise ValueError(f"not a list of words: {text}")
    return command


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def options(image, variables=()):
    return {"user": image.user, "environment": {"HOME": "/"} | image.variables | dict(variables), "folder": image.folder}


def script(image, arguments):
    """What a container runs: arguments replace the image's command."""
    return "exec " + " ".join(map(quote, [*image.entry_point, *(arguments or image.command)]))


def run(image, root, *arguments):
    """Runs the image's program as a container would, without network, and returns its output."""
    return root.must(script(image, arguments), **options(image))


def start(image, root, *arguments, variables=()):
    """Starts the image's program as process 1 of a container, whose only network is its loopback."""
    return root.start(script(image, arguments), **options(image, variables))


def is_healthy(image, process):
    """Whether the image's health check passes in a container."""
    return process.run("exec " + " ".join(map(quote, image.health_check)), **options(image)).returncode == 0
