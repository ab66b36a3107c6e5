import ctypes
import os
import resource
import socket
import subprocess

from case import ARCHIVE, KEYS, BootstrapTest
from server import Server


def file_size_limit():
    """Limits files to less than the archive. Everyone can do that; mounting a small disk needs root."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))


class DownloadTests(BootstrapTest):
    def requests(self, path):
        return [start for name, start in self.server.requests if name == path]

    def test_broken_connections_resume(self):
        for fault in ("short", "reset"):
            with self.subTest(fault):
                self.server.requests.clear()
                self.machine = self.new_machine(self.server, self.signer)
                self.server.faults[ARCHIVE] = [fault, fault]
                code, output = self.machine.run("--yes")
                self.assertEqual(code, 0, output)
                starts = self.requests(ARCHIVE)
                self.assertEqual((len(starts), starts[0], sorted(starts)), (3, 0, starts), output)
                self.assert_installed()

    def test_truncated_download_resumes_where_it_stopped(self):
        self.server.faults[ARCHIVE] = ["short"]
        self.assertEqual(self.machine.run("--yes")[0], 0)
        self.assertEqual(self.requests(ARCHIVE), [0, len(self.files[ARCHIVE]) // 2])

    def test_server_that_cannot_resume(self):
        self.server.faults[ARCHIVE] = ["short", "whole"]
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assertEqual(self.requests(ARCHIVE)[2], 0)
        self.assert_installed()

    def test_connection_that_keeps_breaking(self):
        for fault in ("short", "reset"):
            self.server.faults[ARCHIVE] = [fault] * 3
            self.assert_rejected(
                self.machine.run("--yes"), "attempt 3 of 3", f"{self.server.url}{ARCHIVE} could not be downloaded.")

    def test_missing_files(self):
        for path in (ARCHIVE, ARCHIVE + ".sig", KEYS):
            content = self.server.files.pop(path)
            self.assert_rejected(self.machine.run("--yes"), "404", f"{self.server.url}{path} could not be downloaded.")
            self.server.files[path] = content

    def test_redirect(self):
        self.server.files["/moved"] = self.files[ARCHIVE]
        self.server.faults[ARCHIVE] = [("redirect", "/moved")]
        code, output = self.machine.run("--yes")
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_endless_redirects(self):
        self.server.faults[ARCHIVE] = [("redirect", ARCHIVE)] * 100
        self.assert_rejected(self.machine.run("--yes"), "could not be downloaded.")
        self.assertEqual(len(self.requests(ARCHIVE)), 6)

    def test_redirect_from_https_to_http(self):
        certificate = os.path.join(self.machine.folder, "certificate")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", certificate + ".k", "-out", certificate],
            check=True, capture_output=True)
        with open(certificate, "a", encoding="utf-8") as file, open(certificate + ".k", encoding="utf-8") as secret:
            file.write(secret.read())
        secure = Server(self.files, certificate)
        self.addCleanup(secure.close)
        self.machine.environment.update(IFTTT_SWIFT_MIRROR=secure.url, CURL_CA_BUNDLE=certificate)
        secure.faults[ARCHIVE] = [("redirect", self.server.url + ARCHIVE)]
        self.assert_rejected(self.machine.run("--yes"), "could not be downloaded.")
        self.assertEqual(self.server.requests, [])
        # The certificate is good: without the redirect it works.
        self.assertEqual(self.machine.run("--yes")[0], 0)

    def test_no_network(self):
        with socket.socket() as reserved:
            # A port that is bound and does not listen refuses connections.
            reserved.bind(("127.0.0.1", 0))
            self.machine.environment["IFTTT_SWIFT_MIRROR"] = f"http://127.0.0.1:{reserved.getsockname()[1]}"
            self.assert_rejected(self.machine.run("--yes"), "could not be downloaded.")

    def test_too_little_space(self):
        self.machine.add_tool("df", "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/a 9 1 1048576 9% /a b'\n")
        self.assert_rejected(
            self.machine.run("--yes"), f"No space: {self.machine.home} has 1024 MB of free space, and Swift needs 4500 MB there.")
        self.assertEqual(self.server.requests, [])

    def test_disk_becomes_full(self):
        # As if something else filled the disk meanwhile.
        self.machine.add_tool("df", "echo header; echo '/dev/a 9 1 104857600 9% /'\n")
        limits = [file_size_limit]
        if self.mount_small_disk(os.path.join(self.machine.checkout, ".build")):
            limits.append(None)
        for limit in limits:
            self.assert_rejected(self.machine.run("--yes", limit=limit), "cannot be written. Is there enough space?")

    def mount_small_disk(self, folder):
        os.mkdir(folder)
        library = ctypes.CDLL(None, use_errno=True)
        if library.mount(b"tmpfs", folder.encode(), b"tmpfs", 0, b"size=128k") != 0:
            return False
        self.addCleanup(library.umount, folder.encode())
        return True

    def test_unwritable_home(self):
        if os.getuid() == 0:
            # Permissions do not apply to root.
            self.machine.user = 65534
            os.chmod(self.machine.folder, 0o755)
            for folder in (self.machine.checkout, self.machine.temporary):
                os.chown(folder, 65534, 65534)
        os.chmod(self.machine.home, 0o555)
        self.addCleanup(os.chmod, self.machine.home, 0o755)
        self.assert_rejected(self.machine.run("--yes"), f"Swift cannot be installed into {self.machine.swiftly_home}/toolchains.")
        self.assertEqual(self.server.requests, [])
