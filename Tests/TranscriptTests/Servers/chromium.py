"""A headless Chromium for many visits: chromium.py PROGRAM.

Reads visits from stdin, one JSON object per line, and responds to each with a line that describes the result. A
visit has `url`, `width`, `height`, `dark` and `steps`. Each step is a list: `["click", SELECTOR]` leads to another page,
`["press", SELECTOR]` stays on the page; the others are `["fill", SELECTOR, TEXT]`, `["choose", SELECTOR, VALUE]` and
`["reload"]`. All steps except `choose` use mouse and keyboard events. The script uses the Chrome DevTools Protocol over a
pipe. If SCREENSHOTS names a folder, it saves a screenshot of each page there.
"""
import base64
import fcntl
import json
import os
import subprocess
import sys
import tempfile

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions", "--disable-auto-reload",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost", "--remote-debugging-pipe",
]
LOOK = """(() => ({
  url: location.href, title: document.title, text: document.body ? document.body.innerText : "",
  language: document.documentElement.lang, width: document.documentElement.scrollWidth,
  scripts: document.scripts.length, back: getComputedStyle(document.documentElement).backgroundColor,
  stage: document.querySelector("[aria-current=step]")?.textContent ?? ""
}))()"""
FIND = """((selector) => {
  const found = document.querySelector(selector);
  if (!found) return null;
  found.scrollIntoView({block: "center", behavior: "instant"});
  const box = found.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  return {x, y, covered: !found.contains(document.elementFromPoint(x, y))};
})(%s)"""


class Fault(Exception):
    """An error that ends the visit."""


class Browser:
    def __init__(self, program, folder):
        # Chromium reads commands from descriptor 3 and writes to 4. Pipes created here may have those numbers.
        commands, answers = os.pipe(), os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 20) for end in commands + answers]
        for end in commands + answers:
            os.close(end)
        os.dup2(high[0], 3)
        os.dup2(high[3], 4)
        words = [program, *FLAGS, "--user-data-dir=" + folder, "about:blank"]
        self.process = subprocess.Popen(
            words, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for end in (3, 4, high[0], high[3]):
            os.close(end)
        self.commands, self.answers = os.fdopen(high[1], "wb", 0), high[2]
        self.rest, self.number, self.hear = b"", 0, lambda message: None

    def message(self):
        while b"\0" not in self.rest:
            some = os.read(self.answers, 1 << 20)
            if not some:
                raise Fault("Chromium has ended")
            self.rest += some
        line, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(line)
        self.hear(message)
        return message

    def ask(self, method, session=None, **parameters):
        self.number += 1
        number, command = self.number, {"id": self.number, "method": method, "params": parameters}
        if session:
            command["sessionId"] = session
        self.commands.write(json.dumps(command).encode() + b"\0")
        while True:
            message = self.message()
            if message.get("id") == number:
                if "error" in message:
                    raise Fault(method + ": " + message["error"]["message"])
                return message["result"]


class Visit:
    def __init__(self, browser, wish):
        self.browser, self.wish = browser, wish
        self.seen = {"pages": [], "requests": [], "complaints": [], "locations": [], "fault": None}
        self.moves, self.arrived, self.status = False, False, 0
        self.context = browser.ask("Target.createBrowserContext")["browserContextId"]
        target = browser.ask("Target.createTarget", url="about:blank", browserContextId=self.context)["targetId"]
        self.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.hear = self.hear
        for domain in ("Page", "Network", "Runtime", "Log", "Audits"):
            self.ask(domain + ".enable")
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=wish["width"], height=wish["height"], deviceScaleFactor=1,
            mobile=wish["width"] < 600)
        scheme = "dark" if wish["dark"] else "light"
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def ask(self, method, **parameters):
        return self.browser.ask(method, self.session, **parameters)

    def hear(self, message):
        if message.get("sessionId") != self.session or "method" not in message:
            return
        method, facts = message["method"], message["params"]
        if method == "Page.frameStartedLoading":
            self.moves = True
        elif method == "Page.frameStoppedLoading":
            # This event also follows a failed load, such as an unregistered scheme or a refused connection.
            self.arrived, self.moves = self.arrived or self.moves, False
        elif method == "Network.loadingFailed" and facts["type"] == "Document":
            self.seen["complaints"].append("not loaded: " + facts["errorText"])
        elif method == "Network.requestWillBeSent":
            self.seen["requests"].append(facts["request"]["url"])
        elif method == "Network.responseReceived" and facts["type"] == "Document":
            self.status = facts["response"]["status"]
        elif method == "Network.responseReceivedExtraInfo":
            headers = {name.lower(): value for name, value in facts["headers"].items()}
            if "location" in headers:
                self.seen["locations"].append(headers["location"])
        elif method == "Log.entryAdded":
            self.seen["complaints"].append(facts["entry"]["text"])
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Audits.issueAdded"):
            self.seen["complaints"].append(method + " " + json.dumps(facts)[:600])

    def evaluate(self, script):
        return self.ask("Runtime.evaluate", expression=script, returnByValue=True)["result"].get("value")

    def arrive(self, method, **parameters):
        self.arrived = False
        self.ask(method, **parameters)
        while not self.arrived:
            self.browser.message()
        page = self.evaluate(LOOK)
        page["status"] = self.status
        self.seen["pages"].append(page)
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            picture = self.ask("Page.captureScreenshot", captureBeyondViewport=True)["data"]
            name = "%s-%d.png" % (self.wish["name"], len(self.seen["pages"]))
            with open(os.path.join(folder, name), "wb") as file:
                file.write(base64.b64decode(picture))

    def point(self, selector):
        place = self.evaluate(FIND % json.dumps(selector))
        if not place or place["covered"]:
            raise Fault("%s is %s on %s" % (selector, "covered" if place else "missing", self.seen["pages"][-1]["text"]))
        at = {"x": place["x"], "y": place["y"], "button": "left", "clickCount": 1}
        self.ask("Input.dispatchMouseEvent", type="mousePressed", **at)
        return at

    def step(self, kind, selector=None, text=None):
        if kind == "reload":
            self.arrive("Page.reload")
        elif kind == "click":
            at = self.point(selector)
            self.arrive("Input.dispatchMouseEvent", type="mouseReleased", **at)
        elif kind in ("press", "fill"):
            at = self.point(selector)
            self.ask("Input.dispatchMouseEvent", type="mouseReleased", **at)
            if kind == "fill":
                self.evaluate("document.activeElement.select()")
                self.ask("Input.insertText", text=text)
        elif kind == "choose":
            # The options of a select are shown in a system window, which mouse events in the page do not reach.
            script = "((list, value) => list && ((list.value = value), list.value === value))(document.querySelector(%s), %s)"
            if not self.evaluate(script % (json.dumps(selector), json.dumps(text))):
                raise Fault("%s has no %s" % (selector, text))
        else:
            raise Fault("there is no step " + kind)

    def run(self):
        try:
            self.arrive("Page.navigate", url=self.wish["url"])
            for step in self.wish["steps"]:
                self.step(*step)
        except Fault as fault:
            self.seen["fault"] = str(fault)
        self.browser.hear = lambda message: None
        self.browser.ask("Target.disposeBrowserContext", browserContextId=self.context)
        return self.seen


def main(program):
    with tempfile.TemporaryDirectory(prefix="ifttt-chromium-", ignore_cleanup_errors=True) as folder:
        browser = Browser(program, folder)
        try:
            for line in sys.stdin:
                print(json.dumps(Visit(browser, json.loads(line)).run()), flush=True)
        finally:
            # Chromium exits when its pipe closes, and only then can its folder be removed.
            browser.commands.close()
            browser.process.wait()


if __name__ == "__main__":
    main(sys.argv[1])
