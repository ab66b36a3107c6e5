"""The GitHub Action with releases on a server on this machine, which plays GitHub."""

import hashlib
import http.server
import os
import ssl
import threading

from action_case import ActionCase
from support import PLATFORMS, ROOT, VERSION


class Site(http.server.BaseHTTPRequestHandler):
    """Serves the server's `files`, a dictionary from paths to bytes or to one of the responses below."""

    def do_GET(self):
        self.server.requests.append(self.path)
        content = self.server.files.get(self.path)
        if isinstance(content, tuple):
            kind, value = content
            if kind == "redirect":
                self.send_response(302)
                self.send_header("Location", value)
                self.end_headers()
            elif kind == "truncated":
                self.send_response(200)
                self.send_header("Content-Length", str(len(value) + 1000))
                self.end_headers()
                self.wfile.write(value)
            else:
                self.send_response(value, "::add-path::/evil")
                self.end_headers()
        elif content is None:
            self.send_error(404, "##[add-path]/evil")
        else:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, *_):
        pass


class DownloadCase(ActionCase):
    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.runner.variables["GITHUB_SERVER_URL"] = f"http://127.0.0.1:{self.server.server_port}"
        self.publish()

    def serve(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
        server.files, server.requests = {}, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def path(self, name, version=VERSION):
        return f"/octo/ifttt/releases/download/v{version}/{name}"

    def publish(self, version=VERSION):
        content = self.archive.read_bytes()
        sums = f"{hashlib.sha256(b'').hexdigest()}  other.deb\n{hashlib.sha256(content).hexdigest()}  {self.archive.name}\n"
        self.server.files[self.path(self.archive.name, version)] = content
        self.server.files[self.path("SHA256SUMS", version)] = sums.encode()


class Systems(DownloadCase):
    """What uname prints, on systems with and without a release."""

    def on(self, system, machine):
        self.write("tools/uname", f"#!/bin/sh\ncase $1 in -s) echo '{system}' ;; -m) echo '{machine}' ;; *) exit 1 ;; esac\n", 0o755)
        self.runner.variables["PATH"] = f"{self.folder}/tools:{self.environment['PATH']}"

    def test_each_platform_has_its_archive(self):
        for platform, system in PLATFORMS.items():
            with self.subTest(platform=platform):
                self.on(*system.split("/"))
                self.server.requests.clear()
                self.use()
                name = f"ifttt-{VERSION}-{platform}.tar.gz"
                self.assertEqual(self.server.requests[:2], [self.path("SHA256SUMS"), self.path(name)])

    def test_other_systems_are_rejected_before_any_download(self):
        for system, machine in [("Darwin", "x86_64"), ("Linux", "armv7l"), ("FreeBSD", "amd64"), ("MINGW64_NT-10.0", "x86_64"),
                                ("", ""), (".*", ".*"), ("Linux", "x86_64 x")]:
            with self.subTest(system=system, machine=machine):
                self.on(system, machine)
                self.runner.commands.clear()
                self.assert_rejected("there is no release for ")
                self.assertIn("; build the program from source: https://github.com/octo/ifttt#install\n", self.runner.log)
                self.assertEqual(self.server.requests, [])
        self.assertIn("there is no release for Darwin/x86_64;", self.runner.log)


class Downloads(DownloadCase):
    def test_version_of_the_action(self):
        self.use_real_program()
        self.publish()
        outputs = self.use()
        self.assertIsNotNone(outputs, self.runner.log)
        self.assertEqual(outputs["version"], VERSION)
        self.assertEqual(self.server.requests, [self.path("SHA256SUMS"), self.path(self.archive.name)])
        self.assertIn("only the checksum is verified", self.runner.log)
        self.assertEqual(self.runner.commands, [])

    def test_given_version(self):
        self.assertEqual(self.use(version=f"v{VERSION}")["version"], VERSION)
        self.assert_other_version("9.9.9")

    def assert_other_version(self, version):
        self.runner.paths.clear()
        self.assert_rejected(f"cannot download SHA256SUMS of version {version} (HTTP 404, curl exit code 22)", version=version)

    def test_archive_of_another_version(self):
        name = self.archive.name.replace(VERSION, "9.9.9")
        self.server.files[self.path(name, "9.9.9")] = content = self.archive.read_bytes()
        self.server.files[self.path("SHA256SUMS", "9.9.9")] = f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
        self.assert_rejected(f"the archive has version {VERSION} instead of 9.9.9", version="9.9.9")

    def test_wrong_checksum(self):
        self.server.files[self.path(self.archive.name)] += b"x"
        self.assert_rejected("the checksum of the archive is wrong")

    def test_missing_files(self):
        for name in [self.archive.name, "SHA256SUMS"]:
            with self.subTest(name=name):
                self.publish()
                del self.server.files[self.path(name)]
                self.runner.commands.clear()
                self.assert_rejected(f"cannot download {name} of version {VERSION} (HTTP 404, curl exit code 22)")

    def test_archive_that_is_not_listed(self):
        self.server.files[self.path("SHA256SUMS")] = b"0" * 64 + b"  other.tar.gz\n::add-path::/evil  x\n"
        self.assert_rejected("SHA256SUMS does not list the archive")

    def test_truncated_files(self):
        for name in [self.archive.name, "SHA256SUMS"]:
            with self.subTest(name=name):
                self.publish()
                content = self.server.files[self.path(name)]
                self.server.files[self.path(name)] = ("truncated", content[: len(content) // 2])
                self.runner.commands.clear()
                self.assert_rejected(f"cannot download {name} of version {VERSION} (HTTP 200, curl exit code 18)")

    def test_too_large_list(self):
        self.server.files[self.path("SHA256SUMS")] = b"x" * 100_000
        self.assert_rejected("cannot download SHA256SUMS")

    def test_hostile_server(self):
        for status in [403, 410]:
            self.server.files[self.path("SHA256SUMS")] = ("status", status)
            self.runner.commands.clear()
            self.assert_rejected(f"HTTP {status}")

    def test_redirect(self):
        other = self.serve()
        other.files["/storage"] = self.server.files[self.path(self.archive.name)]
        self.server.files[self.path(self.archive.name)] = ("redirect", f"http://127.0.0.1:{other.server_port}/storage")
        self.assertEqual(self.use()["version"], VERSION)
        self.assertEqual(other.requests, ["/storage"])

    def test_redirect_in_a_circle_or_to_a_file(self):
        here = self.path("SHA256SUMS")
        for target, code in {here: 47, "file:///etc/passwd": 1, "ftp://127.0.0.1/x": 1}.items():
            with self.subTest(target=target):
                self.server.files[here] = ("redirect", target)
                self.runner.commands.clear()
                self.assert_rejected(f"curl exit code {code})")

    def test_redirect_from_https_to_http(self):
        certificate = self.folder / "certificate.pem"
        self.run_program(
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", self.folder / "tls-key.pem", "-out", certificate)
        secure = self.serve()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, self.folder / "tls-key.pem")
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        secure.files = dict(self.server.files)
        self.runner.variables |= {
            "GITHUB_SERVER_URL": f"https://localhost:{secure.server_port}", "CURL_CA_BUNDLE": str(certificate)}
        self.assertEqual(self.use()["version"], VERSION, self.runner.log)
        self.runner.paths.clear()
        path = self.path(self.archive.name)
        secure.files[path] = ("redirect", f"http://127.0.0.1:{self.server.server_port}{path}")
        self.assert_rejected("curl exit code 1)")
        self.assertEqual(self.server.requests, [])

    def test_other_servers(self):
        for url in ["http://localhost:80", "http://127.0.0.1:80@example.org", "http://github.com", "file:///etc", "",
                    "https://a b", "https://x/\n::add-path::/evil", "ftp://127.0.0.1"]:
            with self.subTest(url=url):
                self.runner.variables["GITHUB_SERVER_URL"] = url
                if not url:
                    continue
                self.runner.commands.clear()
                self.assert_rejected("GITHUB_SERVER_URL is not an https URL")


class Signatures(DownloadCase):
    def setUp(self):
        super().setUp()
        self.key = self.make_key("key")
        (self.action / "packaging/release/signers").write_text(
            '# Keys.\nrelease@ifttt namespaces="ifttt-release" ' + self.key.with_suffix(".pub").read_text())
        self.sign(self.key)

    def make_key(self, name):
        self.run_program("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / name)
        return self.folder / name

    def sign(self, key, namespace=None):
        signed = self.folder / "signed"
        signed.mkdir(exist_ok=True)
        (signed / "SHA256SUMS").write_bytes(self.server.files[self.path("SHA256SUMS")])
        if namespace:
            (signed / "SHA256SUMS.sig").unlink(missing_ok=True)
            self.run_program("ssh-keygen", "-q", "-Y", "sign", "-f", key, "-n", namespace, signed / "SHA256SUMS")
        else:
            self.run_program(ROOT / "packaging/release/sign", signed, IFTTT_RELEASE_KEY=key.read_text())
        self.server.files[self.path("SHA256SUMS.sig")] = (signed / "SHA256SUMS.sig").read_bytes()

    def test_valid_signature(self):
        self.assertEqual(self.use()["version"], VERSION, self.runner.log)
        self.assertNotIn("only the checksum", self.runner.log)

    def test_missing_signature(self):
        del self.server.files[self.path("SHA256SUMS.sig")]
        self.assert_rejected("cannot download SHA256SUMS.sig")

    def test_changed_archive_with_its_own_checksum(self):
        path = self.path(self.archive.name)
        self.server.files[path] += b"x"
        digest = hashlib.sha256(self.server.files[path]).hexdigest()
        self.server.files[self.path("SHA256SUMS")] = f"{digest}  {self.archive.name}\n".encode()
        self.assert_rejected("the signature of version")
        self.assertNotIn(path, self.server.requests)

    def test_other_key(self):
        self.sign(self.make_key("other"))
        self.assert_rejected("the signature of version")

    def test_signature_for_another_purpose(self):
        self.sign(self.key, namespace="ifttt-plugin")
        self.assert_rejected("the signature of version")


class Signing(DownloadCase):
    def test_without_a_key(self):
        (self.folder / "SHA256SUMS").write_text("")
        output = self.run_program(ROOT / "packaging/release/sign", self.folder, status=None)
        self.assertIn("IFTTT_RELEASE_KEY", output)
        kind = "OPENSSH PRIVATE KEY"
        for key in ["not a key", f"-----BEGIN {kind}-----\nAAAA\n-----END {kind}-----"]:
            output = self.run_program(ROOT / "packaging/release/sign", self.folder, status=None, IFTTT_RELEASE_KEY=key)
            self.assertFalse((self.folder / "SHA256SUMS.sig").exists())
            self.assertNotIn(key, output)
        self.assertEqual(os.listdir(self.folder / "tmp"), [])

    def test_key_with_a_passphrase(self):
        self.run_program("ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", self.folder / "locked")
        (self.folder / "SHA256SUMS").write_text("")
        self.run_program(
            ROOT / "packaging/release/sign", self.folder, status=255, IFTTT_RELEASE_KEY=(self.folder / "locked").read_text())
        self.assertFalse((self.folder / "SHA256SUMS.sig").exists())
