"""The signed apt repository: installed from over HTTP in a Debian root, as docs/releasing.md says, and its key replaced once."""
import contextlib
import functools
import http.server
import os
import re
import shutil
import tempfile
import threading

from harness import ENVIRONMENT, ROOT, PackageTestCase, package, require
from roots import SYSTEMS, RootTestCase

DEBIAN_PACKAGE = "ifttt_*.deb"
KEYRING = "/usr/share/keyrings/ifttt-archive-keyring.gpg"
# apt without the other sources of the root, which need a network, and without a proxy for this machine.
ONLY = ("-qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/run/sources -o APT::Get::List-Cleanup=false "
        "-o Acquire::http::Proxy::127.0.0.1=DIRECT -o Acquire::Retries=0")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Always answers with the contents: two repositories that are made within a second have the same Last-Modified."""

    def send_head(self):
        del self.headers["If-Modified-Since"]
        return super().send_head()

    def log_message(self, *_):
        pass


class AptCase(PackageTestCase):
    def setUp(self):
        require("apt-ftparchive", "gpg", "gpgconf")
        super().setUp()
        # A short path: gpg's agent has a socket there.
        self.gpg_home = tempfile.mkdtemp(prefix="gpg-")
        self.environment = ENVIRONMENT | {"GNUPGHOME": self.gpg_home}
        self.addCleanup(shutil.rmtree, self.gpg_home)
        self.addCleanup(self.run_command, "gpgconf", "--kill", "all", env=self.environment)
        self.packages = self.folder()
        shutil.copy(package(DEBIAN_PACKAGE), self.packages)
        self.repository = os.path.join(self.packages, "apt")

    def make_key(self, name):
        before = self.keys()
        self.run_command(
            "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", f"{name} <{name}@localhost>", "ed25519", "sign",
            "never", env=self.environment)
        [key] = self.keys() - before
        return key

    def keys(self):
        listed = self.run_command("gpg", "--batch", "--list-secret-keys", "--with-colons", env=self.environment)
        return set(re.findall(r"^fpr:+(\w+):$", listed, re.MULTILINE))

    def make(self, *keys, status=0, **variables):
        options = [word for key in keys for word in ("--key", key)]
        return self.run_command(
            os.path.join(ROOT, "script/package"), "apt", "--output", self.packages, *options, status=status,
            env=self.environment | variables)

    def read(self, path):
        with open(os.path.join(self.repository, path)) as file:
            return file.read()


class AptCreationTests(AptCase):
    def test_repository(self):
        one, two = self.make_key("one"), self.make_key("two")
        sums = os.listdir(self.packages)
        self.make(one)
        self.assertEqual(sorted(os.listdir(self.packages)), sorted(["apt", *sums]))
        architecture = self.run_command("dpkg", "--print-architecture").strip()
        index = self.read(f"dists/stable/main/binary-{architecture}/Packages")
        self.assertEqual(re.findall(r"^Package: (.*)$", index, re.MULTILINE), ["ifttt-archive-keyring", "ifttt"])
        release = self.read("dists/stable/Release")
        for line in ["Suite: stable", f"Architectures: {architecture}", "Components: main", "Origin: ifttt"]:
            self.assertIn(f"\n{line}\n", f"\n{release}")
        self.assertNotIn("MD5Sum", release)
        for path in self.files():
            self.assertEqual(os.stat(path).st_mode & 0o777, 0o644, path)
            with open(path, "rb") as file:
                self.assertNotIn(b"PRIVATE KEY", file.read())
        # The keys may also come from the environment, and both sign.
        self.make(IFTTT_APT_KEYS=f"{one} {two}")
        signers = self.verify("InRelease")
        self.assertEqual(signers, {one, two})
        self.assertEqual(self.verify("Release.gpg", "Release"), signers)

    def files(self):
        return [os.path.join(above, name) for above, _, names in os.walk(self.repository) for name in names]

    def verify(self, *names):
        """The keys in the published keyring that signed a file, which are all of its signers."""
        found = self.run_command(
            "gpgv", "--status-fd", "1", "--keyring", os.path.join(self.repository, "ifttt-archive-keyring.gpg"),
            *(os.path.join(self.repository, "dists/stable", name) for name in names))
        return set(re.findall(r"VALIDSIG (\w+)", found))

    def test_lintian_reports_nothing_about_the_keyring(self):
        require("lintian")
        self.make(self.make_key("one"))
        [path] = [path for path in self.files() if "keyring_" in path]
        arguments = ["--allow-root"] if os.geteuid() == 0 else []
        self.run_command("lintian", *arguments, "--fail-on", "error,warning", path)

    def test_wrong_arguments(self):
        key = self.make_key("one")
        self.assertIn("pass --key", self.make(status=1))
        self.assertIn("is not a fingerprint", self.make(key[-16:], status=1))
        self.assertIn("has no secret key", self.make("0" * 40, status=1))
        self.make(key)
        before = self.read("dists/stable/InRelease")
        # A failure keeps the repository that exists.
        os.remove(os.path.join(self.packages, os.path.basename(package(DEBIAN_PACKAGE))))
        self.assertIn("has no Debian package", self.make(key, status=1))
        self.assertEqual(self.read("dists/stable/InRelease"), before)


class AptInstallationTests(AptCase, RootTestCase):
    def setUp(self):
        super().setUp()
        handler = functools.partial(Handler, directory=self.packages)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/apt"
        self.root = self.unpack("debian12")
        self.root.must("apt-get -qq install --yes --no-install-recommends " + " ".join(SYSTEMS["debian12"].dependencies))

    def run_in_root(self, script, status=0):
        """Runs a script in the root with a network, in which apt uses only the repository, and returns its output."""
        # The root has neither sudo nor curl. apt-helper is part of apt.
        tools = f"""
sudo() {{ "$@"; }}
apt() {{ command apt-get {ONLY} --yes "$@"; }}
curl() {{ /usr/lib/apt/apt-helper -o Acquire::http::Proxy::127.0.0.1=DIRECT download-file "${{@: -1}}" "$4" >/dev/null; }}
mkdir -p /run/sources; for file in /etc/apt/sources.list.d/*; do [ ! -e "$file" ] || cp "$file" /run/sources/; done
exec 2>&1
"""
        result = self.root.run(tools + script, network=True)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def update(self, status=0):
        output = self.run_in_root("apt update", status)
        if status == 0:
            self.assertEqual(output, "", "apt warned")
        return output

    def installed(self, name):
        return self.root.must(f"dpkg-query --show --showformat '${{Version}}' {name}")

    @contextlib.contextmanager
    def changed(self, path, change):
        """Serves changed contents of a file."""
        path = os.path.join(self.repository, path)
        with open(path, "rb") as file:
            contents = file.read()
        with open(path, "wb") as file:
            file.write(change(contents))
        yield
        with open(path, "wb") as file:
            file.write(contents)

    def test_installation_and_new_key(self):
        old = self.make_key("old")
        self.make(old)
        with open(os.path.join(ROOT, "docs/releasing.md")) as file:
            blocks = re.findall(r"^```sh\n(.*?)^```$", file.read(), re.MULTILINE | re.DOTALL)
        [block] = [block for block in blocks if "sources.list.d" in block]
        # The page's commands, with this server.
        block = block.replace("https://OWNER.github.io/apt", self.url)
        download = "".join(block.splitlines(keepends=True)[:2])
        # The tools of the test read the new source when a script begins.
        [source, others] = block.split("sudo apt update\n")
        self.run_in_root(source)
        self.run_in_root("sudo apt update\n" + others)
        self.assertRegex(self.root.must("ifttt --version"), r"^ifttt \d")
        first = self.installed("ifttt-archive-keyring")
        self.assertEqual(self.root.must("dpkg --verify ifttt ifttt-archive-keyring"), "")
        # Before the package brings the new key.
        self.root.must(f"cp {KEYRING} /var/tmp/old.gpg")

        with self.subTest("changed files are rejected"):
            index = f"dists/stable/main/binary-{self.root.must('dpkg --print-architecture').strip()}/Packages.gz"
            clean = "rm -rf /var/lib/apt/lists/127.0.0.1*; "
            with self.changed("dists/stable/InRelease", lambda text: text.replace(b"Suite: stable", b"Suite: other")):
                self.root.must(clean)
                self.assertIn("BADSIG", self.update(100))
            with self.changed(index, lambda text: text[:-8] + bytes(8)):
                self.root.must(clean)
                self.assertRegex(self.update(100), "Hash Sum mismatch|unexpected size")
            self.update()
            name = f"pool/main/i/ifttt/{os.path.basename(package(DEBIAN_PACKAGE))}"
            self.root.must("apt-get clean")
            with self.changed(name, lambda contents: contents[:-1] + bytes([contents[-1] ^ 1])):
                self.assertIn("Hash Sum mismatch", self.run_in_root("apt install --reinstall ifttt", 100))
        with self.subTest("another key is rejected"):
            self.make(self.make_key("other"))
            self.root.must(clean)
            self.assertIn("NO_PUBKEY", self.update(100))

        with self.subTest("both keys sign"):
            new = self.make_key("new")
            self.make(old, new)
            self.update()
            self.run_in_root("apt upgrade")
            self.assertNotEqual(self.installed("ifttt-archive-keyring"), first)
        with self.subTest("the new key signs"):
            self.make(new)
            self.update()
            self.run_in_root("apt install --reinstall ifttt")
            self.assertRegex(self.root.must("ifttt --version"), r"^ifttt \d")
        with self.subTest("a system that missed the time of both keys"):
            self.root.must(f"cp /var/tmp/old.gpg {KEYRING}")
            # With lists of an earlier update, apt warns, keeps them and succeeds.
            self.assertIn("NO_PUBKEY", self.run_in_root("apt update"))
            self.root.must(clean)
            self.assertIn("NO_PUBKEY", self.update(100))
            # As the page says: the file is downloaded again.
            self.run_in_root(download)
            self.update()
