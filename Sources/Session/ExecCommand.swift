package import CommandLine
import Text
import World

extension ValueKind<String> {
  /// The command of `--exec`, as a single argument. Its own arguments come after `--`, and no shell parses
  /// them.
  package static var execCommand: ValueKind {
    ValueKind(ValueSchema(placeholder: "CMD", completion: .file)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it must not be empty") }
      guard !text.hasPrefix("-") else {
        throw ValueError("expected a command, with its arguments after '--': --exec ./hook -- ARG")
      }
      // A path may have spaces; the run checks at its start whether the file exists.
      if !text.utf8.contains(UInt8(ascii: "/")), let advice = text.commandAdvice(for: "exec") {
        throw ValueError(advice)
      }
      return text
    }
  }
}

extension Session {
  /// Rejects a program that cannot be found, because it may be run much later. A path with spaces is most likely a whole
  /// command line.
  /// - Parameter option: the option's name without dashes.
  package func checkProgram(_ program: String, of option: String) throws {
    guard let problem = world.processes.problem(finding: program) else { return }
    throw Problem(
      .usage, "the --\(option) command '\(program)' cannot be run",
      reason: program.commandAdvice(for: option) ?? problem.description,
      hint: "Specify the path of an executable file, or a program in a folder of \(EnvironmentVariable.path.name).")
  }

  /// A command to store, with an absolute path if it has a path: a relative one would name another program in another
  /// folder, such as a file of a cloned repository.
  /// - Parameter option: the option's name without dashes.
  /// - Throws: `usage` if the program cannot be found.
  package func storableCommand(_ words: [String], of option: String) throws -> [String] {
    try checkProgram(words[0], of: option)
    guard words[0].contains("/") else { return words }
    return [try world.absolutePath(words[0])] + words.dropFirst()
  }
}

extension String {
  /// The advice for a command line that was passed as one argument; nil for a single word.
  fileprivate func commandAdvice(for option: String) -> String? {
    let words = split(whereSeparator: \.isWhitespace)
    guard let first = words.first, words.count > 1 || first.count < count else {
      return isEmpty || !words.isEmpty ? nil : "expected a command"
    }
    let rest = words.count > 1 ? " -- " + words.dropFirst().joined(separator: " ") : ""
    return "expected only the command, with its arguments after '--': --\(option) \(first)\(rest)"
  }
}
