"""The image: its settings, its default command, its health check, and the program as the user that it names."""
import json
import signal
import sys
import time

import image
from harness import require
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
    @classmethod
    def setUpClass(cls):
        cls.image = cls.enterClassContext(image.built())

    def test_image_runs_the_program_without_root(self):
        base = self.unpack(image.SYSTEM, kind="minimal")
        container = self.image.container()
        settings = self.image.settings
        self.assertNotEqual(settings["User"].split(":")[0], "0")
        self.assertEqual(self.image.variables["IFTTT_HOME"], "/data")
        self.assertEqual(list(settings["Volumes"]), ["/data"])

        self.assertRegex(container.program("--version"), r"^ifttt \d")
        plugins = json.loads(container.program("plugin", "list", "--json"))
        self.assertEqual([plugin["status"] for plugin in plugins], ["bundled"])
        self.assertTrue(json.loads(container.program("--profile", "sandbox", "connections", "list", "--json")))
        container.program("profile", "create", "mine", "--service", "lampost")
        # The store is in the volume, readable only for the user, and nothing is outside.
        owners = container.must("stat --format '%a %u %n' /data /data/*").splitlines()
        self.assertIn("700 10001 /data", owners)
        self.assertIn("600 10001 /data/ifttt.db", owners)
        self.assertEqual(container.must("find / -xdev -user 10001 ! -path '/data*' ! -path '/proc/*'"), "")

        added = self.packages(container) - self.packages(base)
        self.assertLessEqual({"ifttt", "libcurl4", "ca-certificates"}, added)
        # What the program does not need: a shell's tools, a compiler, an editor.
        self.assertFalse(added & {"curl", "gcc", "perl", "python3", "vim-tiny"})
        before, after = base.size(), container.size()
        print(f"\nContainer: {megabytes(after)}, of which {megabytes(before)} are the base and {megabytes(after - before)} "
              f"were added: {', '.join(sorted(added))}")

    def test_default_command_serves_the_sandbox(self):
        self.assertEqual(list(self.image.settings["ExposedPorts"]), ["8080/tcp"])
        server = self.start(self.image.container())
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
        server = self.start(self.image.container(variables={"IFTTT_SANDBOX_ALLOW_HOST": "ifttt,sandbox.test"}))
        for host in ["ifttt:8080", "SANDBOX.test"]:
            self.assertEqual(self.request(server, "GET", "/v2/me", host)[:3], "200")
        self.assertEqual(self.request(server, "GET", "/v2/me", "sandbox")[:3], "421")

    def test_without_a_server_the_health_check_fails(self):
        require("ip", "nsenter")
        container = self.image.container()
        other = container.start("exec sleep 60")
        self.addCleanup(other.end)
        self.assertFalse(container.is_healthy(other))

    def start(self, container):
        """Starts the image's command, and waits until its health check passes."""
        require("ip", "nsenter")
        server = container.start_program()
        self.addCleanup(server.end)
        end = time.monotonic() + 60
        while not container.is_healthy(server):
            if time.monotonic() > end or server.started.poll() is not None:
                if server.started.poll() is None:
                    server.signal(signal.SIGKILL)
                self.fail(f"the health check does not pass\n{server.wait()[1]}")
            time.sleep(0.1)
        return server

    def request(self, server, *arguments):
        sent = server.run_outside(sys.executable, "-c", REQUEST, *arguments)
        self.assertEqual(sent.returncode, 0, sent.stderr)
        return sent.stdout

    def packages(self, root):
        return set(root.must("dpkg-query --show --showformat '${Package}\\n'").split())
