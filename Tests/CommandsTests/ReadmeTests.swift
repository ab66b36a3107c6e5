import Arguments
import Foundation
import ProgramDriver
import Support
import Testing

@testable import CommandContext
@testable import Commands

/// The README's examples work: its sessions are run, and the commands in its other blocks parse.
@Suite struct ReadmeTests {
  @Test(.enabled(if: Tool.isInstalled("jq"), "skipped: needs jq"))
  func sessionsPrintTheShownOutput() throws {
    let folder = try ScratchFolder()
    let bash = try Tool.required("bash")
    let program = URL(fileURLWithPath: BuiltProduct.path("ifttt")).deletingLastPathComponent().path
    let path = program + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    try folder.write(try Checkout.text("Examples/location/walk.gpx"), to: "walk.gpx")
    let environment = ["IFTTT_HOME": folder.path + "/home", "PATH": path]
    let steps = try Readme().sessions.flatMap(Readme.steps)
    #expect(steps.count >= 5)
    for step in steps {
      let outcome = try bash.run(["-c", "{ \(step.command); } 2>&1"], in: folder, environment: environment)
      #expect(outcome.output == step.output, "\(step.command)")
    }
  }

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
  var sessions: [String] { blocks.filter { $0.language == "console" }.map(\.text) }

  init() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let parts = text.components(separatedBy: "```")
    blocks = stride(from: 1, to: parts.count, by: 2).map { place in
      let lines = parts[place].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return Block(language: String(lines[0]), text: lines.count > 1 ? String(lines[1]) : "")
    }
  }

  /// A session's commands, each with its output.
  static func steps(_ session: String) -> [(command: String, output: String)] {
    session.components(separatedBy: "$ ").dropFirst().map { step in
      let lines = step.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
    }
  }
}

extension Substring {
  fileprivate func trimmingPrefix(while matches: (Character) -> Bool) -> Substring { drop(while: matches) }
}
