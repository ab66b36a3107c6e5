"""The image of packaging/container, which Buildah makes, and the program in a container of it."""
import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from harness import PACKAGES, ROOT, require
from roots import ROOTS, SYSTEMS, Root, archive, require_root

FILE = os.path.join(ROOT, "packaging/container/Containerfile")
# The base that the container file names, and what stands for it here, since a test reaches no registry of images.
BASE, SYSTEM = "debian:12-slim", "debian12"


class Image:
    """An image and its settings. Its files are in a folder of its own, so that no other image can be taken for it."""

    def __init__(self, folder):
        # `vfs` copies the files of each layer, and so needs nothing of the kernel.
        self.command = [
            "buildah", "--storage-driver", "vfs", "--root", os.path.join(folder, "images"),
            "--runroot", os.path.join(folder, "state")]
        base = self.buildah("from", "scratch").strip()
        self.buildah("add", "--quiet", base, archive(SYSTEMS[SYSTEM], "minimal"), "/")
        self.buildah("commit", "--quiet", base, f"docker.io/library/{BASE}")
        self.buildah(
            "build", "--isolation", "chroot", "--pull-never", "--format", "docker", "--tag", "ifttt", "--file", FILE, PACKAGES)
        self.settings = json.loads(self.buildah("inspect", "--type", "image", "ifttt"))["Docker"]["config"]
        self.variables = dict(variable.split("=", 1) for variable in self.settings["Env"])
        [kind, *self.health_check] = self.settings["Healthcheck"]["Test"]
        assert kind == "CMD", f"the health check needs a shell: {kind}"

    def buildah(self, *arguments):
        result = subprocess.run([*self.command, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if result.returncode != 0:
            raise AssertionError(f"buildah {shlex.join(arguments)}\nexited with {result.returncode}\n{result.stderr}")
        return result.stdout

    def container(self, variables=()):
        """A new container, with further variables."""
        name = self.buildah("from", "--pull-never", "ifttt").strip()
        return Container(self, self.buildah("mount", name).strip(), dict(variables))


class Container(Root):
    """The files of a container, and its program in namespaces of its own. Its only network is its loopback."""

    def __init__(self, image, path, variables):
        super().__init__(path)
        self.image = image
        # The program must not need a home.
        self.options = {
            "user": image.settings["User"], "environment": {"HOME": "/"} | image.variables | variables,
            "folder": image.settings["WorkingDir"]}

    def script(self, arguments):
        """What a container runs: arguments replace the image's command."""
        return "exec " + shlex.join([*self.image.settings["Entrypoint"], *(arguments or self.image.settings["Cmd"])])

    def program(self, *arguments):
        """Runs the image's program, and returns its output."""
        return self.must(self.script(arguments), **self.options)

    def start_program(self, *arguments):
        """Starts the image's program as process 1."""
        return self.start(self.script(arguments), **self.options)

    def is_healthy(self, process):
        """Whether the image's health check passes in the container of the process."""
        return process.run("exec " + shlex.join(self.image.health_check), **self.options).returncode == 0


@contextlib.contextmanager
def built():
    """The image, made for the tests that share it."""
    require_root()
    require("buildah")
    with open(FILE) as file:
        [base] = re.findall(r"^FROM (.*)$", file.read(), re.MULTILINE)
    assert base == BASE, f"the tests have no image for {base}"
    os.makedirs(ROOTS, exist_ok=True)
    folder = tempfile.mkdtemp(prefix="image-", dir=ROOTS)
    try:
        yield Image(folder)
    finally:
        shutil.rmtree(folder)
