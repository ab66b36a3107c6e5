import ProgramDriver
import Support
import Testing

@testable import Session

/// The Connect Button drawn by `connections button`.
@Suite struct ButtonTests {
  @Test func drawsWithoutColorsIfStdoutIsNotATerminal() {
    let drawn = Home().sandbox("connections button Kd7Rn2Qx")
    #expect(drawn.exit == .success && drawn.errors == "")
    #expect(drawn.lines.first == "╭" + String(repeating: "─", count: 39) + "╮")
    #expect(drawn.lines[1].contains("Connected"))
    #expect(drawn.lines.last == "            Works with IFTTT")
    #expect(!drawn.output.contains("\u{1b}"))
  }

  @Test(arguments: [("Kd7Rn2Qx", "Connected"), ("Xe2Gf9Ln", "Connect ")])
  func showsTheConnectionsStatus(id: String, label: String) {
    let home = Home()
    let status = home.sandbox("connections show \(id) -o csv --no-header --fields status").lines.first
    #expect((status == "enabled") == (label == "Connected"))
    #expect(home.sandbox("connections button \(id)").lines[1].contains(label))
  }

  @Test func usesTheColorsThatTheTerminalSupports() {
    let home = Home()
    home.environment = ["COLORTERM": "truecolor"]
    #expect(home.sandbox("connections button Kd7Rn2Qx --color always").output.contains("\u{1b}[38;2;34;34;34m"))
    home.environment = ["TERM": "xterm-256color"]
    #expect(home.sandbox("connections button Kd7Rn2Qx --color always").output.contains("\u{1b}[38;5;235m"))
    home.environment = ["NO_COLOR": "1", "COLORTERM": "truecolor"]
    #expect(!home.sandbox("connections button Kd7Rn2Qx").output.contains("\u{1b}"))
  }

  @Test func anSVGIgnoresTheOutputFormat() {
    let home = Home()
    let svg = home.sandbox("connections button Kd7Rn2Qx --format svg --state connect")
    #expect(svg.output.hasPrefix("<svg ") && svg.output.hasSuffix("</svg>\n"))
    for format in ["--json", "-o csv", "--color always"] {
      #expect(home.sandbox("connections button Kd7Rn2Qx --format svg --state connect \(format)").output == svg.output)
    }
  }

  @Test func theHTMLSnippetLinksToIFTTT() {
    let html = Home().sandbox("connections button Kd7Rn2Qx --format html --state email --email kai@mail.test")
    #expect(html.output.contains("action=\"https://ifttt.com/connect/Kd7Rn2Qx\""))
    #expect(html.output.contains("value=\"kai@mail.test\""))
    #expect(!Home().sandbox("connections button Kd7Rn2Qx --format html --no-footer").output.contains("<p"))
  }

  @Test func neitherTracksNorCachesTheConnection() {
    let home = Home()
    let answers = Server().answering(200, Server.connection("aa", name: "Lamps", status: nil))
    #expect(home.run("connections button aa --as anonymous", answers: answers).lines[1].contains("Connect Lamps"))
    #expect(home.run("connections list --offline --json").output == "[]\n")
    let offline = home.run("connections button aa --offline")
    #expect(offline.exit == .notFound && offline.notes.first == "ifttt: connection 'aa' was never fetched")
  }

  @Test func drawsACachedConnectionOffline() {
    let home = Home()
    let answers = Server().answering(200, Server.connection("aa", name: "Lamps", status: "disabled"))
    home.run("connections add aa --as anonymous", answers: answers)
    #expect(home.run("connections button aa --offline").lines[1].contains("Connect Lamps"))
  }

  @Test func drawsNothingForAnUnknownConnection() {
    let missing = Home().sandbox("connections button nope --format svg")
    #expect(missing.exit == .notFound && missing.output == "")
    let hostile = Server().answering(200, Server.connection("aa", name: "\\u001b[31m<b>\\u202e", status: nil))
    let drawn = Home().run("connections button aa --as anonymous --format html", answers: hostile)
    #expect(drawn.output.contains("[31m&lt;b&gt;") && !drawn.output.contains("\u{1b}"))
  }

  @Test func aDryRunShowsTheRequest() {
    let dry = Home().run("connections button aa --as anonymous --dry-run -o csv --no-header --fields url")
    #expect(dry.output == "https://connect.ifttt.com/v2/connections/aa\n")
  }
}
