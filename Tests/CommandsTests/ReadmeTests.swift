import CommandLine
import Foundation
import Support
import Testing

@testable import Commands
@testable import Session

/// The commands in the README's blocks parse. `DocumentTests` runs the blocks.
@Suite struct ReadmeTests {
  @Test func commandsOfOtherBlocksParse() throws {
    let lines = try Readme().blocks.filter { $0.language != "console" }.flatMap { $0.text.split(separator: "\n") }
      .map { $0.trimmingPrefix(while: \.isWhitespace) }.filter { $0.hasPrefix("ifttt ") }
    #expect(lines.count >= 5)
    for line in lines {
      let command = line.split(separator: "|")[0].split(separator: "#")[0]
      let words = try #require(ShellWords.split(String(command.dropFirst("ifttt ".count))))
      guard case .run = Root.tree.ownParser.parse(words, environment: { _ in nil }).outcome else {
        Issue.record("does not parse: \(line)")
        continue
      }
    }
  }
}

/// The README's code blocks.
private struct Readme {
  struct Block {
    let language: String
    let text: String
  }
  let blocks: [Block]

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    blocks = stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(language: String(lines[0]), text: lines.count > 1 ? String(lines[1]) : "")
    }
  }
}

extension Substring {
  fileprivate func trimmingPrefix(while matches: (Character) -> Bool) -> Substring { drop(while: matches) }
}
