import Foundation
import Testing

/// A file that reads like a terminal session, with commands and all of their output.
///
///   # a description
///   $ IFTTT_OUTPUT=tsv ifttt token set --user-token-file -
///   < typed-or-piped-in
///   stdout, with [time] for any time, [any] for any text within a line
///   [lines]
///   stdout after any number of lines, at most once per command
///   2> stderr
///   # exit 4
///
/// Nothing else may be printed. Without `# exit`, the status is 0. Lines `# …` before the first command are comments; of
/// these, `# seed: NAME` selects a built-in seed of the sandbox.
struct Transcript: CustomTestStringConvertible {
  struct Step {
    var line: Int
    var environment: [String: String] = [:]
    var words: [String] = []
    var input: String?
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
  }

  let name: String
  /// The sandbox's seed; nil for the default.
  private(set) var seed: String?
  private(set) var steps: [Step] = []
  var testDescription: String { name }

  struct Unreadable: Error { var words: String }

  init(name: String, text: String) throws {
    self.name = name
    for (number, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("$ ") {
        try steps.append(Self.step(line.dropFirst(2), at: number + 1))
        continue
      }
      guard let last = steps.indices.last else {
        if line.hasPrefix("# seed: ") { seed = String(line.dropFirst(8)) }
        continue
      }
      if line.hasPrefix("< ") {
        steps[last].input = (steps[last].input ?? "") + line.dropFirst(2) + "\n"
      } else if line.hasPrefix("2> ") || line == "2>" {
        steps[last].errors.append(String(line.dropFirst(3)))
      } else if line.hasPrefix("# exit ") {
        guard let status = Int32(line.dropFirst(7)) else { throw Unreadable(words: "\(name): \(line)") }
        steps[last].status = status
      } else {
        steps[last].output.append(line)
      }
    }
    for index in steps.indices {
      while steps[index].output.last == "" { steps[index].output.removeLast() }
    }
  }

  private static func step(_ line: Substring, at number: Int) throws -> Step {
    var step = Step(line: number)
    var words = try split(line)
    while let first = words.first, let equals = first.firstIndex(of: "="), !first.hasPrefix("-") {
      step.environment[String(first[..<equals])] = String(first[first.index(after: equals)...])
      words.removeFirst()
    }
    guard words.first == "ifttt" else { throw Unreadable(words: "line \(number) does not run ifttt") }
    step.words = Array(words.dropFirst())
    return step
  }

  /// Split a line like a shell, with single and double quotes but no expansion.
  static func split(_ line: Substring) throws -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    for character in line {
      if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character == " " {
        if let word { words.append(word) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { throw Unreadable(words: "an open quote: \(line)") }
    return words + [word].compactMap(\.self)
  }

  /// The variables that give the sandbox profile this seed.
  var environment: [String: String] { seed.map { ["IFTTT_SANDBOX_SEED": $0] } ?? [:] }

  /// All transcripts in the folder `Transcripts`.
  static let all = read("Transcripts")
  /// The transcripts that need a browser and a separate server.
  static let inBrowser = read("Transcripts/Browser")
  /// The transcripts that need the files of Examples.
  static let examples = read("Transcripts/Examples")
  /// The transcripts of changes at a server and a provider of their own.
  static let ofChanges = read("Transcripts/Changes")
  /// The transcripts that control a running sandbox server.
  static let withServer = read("Transcripts/Server")

  private static func read(_ folder: String) -> [Transcript] {
    let folder = Bundle.module.resourceURL?.appendingPathComponent(folder)
    let files = folder.flatMap { try? FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: nil) }
    return (files ?? []).filter { $0.pathExtension == "txt" }.sorted { $0.path < $1.path }.compactMap { file in
      do {
        let name = file.deletingPathExtension().lastPathComponent
        return try Transcript(name: name, text: String(contentsOf: file, encoding: .utf8))
      } catch {
        Issue.record(error)
        return nil
      }
    }
  }
}

extension Transcript.Step {
  /// The difference between the expected and the actual output; nil if they are equal.
  func difference(status: Int32, output: String, errors: String) -> String? {
    var problems: [String] = []
    if status != self.status { problems.append("exit \(status) instead of \(self.status)") }
    problems += Self.differences(self.output, output, mark: "")
    problems += Self.differences(self.errors, errors, mark: "2> ")
    guard !problems.isEmpty else { return nil }
    return "line \(line): ifttt \(words.joined(separator: " "))\n" + problems.joined(separator: "\n")
  }

  private static func differences(_ expected: [String], _ text: String, mark: String) -> [String] {
    var lines = text.components(separatedBy: "\n")
    while lines.last == "" { lines.removeLast() }
    guard allMatch(expected, lines) else {
      return ["expected:"] + expected.map { mark + $0 } + ["came:"] + lines.map { mark + $0 }
    }
    return []
  }

  /// Whether the lines match the patterns, of which one may be `[lines]`.
  private static func allMatch(_ patterns: [String], _ lines: [String]) -> Bool {
    guard let gap = patterns.firstIndex(of: "[lines]") else {
      return patterns.count == lines.count && zip(patterns, lines).allSatisfy(matches)
    }
    let tail = patterns[(gap + 1)...]
    return lines.count >= gap + tail.count && zip(patterns[..<gap], lines).allSatisfy(matches)
      && zip(tail, lines.suffix(tail.count)).allSatisfy(matches)
  }

  private static func matches(_ pattern: String, _ line: String) -> Bool {
    var expression = NSRegularExpression.escapedPattern(for: pattern)
    let time = #"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?Z"#
    expression = expression.replacingOccurrences(of: #"\[time]"#, with: time)
      .replacingOccurrences(of: #"\[time\]"#, with: time)
      .replacingOccurrences(of: #"\[any]"#, with: ".*").replacingOccurrences(of: #"\[any\]"#, with: ".*")
    return line.range(of: "^(?:\(expression))$", options: .regularExpression) != nil
  }
}
