import Arguments
import Commands
import Foundation
import HTTP
import Support
import Testing
import World

/// Every option of every command with values it was not made for: an exit code from the list, and nothing on standard
/// error that a terminal would obey.
@Suite struct ArgumentFaultTests {
  /// One option of one command, as `help --json` tells of it.
  struct Case: CustomTestStringConvertible {
    let path: [String]
    let options: [String]
    var testDescription: String { path.joined(separator: " ") }
  }

  static let values: [[UInt8]] = [
    [], Array("-".utf8), Array("--help".utf8), Array("-x".utf8), Array("a\nb".utf8), Array("\u{1b}[2J\u{7}".utf8),
    [0xff, 0xfe], [0x61, 0xc3], Array("\u{202e}x".utf8), Array("99999999999999999999999".utf8),
    Array(repeating: 0x61, count: 130_000), Array(repeating: 0xff, count: 130_000),
  ]

  private static func tree() throws -> [String: Any] {
    let outcome = try Home().run("help", "--json")
    return try #require(JSONSerialization.jsonObject(with: Data(outcome.output)) as? [String: Any])
  }

  @Test func everyOptionOfEveryCommand() throws {
    let cases = try Self.cases(Self.tree(), path: [])
    #expect(cases.count >= 25)
    let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
    for one in cases {
      for option in one.options {
        for value in Self.values {
          // Together and apart: they are read by different code.
          let joined = Array("\(option)=".utf8) + value
          try expectSense(home, one.path.map { Array($0.utf8) } + [joined])
        }
        try expectSense(home, one.path.map { Array($0.utf8) } + [Array(option.utf8)])
      }
      for value in Self.values { try expectSense(home, one.path.map { Array($0.utf8) } + [value]) }
    }
    #expect(try home.isIntact())
  }

  private func expectSense(_ home: Home, _ words: [[UInt8]]) throws {
    let outcome = try home.run(bytes: words, ["IFTTT_PROFILE": "sandbox", "IFTTT_CONNECT_URL": "http://127.0.0.1:1"])
    let shown = words.map { String(decoding: $0.prefix(60), as: UTF8.self).debugDescription }.joined(separator: " ")
    #expect((0...8).contains(outcome.status), "\(shown): \(outcome.status)")
    #expect(Self.isPlain(outcome.errors), "\(shown): \(outcome.errors.prefix(2000).debugDescription)")
    #expect(outcome.errors.utf8.count < 20_000, "\(shown): \(outcome.errors.utf8.count) bytes")
  }

  private static func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x0a: true
      case 0..<0x20, 0x7f..<0xa0, 0x202a...0x202e, 0x2066...0x2069: false
      default: true
      }
    }
  }
}
