import Foundation
import Support
import Testing

@testable import Location

struct MapMarkupTests {
  /// Checked with expat, which is stricter than a browser.
  @Test func drawingsAreWellFormed() throws {
    let folder = try ScratchFolder()
    for (index, scene) in Scene.all.enumerated() { try folder.write(scene.svg, to: "\(index).svg") }
    let script = """
      import sys, xml.etree.ElementTree as tree
      for name in sys.argv[1:]:
          root = tree.parse(name).getroot()
          assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
          for element in root.iter():
              for key, value in element.attrib.items():
                  assert "nan" not in value and "inf" not in value, (name, key, value)
                  assert not key.startswith("on") and not key.endswith("href"), (name, key)
          assert not [e for e in root.iter() if e.tag.endswith("script")], name
      print("all well")
      """
    let outcome = try Tool.required("python3").run(
      ["-c", script] + Scene.all.indices.map { "\($0).svg" }, in: folder)
    #expect(outcome.output == "all well\n", "\(outcome.errors)")
  }

  @Test func loadsNoExternalResources() {
    for scene in Scene.all {
      let svg = scene.svg.replacing("xmlns=\"http://www.w3.org/2000/svg\"", with: "")
      for markup in [svg, scene.html] {
        for address in [
          "http:", "https:", "src=", "@import", "<a ", "<form", "<img", "<image", "<use", "<link rel=\"s",
        ] {
          #expect(!markup.contains(address), "\(scene.name): \(address)")
        }
        let links = markup.components(separatedBy: "url(").dropFirst()
        #expect(links.allSatisfy { $0.hasPrefix("#frame") }, "\(scene.name)")
        #expect(!markup.contains(" style=") && !markup.contains("javascript:"))
      }
    }
  }

  @Test func externalTextIsEscaped() throws {
    let scene = try #require(Scene.all.first { $0.name == "hostile" })
    #expect(scene.html.components(separatedBy: "<script").count == 2 && !scene.svg.contains("<script"))
    for markup in [scene.svg, scene.html] {
      #expect(!markup.contains("\u{202e}") && !markup.contains("\0") && !markup.contains("\u{1b}"))
      #expect(markup.contains("&lt;/text&gt;&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;]]&gt;&amp;amp;[31m"))
    }
  }

  @Test func thePolicyHashesMatchTheStyleAndScript() throws {
    let folder = try ScratchFolder()
    for (name, text) in [("style", MapPageStyle.text), ("script", MapScript.text)] { try folder.write(text, to: name) }
    let hash =
      "import base64,hashlib,sys;print(base64.b64encode(hashlib.sha256(open(sys.argv[1],'rb').read()).digest()).decode())"
    let python = try Tool.required("python3")
    let style = try python.run(["-c", hash, "style"], in: folder).output.dropLast()
    let script = try python.run(["-c", hash, "script"], in: folder).output.dropLast()
    #expect(MapPageStyle.hash == "sha256-\(style)" && MapScript.hash == "sha256-\(script)")
    let html = Scene.lisbon.html
    #expect(html.contains("<style>\(MapPageStyle.text)</style>") && html.contains("<script>\(MapScript.text)</script>"))
    #expect(html.contains("content=\"default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(script)'; "))
  }

  @Test func lisbonMatchesTheGoldenFiles() throws {
    #expect(try Golden.difference(Scene.lisbon.svg, from: "lisbon.svg") == nil)
    #expect(try Golden.difference(Scene.lisbon.html, from: "lisbon.html") == nil)
  }

  /// Without the dot, a line of a single point would hardly be visible.
  @Test func waypointsAreDrawnAsDots() {
    let scene = Scene(
      "waypoints", [], [[Position(0, 0)], [Position(0, 0.01), Position(0, 0.02)], [Position(0.01, 0)]])
    let dots = scene.svg.components(separatedBy: "class=\"dots\" d=\"").last?.prefix { $0 != "\"" } ?? ""
    #expect(dots.components(separatedBy: "h0").count == 3 && !dots.contains("L"))
    #expect(!Scene.lisbon.svg.contains("class=\"dots\""))
  }

  @Test func marksHaveTitles() {
    for markup in [Scene.lisbon.svg, Scene.lisbon.html] {
      #expect(markup.contains("<title>2026-03-04 16:50:00 UTC · 38.73690, -9.14270 · ±5 m</title>"))
      #expect(markup.contains("UTC · left Home · "))
      #expect(markup.contains("<title>Home · exit · 220.5 m</title>"))
    }
  }

  // MARK: Colors

  private static func luminance(_ hex: Substring) -> Double {
    let value = Int(hex.dropFirst(), radix: 16) ?? 0
    let channels = [value >> 16, value >> 8 & 255, value & 255].map { level -> Double in
      let part = Double(level) / 255
      return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2]
  }

  private static func contrast(_ a: Substring, _ b: Substring) -> Double {
    let (first, second) = (luminance(a), luminance(b))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  /// WCAG 2.2: at least 4.5 for text, and 3 for graphics.
  @Test func colorsHaveSufficientContrast() throws {
    let schemes = MapStyle.colors.split(separator: "@media")
    #expect(schemes.count == 2)
    for scheme in schemes {
      var colors: [Substring: Substring] = [:]
      for match in scheme.matches(of: #/--([a-z]+):(#[0-9a-f]{6})/#) { colors[match.1] = match.2 }
      #expect(colors.count == 9)
      for ground in ["paper", "pane"] {
        let ground = try #require(colors[ground[...]])
        for text in ["ink", "muted"] {
          #expect(Self.contrast(try #require(colors[text[...]]), ground) >= 4.5, "\(text) on \(ground)")
        }
        for drawn in ["track", "entry", "exit", "both"] {
          #expect(Self.contrast(try #require(colors[drawn[...]]), ground) >= 3, "\(drawn) on \(ground)")
        }
      }
    }
  }
}
