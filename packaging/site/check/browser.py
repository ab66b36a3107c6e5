"""Chromium without a window, controlled by the DevTools protocol over two pipes."""
import base64
import fcntl
import itertools
import json
import os
import shutil
import subprocess
import tempfile

NAMES = ("chromium", "chromium-browser", "google-chrome", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def installed():
    """The path of Chromium; None if it is not installed."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """A browser with one page. Use it in a `with` statement."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        command, self.output = os.pipe()
        self.input, response = os.pipe()
        arguments = [
            installed(), "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--hide-scrollbars",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions", "--disable-background-networking",
            f"--user-data-dir={self.folder.name}", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")

        # The browser reads commands from descriptor 3 and writes responses to 4.
        def connect():
            high = [fcntl.fcntl(each, fcntl.F_DUPFD, 10) for each in (command, response)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            arguments, preexec_fn=connect, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(command)
        os.close(response)
        self.numbers = itertools.count(1)
        self.rest = b""
        # The requests, console messages and errors of the page, in their order.
        self.requests, self.complaints = [], []
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close")
        except (BrokenPipeError, EOFError):
            pass
        self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.folder.cleanup()

    def receive(self):
        """The next message, after it was noted."""
        while b"\0" not in self.rest:
            data = os.read(self.input, 1 << 20)
            if not data:
                raise EOFError("Chromium ended")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\0")
        message = json.loads(line)
        method, content = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(content["request"]["url"])
        elif method == "Runtime.consoleAPICalled" and content["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(each.get("value", each.get("description"))) for each in content["args"]))
        elif method == "Runtime.exceptionThrown":
            details = content["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded" and content["entry"]["level"] in ("error", "warning"):
            self.complaints.append(f"{content['entry']['text']} {content['entry'].get('url', '')}")
        return message

    def call(self, method, **parameters):
        """Sends a command and returns its result."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            received = self.receive()
            if received.get("id") == number:
                if "error" in received:
                    raise RuntimeError(f"{method}: {received['error']['message']}")
                return received["result"]

    def evaluate(self, expression):
        """The value of a JavaScript expression. A promise is awaited."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", expression))
        return result["result"].get("value")

    def show(self, width, *, height=800, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}])

    def settle(self):
        """Waits until the page has drawn what it changed, such as after a new color scheme of the system."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def open(self, url):
        """Opens a page and waits until it is loaded."""
        self.requests.clear()
        self.complaints.clear()
        loader = self.call("Page.navigate", url=url).get("loaderId")
        if loader is None:
            # A fragment of the same page.
            return
        while True:
            message = self.receive()
            if message.get("method") == "Page.loadEventFired":
                return

    def save_picture(self, path, *, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
