@testable import IFTTT
import Testing

@Suite struct TerminalDrawingTests {
  /// Sufficient for these texts: isolates and combining marks take no column, East Asian characters and emoji take
  /// two.
  static func width(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first?.value else { return 0 }
    if (0x2066...0x2069).contains(scalar) || (0x300...0x36F).contains(scalar) { return 0 }
    return (0x2E80...0xFFEF).contains(scalar) || scalar > 0x1F000 ? 2 : 1
  }

  static func draw(_ button: ConnectButton, columns: Int = 80, colors: TerminalColors = .none) -> [String] {
    let text = button.drawn(on: ConnectButton.Screen(columns: columns, colors: colors) { width($0) })
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
      let widths = lines.map { Self.plain($0).reduce(0) { $0 + Self.width($1) } }
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
