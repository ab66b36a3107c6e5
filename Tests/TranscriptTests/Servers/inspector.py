"""A headless Chromium for the inspector page of a sandbox server: inspector.py PROGRAM.

Reads requests from stdin, one JSON object per line, and responds to each with a line. A request with `url`, `width`,
`height`, `dark` and `scripts` opens the URL in a new window without shared state, and closes the window before it. A
request with `close` only closes the window. Each other request can have `steps`, which are performed in the open window.
The response has `results`, one per step (null for a step without a result), `complaints` (the messages on the console, and
the browser's complaints about the page), `requests` (the URLs of all requests so far) and `fault` (the reason why a step
failed, or null).

A step is a list. TARGET is the accessible name of an element as the browser computes it, or an object with `name`, or with
`part` and `role` for the role and a part of the name, and optionally `role` and `in`, the accessible name of an element around
it. The first match counts.

    ["click", TARGET]          with the mouse; the target must not be covered
    ["fill", TARGET, TEXT]     replaces the value of a field
    ["choose", TARGET, TEXT]   selects the option with this label or value
    ["file", LABEL, PATH]      selects a file
    ["key", NAME]              presses a key, such as Tab, Shift+Tab, Enter, ArrowDown or a character
    ["reload"]
    ["show", WIDTH, HEIGHT, DARK]
    ["wait", TEXT]             until the page has this text
    ["wait-gone", TEXT]        until the page does not have it
    ["pause", SECONDS]
    ["has", TARGET]            whether the target exists
    ["value", TARGET]          the value of a field
    ["text"]                   the text of the page, or of ["text", TARGET]
    ["focus"]                  the role and the name of the element with the focus
    ["names"]                  the role and the name of each control, in the order of the page
    ["copied"]                 the text on the clipboard
    ["download", TARGET]       clicks the target, and returns the text of the file that it downloads
    ["evaluate", SCRIPT]       the value of an expression
    ["overflow"]               the elements that make the page wider than the window
    ["contrast"]               the texts whose contrast is below 4.5, with the ratio
    ["longest-task"]           the longest task of the page since the last such step, in milliseconds
    ["screenshot", NAME]       saves the window if SCREENSHOTS names a folder; ["screenshot", NAME, true] the whole page
"""
import base64
import json
import os
import sys
import tempfile
import time

from chromium import Browser, Fault, Visit

PATIENCE = 20
CONTROLS = ("button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "spinbutton")
KEYS = {"Enter": ("Enter", 13, "\r"), " ": ("Space", 32, " "), "Tab": ("Tab", 9, None), "Escape": ("Escape", 27, None),
        "ArrowUp": ("ArrowUp", 38, None), "ArrowDown": ("ArrowDown", 40, None), "Home": ("Home", 36, None), "End": ("End", 35, None)}
WATCH = """
window.longestTask = 0
new PerformanceObserver(list => {
  for (const task of list.getEntries()) window.longestTask = Math.max(window.longestTask, task.duration)
}).observe({ type: "longtask", buffered: true })
"""
OVERFLOW = r"""
(() => {
  const width = document.documentElement.clientWidth
  if (document.scrollingElement.scrollWidth <= width && innerWidth <= width + 20) return []
  const wide = [...document.body.querySelectorAll("*")].filter(each => each.getBoundingClientRect().right > width + 1)
  return [`${document.scrollingElement.scrollWidth} pixels in a window of ${width}`,
    ...wide.slice(0, 5).map(each => `${each.tagName.toLowerCase()}#${each.id}.${each.className}`)]
})()
"""
# WCAG 2.2, "contrast ratio". A text counts as small, whatever its size.
CONTRAST = r"""
(() => {
  const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true })
  const known = new Map()
  const parse = text => {
    if (!known.has(text)) {
      pen.clearRect(0, 0, 1, 1)
      pen.fillStyle = text
      pen.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data
      known.set(text, [r, g, b, a / 255])
    }
    return known.get(text)
  }
  const over = (top, below) => [0, 1, 2].map(at => top[at] * top[3] + below[at] * (1 - top[3]))
  const ground = parse(getComputedStyle(document.body).backgroundColor)
  const behind = element => {
    const layers = []
    for (let at = element; at; at = at.parentElement) {
      layers.push(parse(getComputedStyle(at).backgroundColor))
      if (layers.at(-1)[3] === 1) break
    }
    return layers.reverse().reduce((below, top) => over(top, below), ground)
  }
  const found = new Set()
  const check = (element, text) => {
    if (!text.trim() || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return
    const style = getComputedStyle(element), back = behind(element)
    let opacity = 1
    for (let at = element; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity
    const color = parse(element instanceof SVGElement ? style.fill : style.color)
    const front = over([...color.slice(0, 3), color[3] * opacity], back)
    const [high, low] = [luminance(front), luminance(back)].sort((a, b) => b - a)
    const ratio = (high + 0.05) / (low + 0.05)
    if (ratio < 4.5) found.add(`${ratio.toFixed(2)} ${element.tagName.toLowerCase()}.${element.className}: ${text.trim().slice(0, 40)}`)
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node; (node = texts.nextNode());) {
    if (!node.parentElement.closest("script, style, noscript, datalist, option")) check(node.parentElement, node.data)
  }
  for (const field of document.querySelectorAll("input, select, textarea")) check(field, field.value || field.placeholder || "")
  return [...found]
})()
"""
UNCOVERED = """function () {
  this.scrollIntoView({ block: "center", behavior: "instant" })
  const box = this.getClientRects()[0]
  if (!box) return null
  const x = box.x + box.width / 2, y = box.y + box.height / 2, top = document.elementFromPoint(x, y)
  const label = this.labels?.[0]
  return { x, y, covered: !(this.contains(top) || top?.contains(this) || label?.contains(top)) }
}"""
LEADS = """function () {
  if (!this.hash || this.pathname !== location.pathname || this.hash === location.hash) return false
  window.arrival = new Promise(done => {
    addEventListener("hashchange", () => done(), { once: true })
    setTimeout(done, 5000)
  })
  return true
}"""
CHANGED = 'this.dispatchEvent(new Event("input", { bubbles: true })), this.dispatchEvent(new Event("change", { bubbles: true }))'
CHOOSE = """function (wanted) {
  const option = [...this.options].find(each => each.value === wanted || each.label === wanted)
  if (!option) return [...this.options].map(each => each.label)
  this.value = option.value
  %s
}""" % CHANGED

# The accessibility query does not find file fields, whose accessible node is the button inside.
FILE_FIELD = "[...document.querySelectorAll('input[type=file]')].find(each => each.labels[0].innerText.trim() === %s)"


class Window(Visit):
    """A window with a page, on which steps are performed."""

    def __init__(self, browser, wish, downloads):
        super().__init__(browser, wish)
        self.downloads, self.finished = downloads, []
        browser.ask("Browser.grantPermissions", browserContextId=self.context,
                    permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        browser.ask("Browser.setDownloadBehavior", behavior="allowAndName", browserContextId=self.context,
                    downloadPath=downloads, eventsEnabled=True)
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        if not wish.get("scripts", True):
            self.ask("Emulation.setScriptExecutionDisabled", value=True)

    def hear(self, message):
        super().hear(message)
        if message.get("method") == "Browser.downloadProgress" and message["params"]["state"] == "completed":
            self.finished.append(message["params"]["guid"])

    def load(self, method, **parameters):
        self.arrived = False
        self.ask(method, **parameters)
        while not self.arrived:
            self.browser.message()

    def close(self):
        self.browser.hear = lambda message: None
        self.browser.ask("Target.disposeBrowserContext", browserContextId=self.context)

    def evaluate(self, script):
        outcome = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in outcome:
            raise Fault(script[:80] + ": " + json.dumps(outcome["exceptionDetails"])[:400])
        return outcome["result"].get("value")

    # Elements by accessible name

    def matches(self, target, root=None):
        """The accessible nodes with a name, and a role if the target has one."""
        target = {"name": target} if isinstance(target, str) else target
        if root is None:
            root = self.ask("DOM.getDocument", depth=0)["root"]["backendNodeId"]
        if "in" in target:
            around = self.matches({"name": target["in"]}, root)
            inner = {key: value for key, value in target.items() if key != "in"}
            return [node for outer in around for node in self.matches(inner, outer["backendDOMNodeId"])]
        wanted = {"role": target["role"]} if "role" in target else {}
        if "name" in target:
            wanted["accessibleName"] = target["name"]
        nodes = self.ask("Accessibility.queryAXTree", backendNodeId=root, **wanted)["nodes"]
        shown = [node for node in nodes if not node["ignored"] and "backendDOMNodeId" in node
                 and target.get("part", "") in node.get("name", {}).get("value", "")]
        texts = ("StaticText", "InlineTextBox", "LabelText", "heading", "listitem")
        return [node for node in shown if "role" in target or node["role"]["value"] not in texts] or shown

    def find(self, target):
        """The object of the first match, which may appear soon."""
        end = time.monotonic() + PATIENCE
        while True:
            nodes = self.matches(target)
            if nodes:
                node = nodes[0]["backendDOMNodeId"]
                return self.ask("DOM.resolveNode", backendNodeId=node)["object"]["objectId"]
            if time.monotonic() > end:
                raise Fault("%s is missing on %s" % (json.dumps(target), self.text()[:3000]))
            time.sleep(0.1)

    def call(self, found, function, *arguments):
        outcome = self.ask("Runtime.callFunctionOn", objectId=found, functionDeclaration=function, returnByValue=True,
                           arguments=[{"value": argument} for argument in arguments])
        return outcome["result"].get("value")

    def text(self, target=None):
        if target is None:
            return self.evaluate("document.body?.innerText ?? ''")
        return self.call(self.find(target), "function () { return this.innerText }")

    def described(self, node):
        return [node["role"]["value"], node.get("name", {}).get("value", "")]

    # Steps

    def click(self, target):
        """Clicks. After a link to another fragment of the URL, waits until the page has noticed."""
        leads = self.call(self.find(target), LEADS)
        self.press(target)
        if leads:
            self.evaluate("window.arrival")

    def press(self, target):
        found = self.find(target)
        end = time.monotonic() + PATIENCE
        # A message or a new row may cover the element for a moment.
        while True:
            place = self.call(found, UNCOVERED)
            if place and not place["covered"]:
                break
            if time.monotonic() > end:
                raise Fault("%s is %s" % (json.dumps(target), "covered" if place else "not shown"))
            time.sleep(0.1)
        at = {"x": place["x"], "y": place["y"], "button": "left", "clickCount": 1}
        self.ask("Input.dispatchMouseEvent", type="mousePressed", **at)
        self.ask("Input.dispatchMouseEvent", type="mouseReleased", **at)
        return found

    def key(self, name):
        shift = name.startswith("Shift+")
        name = name[6:] if shift else name
        code, number, text = KEYS.get(name, ("", 0, name))
        event = {"key": name, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.ask("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event, **({"text": text} if text else {}))
        self.ask("Input.dispatchKeyEvent", type="keyUp", **event)

    def wait(self, text, is_wanted=True):
        end = time.monotonic() + PATIENCE
        while (text in self.text()) != is_wanted:
            if time.monotonic() > end:
                raise Fault("%r is %s: %s" % (text, "missing" if is_wanted else "still there", self.text()[:3000]))
            time.sleep(0.1)

    def download(self, target):
        self.finished = []
        self.press(target)
        while not self.finished:
            self.browser.message()
        with open(os.path.join(self.downloads, self.finished[0]), encoding="utf-8") as file:
            return file.read()

    def show(self, width, height, dark):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])

    def screenshot(self, name, whole=False):
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            picture = self.ask("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
            with open(os.path.join(folder, name + ".png"), "wb") as file:
                file.write(base64.b64decode(picture))

    def step(self, kind, target=None, *rest):
        if kind == "click":
            self.click(target)
        elif kind == "fill":
            found = self.press(target)
            self.call(found, "function () { this.select() }")
            self.ask("Input.insertText", text=rest[0])
            self.call(found, "function () { %s }" % CHANGED)
        elif kind == "choose":
            options = self.call(self.find(target), CHOOSE, rest[0])
            if options is not None:
                raise Fault("%s has no option %s, but %s" % (json.dumps(target), rest[0], options))
        elif kind == "file":
            field = self.ask("Runtime.evaluate", expression=FILE_FIELD % json.dumps(target))["result"]
            if "objectId" not in field:
                raise Fault("%s is missing" % target)
            self.ask("DOM.setFileInputFiles", objectId=field["objectId"], files=[rest[0]])
        elif kind == "key":
            self.key(target)
        elif kind == "reload":
            self.load("Page.reload")
        elif kind == "show":
            self.show(target, *rest)
        elif kind in ("wait", "wait-gone"):
            self.wait(target, kind == "wait")
        elif kind == "pause":
            time.sleep(target)
        elif kind == "has":
            return bool(self.matches(target))
        elif kind == "value":
            return self.call(self.find(target), "function () { return this.value }")
        elif kind == "text":
            return self.text(target)
        elif kind in ("focus", "names"):
            nodes = self.ask("Accessibility.getFullAXTree")["nodes"]
            if kind == "names":
                return [self.described(node) for node in nodes if not node["ignored"] and node["role"]["value"] in CONTROLS]
            focused = [node for node in nodes for fact in node.get("properties", []) if fact["name"] == "focused" and fact["value"]["value"]]
            return self.described(focused[-1])
        elif kind == "copied":
            return self.evaluate("navigator.clipboard.readText()")
        elif kind == "download":
            return self.download(target)
        elif kind == "evaluate":
            return self.evaluate(target)
        elif kind == "overflow":
            return self.evaluate(OVERFLOW)
        elif kind == "contrast":
            return self.evaluate(CONTRAST)
        elif kind == "longest-task":
            return self.evaluate("((longest) => (window.longestTask = 0, Math.round(longest)))(window.longestTask)")
        elif kind == "screenshot":
            self.screenshot(target, *rest)
        else:
            raise Fault("there is no step " + kind)
        return None


def respond(window, request):
    results = []
    try:
        if "url" in request:
            window.load("Page.navigate", url=request["url"])
        for step in request.get("steps", []):
            results.append(window.step(*step))
        fault = None
    except Fault as problem:
        fault = str(problem)
    return {"results": results, "complaints": window.seen["complaints"], "requests": window.seen["requests"], "fault": fault}


def main(program):
    with tempfile.TemporaryDirectory(prefix="ifttt-inspector-", ignore_cleanup_errors=True) as folder:
        browser, window = Browser(program, folder), None
        try:
            for line in sys.stdin:
                request = json.loads(line)
                if window and ("url" in request or "close" in request):
                    window.close()
                    window = None
                if "url" in request:
                    window = Window(browser, request, os.path.join(folder, "downloads"))
                print(json.dumps({} if "close" in request else respond(window, request)), flush=True)
        finally:
            # Chromium exits when its pipe closes, and only then can its folder be removed.
            browser.commands.close()
            browser.process.wait()


if __name__ == "__main__":
    main(sys.argv[1])
