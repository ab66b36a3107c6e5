import Foundation
import Support
import Testing

@testable import Location

/// The maps as rendered by a browser, with the fonts of this machine.
@Suite(.enabled(if: Chromium.isInstalled, Comment(rawValue: Chromium.requirement))) struct MapBrowserTests {
  /// A page that runs a script and lists the problems it found, one per line.
  private static func page(_ body: String, _ script: String) -> String {
    """
    <!doctype html><meta charset="utf-8"><body style="margin:0">\(body)<pre id="result">unfinished</pre><script>
    const faults = [];
    function must(what, ...told) { if (!what) faults.push(told.join(" ")); }
    addEventListener("load", () => {
      try { \(script) } catch (error) { faults.push(String(error)); }
      document.getElementById("result").textContent = faults.join("\\n");
    });
    </script>
    """
  }

  private static func frame(_ html: String, width: Int) -> String {
    let escaped = html.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    return "<iframe width=\(width) height=900 frameborder=0 srcdoc=\"\(escaped)\"></iframe>"
  }

  @Test(arguments: [(false, [320, 1280]), (true, [390, 1280])])
  func pagesFitTheWindow(isDark: Bool, widths: [Int]) throws {
    let frames = widths.map { width in Scene.all.map { Self.frame($0.html, width: width) }.joined() }.joined()
    // Each is one character longer, so the policy must block both.
    let altered = Scene.lisbon.html.replacing("*{box-sizing", with: "* {box-sizing").replacing(
      "(() =>", with: "( () =>")
    let script = """
      const frames = [...document.querySelectorAll("iframe")], altered = frames.splice(-\(widths.count));
      must(frames.length === \(Scene.all.count * widths.count), frames.length, "frames");
      for (const [place, frame] of frames.entries()) {
        const page = frame.contentDocument, root = page.documentElement, width = frame.contentWindow.innerWidth;
        const name = "scene " + place % \(Scene.all.count) + " at " + width;
        must(width === Number(frame.width), name, "has another width");
        const look = frame.contentWindow.getComputedStyle(page.body);
        must(look.backgroundColor === "\(isDark ? "rgb(15, 20, 25)" : "rgb(255, 255, 255)")", name, look.backgroundColor);
        must(root.scrollWidth <= width, name, "is too wide", root.scrollWidth);
        const shown = [...page.querySelectorAll("figure > .map")].filter(map => map.getBoundingClientRect().width > 0);
        must(shown.length === 1, name, "shows", shown.length, "pictures");
        must(shown[0].classList.contains(width > 640 ? "wide" : "narrow"), name, "shows the other picture");
        const box = shown[0].getBoundingClientRect();
        must(box.left >= 0 && box.right <= width, name, "leaves the window");
        must(frame.contentWindow.performance.getEntriesByType("resource").length === 0, name, "fetched something");
        must(page.scripts.length === 1 && page.images.length === 0, name, "has more than its script");
        const slider = page.getElementById("place");
        if (!slider) continue;
        must(!page.getElementById("walk").hidden && slider.tabIndex === 0, name, "has no slider");
        const stops = shown[0].querySelectorAll(".stop");
        must(Number(slider.max) === stops.length - 1, name, slider.max, stops.length);
        slider.value = slider.max;
        slider.dispatchEvent(new Event("input"));
        const last = stops[stops.length - 1], here = shown[0].querySelector(".here");
        must(page.getElementById("moment").value === last.querySelector("title").textContent, name, "tells another");
        must(slider.getAttribute("aria-valuetext") === page.getElementById("moment").value, name, "tells no reader");
        must(here.getAttribute("cx") === last.getAttribute("cx"), name, "shows another place");
        must(here.getAttribute("visibility") === null, name, "hides the place");
        stops[0].dispatchEvent(new MouseEvent("click"));
        must(slider.value === "0", name, "cannot be clicked");
      }
      for (const frame of altered) {
        const page = frame.contentDocument, look = frame.contentWindow.getComputedStyle(page.body);
        must(look.backgroundColor === "rgba(0, 0, 0, 0)", "another style ran");
        must(page.getElementById("walk").hidden, "another script ran");
      }
      """
    let body = frames + widths.map { Self.frame(altered, width: $0) }.joined()
    #expect(try Chromium.result(of: Self.page(body, script), isDark: isDark) == "")
  }

  /// The browser reports no problems, but would report some if the policy did not match.
  @Test func theConsoleStaysEmpty() throws {
    let hostile = try #require(Scene.all.first { $0.name == "hostile" })
    let folder = try ScratchFolder()
    func complaints(_ markup: String, _ name: String) throws -> Int {
      let file = try folder.write(markup, to: name)
      let outcome = try Tool.required("chromium").run(
        [
          "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
          "--enable-logging=stderr", "--user-data-dir=\(folder.path)/browser", "--dump-dom", file.absoluteString,
        ], in: folder)
      #expect(outcome.output.contains("A day in Lisbon") || outcome.output.contains("alert(1)"))
      return outcome.errors.components(separatedBy: ":CONSOLE:").count - 1
    }
    #expect(try complaints(Scene.lisbon.html, "page.html") == 0)
    #expect(try complaints(Scene.lisbon.svg, "picture.svg") == 0)
    #expect(try complaints(hostile.html, "hostile.html") == 0)
    #expect(try complaints(Scene.lisbon.html.replacing("(() =>", with: "( () =>"), "altered.html") == 1)
  }

  /// No label covers another, no label leaves the frame, and the text below stays on the page.
  @Test func labelsDoNotOverlap() throws {
    // The styles are identical, so one page can contain all drawings.
    let drawings = Scene.all.map { "<div>\($0.svg)</div>" }.joined(separator: "\n")
    let script = """
      const drawings = [...document.querySelectorAll("svg")];
      must(drawings.length === \(Scene.all.count), drawings.length, "drawings");
      let count = 0;
      for (const [place, svg] of drawings.entries()) {
        const name = "scene " + place, frame = svg.querySelector("rect.rim").getBBox(), paper = svg.viewBox.baseVal;
        const texts = [...svg.querySelectorAll(".name, .small")].map(text => [text, text.getBBox()]);
        for (const [text, box] of texts) {
          count += 1;
          must(box.x >= frame.x && box.x + box.width <= frame.x + frame.width && box.y >= frame.y
            && box.y + box.height <= frame.y + frame.height + 4, name, text.textContent, "leaves the frame", box.x, box.width);
          for (const [other, around] of texts) {
            const apart = box.x + box.width <= around.x || around.x + around.width <= box.x
              || box.y + box.height - 4 <= around.y || around.y + around.height - 4 <= box.y;
            must(text === other || apart, name, text.textContent, "covers", other.textContent);
          }
        }
        for (const text of svg.querySelectorAll("text")) {
          const box = text.getBBox(), moved = text.parentNode.transform?.baseVal.consolidate()?.matrix.e ?? 0;
          must(moved + box.x >= 0 && moved + box.x + box.width <= paper.width, name, text.textContent, "leaves the paper");
        }
        must(svg.getBoundingClientRect().height === paper.height, name, "has another size");
      }
      must(count > 120, count, "labels");
      must(performance.getEntriesByType("resource").length === 0, "something was fetched");
      """
    let faults = try Chromium.result(of: Self.page(drawings, script))
    #expect(faults == "")
  }
}
