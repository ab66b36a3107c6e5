import Foundation

/// A headless browser that loads pages and returns what they report.
package enum Chromium {
  package static var isInstalled: Bool { Tool.isInstalled("chromium") }
  package static let requirement = "skipped: needs chromium"

  /// The text that a page's own script wrote into the element with the id `result`.
  ///
  /// - Parameters:
  ///   - page: The HTML, which contains that element. It is loaded from a file, and its timers run in virtual time.
  ///   - files: Other files in the page's folder.
  package static func result(
    of page: String, files: [String: String] = [:], width: Int = 1280, isDark: Bool = false
  ) throws -> String {
    let folder = try ScratchFolder()
    for (name, text) in files { try folder.write(text, to: name) }
    let file = try folder.write(page, to: "page.html")
    let outcome = try Tool.required("chromium").run(
      [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--user-data-dir=\(folder.path)/browser", "--window-size=\(width),900", "--virtual-time-budget=5000",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--dump-dom", file.absoluteString,
      ], in: folder)
    guard let start = outcome.output.range(of: "<pre id=\"result\">"),
      let end = outcome.output.range(of: "</pre>", range: start.upperBound..<outcome.output.endIndex)
    else { throw Silence(status: outcome.status, errors: outcome.errors) }
    return outcome.output[start.upperBound..<end.lowerBound]
      .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
      .replacingOccurrences(of: "&amp;", with: "&")
  }

  /// The page has no result, because the browser did not start or the script failed.
  package struct Silence: Error {
    package let status: Int32
    package let errors: String
  }
}
