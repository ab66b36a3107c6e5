"""The files that a stand-in for swift.org serves: an archive of swiftly, its signature and the keys."""
import io
import os
import re
import shutil
import subprocess
import tarfile
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ENVIRONMENT = open(os.path.join(ROOT, "script", "environment"), encoding="utf-8").read()
SWIFT_VERSION = re.search(r"^swift_version=(\S+)$", ENVIRONMENT, re.MULTILINE)[1]
SWIFTLY_VERSION = re.search(r"^swiftly_version=(\S+)$", ENVIRONMENT, re.MULTILINE)[1]


def archive():
    """The bytes of the archive. It has some random content, so that it can break off in the middle."""
    content = io.BytesIO()
    with open(os.path.join(HERE, "swiftly"), "rb") as file:
        program = file.read()
    with tarfile.open(fileobj=content, mode="w:gz") as tar:
        for name, data, mode in [("swiftly", program, 0o755), ("LICENSE.txt", os.urandom(300_000), 0o644)]:
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(data), mode
            tar.addfile(entry, io.BytesIO(data))
    return content.getvalue()


class Keys:
    """Throwaway keys in a keyring of their own."""

    def __init__(self):
        # The path is short, because the agent's socket is in the folder.
        self.folder = tempfile.mkdtemp(prefix="keys.")

    def close(self):
        subprocess.run(["gpgconf", "--homedir", self.folder, "--kill", "all"], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def gpg(self, *arguments, time=None, data=b""):
        command = ["gpg", "--homedir", self.folder, "--batch", "--quiet", "--passphrase", ""]
        if time:
            command += ["--faked-system-time", time + "T000000"]
        return subprocess.run(command + list(arguments), input=data, check=True, capture_output=True).stdout

    def create(self, name, expires="never", time=None):
        """Creates a key and returns its fingerprint."""
        self.gpg("--quick-generate-key", f"{name} <{name}@example.com>", "ed25519", "sign", expires, time=time)
        listing = self.gpg("--with-colons", "--list-keys", f"<{name}@example.com>").decode()
        return re.search(r"^fpr:+([0-9A-F]{40}):", listing, re.MULTILINE)[1]

    def sign(self, fingerprint, data, time=None):
        return self.gpg("--local-user", fingerprint, "--detach-sign", "--output", "-", time=time, data=data)

    def public(self, *fingerprints):
        return self.gpg("--armor", "--export", *fingerprints)

    def revoke(self, fingerprint):
        path = os.path.join(self.folder, "openpgp-revocs.d", fingerprint + ".rev")
        with open(path, "rb") as file:
            self.gpg("--import", data=file.read().replace(b":-----BEGIN", b"-----BEGIN"))
