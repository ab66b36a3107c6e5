"""What the tests of the packages share."""
import glob
import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, ".build")
STAGE = os.path.join(BUILD, "stage")
SYMBOLS = os.path.join(BUILD, "symbols")
# The names of the archives, for package().
ARCHIVE = f"ifttt-*-{os.uname().machine}.tar.gz"
SYMBOLS_ARCHIVE = "ifttt-*-symbols.tar.gz"
# script/test-packaging writes the packages here.
PACKAGES = os.path.join(BUILD, "packages")
# The variables of the program would change what a test sees.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("IFTTT_")}


def package(pattern):
    """The path of the only package that matches a pattern."""
    [path] = glob.glob(os.path.join(PACKAGES, pattern))
    return path


def require(*tools):
    """Skips the test if a program is missing. In CI, a skipped test counts as failed."""
    for tool in tools:
        if not shutil.which(tool):
            raise unittest.SkipTest(f"needs {tool}")


class PackageTestCase(unittest.TestCase):
    maxDiff = None

    def folder(self):
        """A new folder whose path contains a space and a quote."""
        above = tempfile.mkdtemp(prefix="ifttt-packages-")
        self.addCleanup(shutil.rmtree, above)
        path = os.path.join(above, "it's a folder")
        os.mkdir(path)
        return path

    def run_command(self, *command, status=0, **options):
        """Runs a command, requires its status, and returns its stdout; both outputs if it is expected to fail."""
        options = {"env": ENVIRONMENT, "stdin": subprocess.DEVNULL} | options
        result = subprocess.run(command, capture_output=True, text=True, **options)
        if result.returncode != status:
            self.fail(f"{command} exited with {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout + result.stderr if status else result.stdout
