"""The container file: its steps, executed in a Debian root, and the program as the user that it names."""
import json
import os
import signal
import sys
import time

import containerfile
from harness import PACKAGES, ROOT, require
from roots import RootTestCase

# Sends a request and prints its status and body: METHOD, path and Host.
REQUEST = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", 8080, timeout=20)
connection.putrequest(sys.argv[1], sys.argv[2], skip_host=True)
connection.putheader("Host", sys.argv[3])
connection.endheaders()
response = connection.getresponse()
print(response.status, response.read().decode(), end="")
"""


def megabytes(size):
    return f"{size / 1e6:.1f} MB"


class ContainerTests(RootTestCase):
    def text(self):
        with open(os.path.join(ROOT, "packaging/container/Containerfile")) as file:
            return file.read()

    def test_image_runs_the_program_without_root(self):
        root = self.unpack("debian12", kind="minimal")
        before, packages = root.size(), self.packages(root)
        image = containerfile.execute(self.text(), root, PACKAGES)
        self.assertEqual(image.base, "debian:12-slim")
        self.assertNotEqual(image.user.split(":")[0], "0")
        self.assertEqual(image.variables["IFTTT_HOME"], "/data")
        self.assertEqual(image.volumes, ["/data"])

        self.assertRegex(containerfile.run(image, root, "--version"), r"^ifttt \d")
        plugins = json.loads(containerfile.run(image, root, "plugin", "list", "--json"))
        self.assertEqual([plugin["status"] for plugin in plugins], ["bundled"])
        self.assertTrue(json.loads(containerfile.run(image, root, "--profile", "sandbox", "connections", "list", "--json")))
        containerfile.run(image, root, "profile", "create", "mine", "--service", "lampost")
        # The store is in the volume, readable only for the user, and nothing is outside.
        owners = root.must("stat --format '%a %u %n' /data /data/*").splitlines()
        self.assertIn("700 10001 /data", owners)
        self.assertIn("600 10001 /data/ifttt.db", owners)
        self.assertEqual(root.must("find / -xdev -user 10001 ! -path '/data*' ! -path '/proc/*'"), "")

        added = self.packages(root) - packages
        self.assertLessEqual({"ifttt", "libcurl4", "ca-certificates"}, added)
        # What the program does not need: a shell's tools, a compiler, an editor.
        self.assertFalse(added & {"curl", "gcc", "perl", "python3", "vim-tiny"})
        after = root.size()
        print(f"\nContainer: {megabytes(after)}, of which {megabytes(before)} are the base and {megabytes(after - before)} "
              f"were added: {', '.join(sorted(added))}")

    def test_default_command_serves_the_sandbox(self):
        require("ip", "nsenter")
        root = self.unpack("debian12", kind="minimal")
        image = containerfile.execute(self.text(), root, PACKAGES)
        self.assertEqual(image.ports, [8080])
        server = containerfile.start(image, root)
        self.addCleanup(server.end)
        self.wait_until_healthy(image, server)
        self.assertEqual(self.request(server, "GET", "/.sandbox/health", "any.test"), '200 {"status":"ok"}')
        self.assertEqual(self.request(server, "GET", "/v2/me", "any.test")[:3], "421")
        self.assertEqual(self.request(server, "GET", "/v2/me", "localhost:49152")[:3], "200")
        self.assertEqual(self.request(server, "GET", "/.sandbox", "localhost")[:3], "401")
        # Process 1 ignores signals that it does not handle, so the default action would not end it.
        server.signal(signal.SIGTERM)
        status, output = server.wait()
        self.assertEqual(status, 0, output)
        self.assertIn('"url":"http://localhost:8080"', output)

    def test_other_containers_are_allowed_by_a_variable(self):
        require("ip", "nsenter")
        root = self.unpack("debian12", kind="minimal")
        image = containerfile.execute(self.text(), root, PACKAGES)
        server = containerfile.start(image, root, variables={"IFTTT_SANDBOX_ALLOW_HOST": "ifttt,sandbox.test"})
        self.addCleanup(server.end)
        self.wait_until_healthy(image, server)
        for host in ["ifttt:8080", "SANDBOX.test"]:
            self.assertEqual(self.request(server, "GET", "/v2/me", host)[:3], "200")
        self.assertEqual(self.request(server, "GET", "/v2/me", "sandbox")[:3], "421")

    def test_without_a_server_the_health_check_fails(self):
        require("ip", "nsenter")
        root = self.unpack("debian12", kind="minimal")
        image = containerfile.execute(self.text(), root, PACKAGES)
        other = root.start("exec sleep 60")
        self.addCleanup(other.end)
        self.assertFalse(containerfile.is_healthy(image, other))

    def wait_until_healthy(self, image, server):
        end = time.monotonic() + 60
        while not containerfile.is_healthy(image, server):
            if time.monotonic() > end or server.started.poll() is not None:
                if server.started.poll() is None:
                    server.signal(signal.SIGKILL)
                self.fail(f"the health check does not pass\n{server.wait()[1]}")
            time.sleep(0.1)

    def request(self, server, *arguments):
        sent = server.run_outside(sys.executable, "-c", REQUEST, *arguments)
        self.assertEqual(sent.returncode, 0, sent.stderr)
        return sent.stdout

    def packages(self, root):
        return set(root.must("dpkg-query --show --showformat '${Package}\\n'").split())

    def test_an_unknown_instruction_is_an_error(self):
        for line in ["ADD https://localhost/a /a", "RUN --security=insecure true", "USER root",
                     "RUN --mount=type=cache,target=/a true", "CMD ifttt sandbox start", "HEALTHCHECK --retries=1 CMD [\"a\"]", "HEALTHCHECK NONE", "EXPOSE 53/udp"]:
            with self.assertRaises((ValueError, TypeError), msg=line):
                containerfile.execute(f"FROM debian:12-slim\n{line}\n", None, PACKAGES)
