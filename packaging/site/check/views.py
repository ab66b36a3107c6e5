"""Checks of a built site in a browser: width, contrast, console, requests and search."""
import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

from browser import Browser

WIDTHS = (360, 1280)
# A page of each kind is opened with its scripts in both color schemes.
SAMPLES = [
    "index.html", "docs/cookbook.html", "docs/plugins.html", "CHANGELOG.html", "commands/index.html",
    "commands/options.html", "commands/connections/index.html", "commands/connections/disable.html", "man/index.html",
    "commands/connections/options.html", "man/ifttt.1.html", "man/ifttt-plugin.5.html", "man/ifttt-sandbox.7.html",
    "files/Examples/ci/index.html",
]

# What a reader enters, and a page that must be among the first results.
SEARCHES = {
    "disable": "commands/connections/disable.html", "--allow-removal": "commands/connections/apply.html",
    "sandbox faults": "commands/sandbox/faults/index.html",
}

# The texts whose contrast with the color behind them is below 4.5 (WCAG 2.2, AA), also for large text.
CONTRAST = r"""
(() => {
  const channel = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b)
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
  const pen = canvas.getContext("2d", { willReadFrequently: true })
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
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]))
  const behind = element => {
    const layers = []
    for (let at = element; at; at = at.parentElement) {
      const color = parse(getComputedStyle(at).backgroundColor)
      layers.push(color)
      if (color[3] === 1) break
    }
    return layers.reverse().reduce((below, top) => over(top, below), [255, 255, 255])
  }
  const found = new Set()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node; (node = texts.nextNode());) {
    const element = node.parentElement
    if (!node.data.trim() || element.closest("script, style, noscript, svg, template")) continue
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    let opacity = 1
    for (let at = element; at; at = at.parentElement) opacity *= getComputedStyle(at).opacity
    const back = behind(element)
    const color = parse(style.color)
    const front = over([...color.slice(0, 3), color[3] * opacity], back)
    const [high, low] = [light(front), light(back)].sort((a, b) => b - a)
    const ratio = (high + 0.05) / (low + 0.05)
    const name = `${element.tagName.toLowerCase()}.${element.className}`
    if (ratio < 4.5) found.add(`${ratio.toFixed(2)} for ${name}: ${node.data.trim().slice(0, 40)}`)
  }
  return [...found]
})()
"""

# The elements that make the page wider than the window. The page itself must not scroll sideways.
OVERFLOW = r"""
(width => {
  if (document.scrollingElement.scrollWidth <= width && innerWidth <= width) return []
  const wide = [...document.body.querySelectorAll("main *")].filter(each => each.getBoundingClientRect().right > width + 1)
  return [`${document.scrollingElement.scrollWidth} pixels in a window of ${width}; ` +
    (wide.slice(0, 3).map(each => `${each.tagName.toLowerCase()}.${each.className}`).join(", ") || "outside of the text")]
})
"""

# Types into the field for searches and resolves to the first pages of the results.
SEARCH = r"""
(words => new Promise(resolve => {
  const field = document.querySelector("[data-md-component=search-query]")
  const list = document.querySelector(".md-search-result__list")
  const look = () => {
    const links = [...list.querySelectorAll("a.md-search-result__link")].map(each => each.getAttribute("href"))
    const state = document.querySelector(".md-search-result__meta").innerText
    const pages = [...new Set(links.map(link => new URL(link, location).pathname))]
    if (links.length || state.includes("No matching documents")) resolve(pages.slice(0, 5))
  }
  new MutationObserver(look).observe(list.parentElement, { childList: true, subtree: true, characterData: true })
  document.getElementById("__search").checked = true
  document.getElementById("__search").dispatchEvent(new Event("change"))
  field.focus()
  field.value = words
  field.dispatchEvent(new Event("input", { bubbles: true }))
  field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }))
  look()
}))
"""


class QuietServer(SimpleHTTPRequestHandler):
    """Serves the site in a subfolder, so that an address from the root of the server fails."""

    prefix = "/some/folder/"

    def translate_path(self, path):
        return super().translate_path(path[len(self.prefix) - 1 :] if path.startswith(self.prefix) else "/missing")

    def log_message(self, *_):
        pass


class Views:
    """The pages of a site in a browser."""

    def __init__(self, site):
        self.site = site
        self.names = [site.name(path) for path in site.paths]

    def problems(self):
        handler = functools.partial(QuietServer, directory=str(self.site.folder))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, Browser() as browser:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.browser = browser
            self.base = f"http://127.0.0.1:{server.server_port}{QuietServer.prefix}"
            try:
                yield from self.samples()
                yield from self.searches()
                yield from self.switches()
                yield from self.plain()
            finally:
                server.shutdown()

    def opened(self, name, base=None):
        """Opens a page, and yields what its console and its requests show."""
        self.browser.open((base or self.base) + name)
        foreign = [url for url in self.browser.requests if not url.startswith((base or self.base, "data:", "blob:"))]
        yield from (f"{name}: console: {line}" for line in self.browser.complaints)
        yield from (f"{name}: a request to another host or folder: {url}" for url in foreign)

    def width(self, name, width):
        return (f"{name}: {line}" for line in self.browser.evaluate(f"({OVERFLOW})({width})"))

    def contrast(self, name, scheme):
        return (f"{name}: {scheme}: contrast {line}" for line in self.browser.evaluate(CONTRAST))

    def samples(self):
        """A page of each kind, in each width and color scheme, to which an open page adapts."""
        for name in filter(self.names.__contains__, SAMPLES):
            self.browser.show(WIDTHS[0])
            yield from self.opened(name)
            for width in WIDTHS:
                for dark in (False, True):
                    self.browser.show(width, dark=dark)
                    self.browser.settle()
                    yield from self.width(name, width)
                    scheme = "dark" if dark else "light"
                    if self.browser.evaluate("document.body.dataset.mdColorScheme") != ("slate" if dark else "default"):
                        yield f"{name}: the page does not follow the {scheme} color scheme of the system"
                    yield from self.contrast(name, scheme)

    def searches(self):
        """The search finds commands by name and by option, on a server and on a page that is opened from a disk."""
        for base in (self.base, f"file://{self.site.folder}/"):
            for width in WIDTHS:
                self.browser.show(width)
                for words, wanted in SEARCHES.items():
                    yield from self.opened("index.html", base)
                    links = self.browser.evaluate(f"({SEARCH})({words!r})")
                    if not any(wanted in link for link in links):
                        yield f"{base}: the search for '{words}' does not find {wanted}: {links}"
                    yield from (f"{base}: search: console: {line}" for line in self.browser.complaints)
            for dark in (False, True):
                self.browser.show(1280, dark=dark)
                yield from self.opened("index.html", base)
                self.browser.evaluate(f"({SEARCH})('disable')")
                yield from self.contrast("the results of the search", "dark" if dark else "light")

    def switches(self):
        """The switch selects each color scheme, against the system, and the next page keeps it."""
        self.browser.show(1280, dark=True)
        yield from self.opened("index.html")
        press = "[...document.querySelectorAll('form[data-md-component=palette] label')].find(each => !each.hidden).click()"
        for scheme in ("default", "slate", "slate"):
            self.browser.evaluate(press)
            yield from self.opened("commands/index.html")
            shown = self.browser.evaluate("document.body.dataset.mdColorScheme")
            if shown != scheme:
                yield f"the switch shows {shown} instead of {scheme}"

    def plain(self):
        """Every page without scripts, as narrow as a telephone: the text is shown and not wider than the window."""
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.show(WIDTHS[0])
        for name in self.names:
            yield from self.opened(name)
            yield from self.width(name, WIDTHS[0])
            if not self.browser.evaluate("document.querySelector('article h1').checkVisibility()"):
                yield f"{name}: the text is hidden without scripts"
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
