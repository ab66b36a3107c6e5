@testable import IFTTT
import Testing
import Text

@Suite struct TerminalDrawingTests {
  static func draw(_ button: ConnectButton, columns: Int = 80, colors: TerminalColors = .none) -> [String] {
    let text = button.drawn(columns: columns, colors: colors)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  static func plain(_ line: String) -> String { line.replacing(#/\u{1b}\[[0-9;]*m/#, with: "") }

  @Test func framedDrawing() {
    #expect(
      Self.draw(ConnectButton(.connect)) == [
        "╭───────────────────────────────────────╮",
        "│ (L)          Connect Lampost          │",
        "╰───────────────────────────────────────╯",
        "            Works with IFTTT", "",
      ])
    #expect(Self.draw(ConnectButton(.connected))[1] == "│            Connected              (L) │")
    #expect(Self.draw(ConnectButton(.email))[1] == "│ Your email address                (→) │")
    #expect(Self.draw(ConnectButton(.connecting))[2] == "╰━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━─────────╯")
    #expect(Self.draw(ConnectButton(.checkMark))[1] == "│                   ✓                   │")
  }

  @Test func coloredDrawing() {
    let direct = Self.draw(ConnectButton(.connect), colors: .direct)
    #expect(direct[0].contains("\u{1b}[38;2;34;34;34m"))
    #expect(direct[1].contains("\u{1b}[1;38;2;0;0;0;48;2;245;166;35m  L  "))
    #expect(Self.plain(direct[1]) == "▐  L           Connect Lampost          ▌")
    #expect(direct[3] == "            Works with \u{1b}[1mIFTTT\u{1b}[0m")
    #expect(Self.draw(ConnectButton(.connect), colors: .indexed)[0].contains("\u{1b}[38;5;235m"))
    #expect(Self.draw(ConnectButton(.invalidEmail), colors: .indexed)[3].contains("\u{1b}[31mEnter"))
  }

  /// All lines of the button have the same width, and none is wider than the screen.
  @Test(arguments: [12, 20, 41, 200], [TerminalColors.none, .indexed, .direct])
  func linesHaveTheSameWidth(columns: Int, colors: TerminalColors) {
    for button in ConnectButton.many {
      let lines = Self.draw(button, columns: columns, colors: colors)
      #expect(lines.count == 5)
      let widths = lines.map { TextWidth.of(Self.plain($0)) }
      #expect(widths.prefix(3).allSatisfy { $0 == min(columns, 41) }, "\(lines)")
      #expect(widths[3] <= min(columns, 41))
      for line in lines {
        if colors == .none { #expect(!line.contains("\u{1b}")) } else { #expect(line.isEmpty || !line.hasSuffix("[m")) }
      }
    }
  }

  @Test func onlyRightToLeftTextHasIsolates() {
    #expect(Self.draw(ConnectButton(.connect, .arabic))[1].contains("\u{2068}مصباح\u{2069}"))
    #expect(!Self.draw(ConnectButton(.connect))[1].contains("\u{2068}"))
  }
}
