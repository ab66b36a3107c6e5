import Foundation
import IFTTT
import Support
import Testing

/// The drawings as rendered by a browser, with the fonts of this machine.
@Suite(.enabled(if: Chromium.isInstalled, Comment(rawValue: Chromium.requirement))) struct BrowserTests {
  /// A page that runs a script and shows the problems it found, one per line.
  static func page(_ body: String, _ script: String) -> String {
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

  @Test func svgFitsItsSizeAndTextFitsPill() throws {
    let drawings = ConnectButton.many.map(\.svg).joined(separator: "\n")
    let script = """
      const drawings = [...document.querySelectorAll("svg")];
      must(drawings.length === \(ConnectButton.many.count), drawings.length, "drawings");
      for (const svg of drawings) {
        const name = svg.querySelector("title").textContent;
        const button = svg.querySelector(".button").getBBox();
        must(button.width <= 329 && button.height <= 70 && button.x >= 0 && button.y >= 0, name, "is too large");
        const label = svg.querySelector(".label"), knob = svg.querySelector(".knob");
        if (label) {
          const box = label.getBBox();
          must(box.width > 0 && box.x >= 8 && box.x + box.width <= 321, name, "leaves the pill", box.x, box.width);
          if (knob) {
            const at = knob.getBBox();
            must(box.x >= at.x + at.width || box.x + box.width <= at.x, name, "runs into the knob", box.x, box.width);
          }
        }
        const footer = svg.querySelector(".footer").getBBox();
        must(footer.x >= 0 && footer.x + footer.width <= 329 && footer.y >= 70, name, "has a wide footer", footer.width);
        must(footer.y + footer.height <= 100, name, "has a low footer");
      }
      must(performance.getEntriesByType("resource").length === 0, "something was fetched");
      must(document.title === "", "a title was set");
      """
    #expect(try Chromium.result(of: Self.page(drawings, script)) == "")
  }

  @Test func htmlFitsItsSizeAndTextFitsPill() throws {
    let drawings = ConnectButton.many.map(\.html).joined()
    let frames = [240, 390, 1280].map { width in
      let room = "<div id=room style='width:\(min(width, 400))px'>\(drawings)</div>"
      return frame("<!doctype html><meta charset=utf-8><body style='margin:0'>\(room)", width: width)
    }
    let script = """
      const frames = [...document.querySelectorAll("iframe")];
      must(frames.length === 3, frames.length, "frames");
      for (const frame of frames) {
        const page = frame.contentDocument, view = frame.contentWindow;
        must(view.innerWidth === Number(frame.width), view.innerWidth, "is not the width of the window");
        for (const details of page.querySelectorAll("details")) details.open = true;
        const room = page.getElementById("room").clientWidth;
        for (const root of page.querySelectorAll(".ifttt-button")) {
          const pill = root.querySelector(".pill").getBoundingClientRect(), label = root.querySelector(".label");
          const told = [frame.width, root.dataset.state, root.lang, root.textContent.trim().slice(-40)];
          const name = told.join(" ");
          must(pill.height === 70 && pill.width === Math.min(329, room), name, pill.width, pill.height);
          must(view.getComputedStyle(root.querySelector(".pill")).borderRadius === "35px", name, "has no round ends");
          if (room >= 329 && label.tagName !== "INPUT")
            must(label.scrollWidth <= label.clientWidth, name, "is cut", label.scrollWidth, label.clientWidth);
          must(root.scrollWidth <= root.clientWidth, name, "is wider than its place");
        }
        must(page.querySelectorAll(".ifttt-button").length === \(ConnectButton.many.count), "a button is missing");
        must(view.performance.getEntriesByType("resource").length === 0, "something was fetched");
      }
      """
    #expect(try Chromium.result(of: Self.page(frames.joined(), script)) == "")
  }

  /// Shows the letter on the knob, and no broken picture.
  @Test func iconThatFailsToLoadIsInvisible() throws {
    var service = Sample.plain.service
    (service.monochromeIconURL, service.colorIconURL) = ("https://127.0.0.1:1/m.png", "https://127.0.0.1:1/c.png")
    let button = ConnectButton(
      state: .connect, connectionName: "x", primary: Sample.japanese.service, connecting: service, language: .german)
    let script = """
      document.querySelector("details").open = true;
      const pictures = [...document.querySelectorAll("img")];
      must(pictures.length === 2, pictures.length, "pictures");
      for (const picture of pictures) must(picture.getBoundingClientRect().width === 0, picture.src, "has a place");
      must(document.querySelector(".knob").textContent === "L", "no letter");
      """
    #expect(try Chromium.result(of: Self.page(button.html, script)) == "")
  }

  /// Without this, the other tests could not fail.
  @Test func problemIsReported() throws {
    let result = try Chromium.result(of: Self.page("", "must(1 > 2, 'a <fault> & more'); nothing.there"))
    let lines = result.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == "a <fault> & more" && result.contains("ReferenceError"), "\(result)")
  }

  /// The policy as interpreted by a browser: the style applies, but not if a letter of it changes.
  @Test(arguments: [(390, false), (1280, true)]) func landingPages(width: Int, isDark: Bool) throws {
    var frames = ""
    for language in [Language.americanEnglish, .german, .japanese, .russian] {
      for (redirect, isPending) in LandingPageTests.outcomes {
        for sample in [Sample.plain, .long, .arabic, .hostile] {
          let page = LandingPage(
            redirect: redirect, isPending: isPending, serviceName: sample.service.name,
            brandColor: sample.service.brandColor, language: language)
          frames += frame(page, width: width)
        }
      }
    }
    let altered = LandingPage(redirect: .complete(token: nil), serviceName: nil, brandColor: nil, language: .german)
    frames += frame(altered, width: width, altering: "border-radius:24px")
    let script = """
      const frames = [...document.querySelectorAll("iframe")], altered = frames.pop();
      for (const frame of frames) {
        const page = frame.contentDocument, main = page.querySelector("main"), name = page.title;
        const look = frame.contentWindow.getComputedStyle(main);
        must(look.borderRadius === "24px", name, "has no style");
        must(look.backgroundColor === "\(isDark ? "rgb(30, 30, 30)" : "rgb(255, 255, 255)")", name, look.backgroundColor);
        must(page.documentElement.scrollWidth <= \(width), name, "is too wide", page.documentElement.scrollWidth);
        must(page.scripts.length === 0 && page.images.length === 0, name, "is not text alone");
        must(frame.contentWindow.performance.getEntriesByType("resource").length === 0, name, "fetched something");
      }
      const look = altered.contentWindow.getComputedStyle(altered.contentDocument.querySelector("main"));
      must(look.borderRadius === "0px", "another style was let through");
      must(frames.length === \(4 * LandingPageTests.outcomes.count * 4), frames.length, "frames");
      """
    #expect(try Chromium.result(of: Self.page(frames, script), width: width, isDark: isDark) == "")
  }

  private func frame(_ page: LandingPage, width: Int, altering part: String? = nil) -> String {
    let policy = page.fields.first { $0.0 == "Content-Security-Policy" }?.1 ?? ""
    let meta = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">"
    var html = String(decoding: page.html, as: UTF8.self).replacing("<head>", with: "<head>\(meta)")
    if let part { html = html.replacing(part, with: part + " ") }
    return frame(html, width: width)
  }

  private func frame(_ html: String, width: Int) -> String {
    let escaped = html.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
    return "<iframe width=\(width) height=600 frameborder=0 srcdoc=\"\(escaped)\"></iframe>"
  }
}
