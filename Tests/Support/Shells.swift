import Foundation

/// Real shells that report which candidates a completion script offers at the end of a line.
///
/// Every function takes many lines, because starting a shell takes longer than a completion. `programs` is a folder
/// that comes first in PATH: put an `ifttt` there that responds to `__complete`.
package enum Shells {
  package struct Candidate: Sendable, Equatable {
    package let value: String
    package let description: String?
    package init(_ value: String, _ description: String? = nil) {
      (self.value, self.description) = (value, description)
    }
  }

  /// The replacements that bash offers for the current word as seen by readline, quoted for the line.
  ///
  /// Calls the script's function as bash does, with the line in `COMP_LINE` and `COMP_WORDS`.
  /// - Parameter type: The value of `COMP_TYPE`: 9 for the first TAB, 63 for the TAB that lists candidates.
  package static func bashCompletions(
    script: String, lines: [String], programs: String? = nil, type: Int = 9
  ) throws -> [[String]] {
    let driver = #"""
      set -u
      source ./script
      type=$1
      for line in "${@:2}"; do
        COMP_LINE=$line COMP_POINT=${#line} COMP_TYPE=$type COMP_WORDBREAKS=$' \t\n"\'><=;|&(:' COMPREPLY=()
        read -ra COMP_WORDS <<<"$line"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _ifttt ifttt "${COMP_WORDS[COMP_CWORD]}" ''
        for reply in ${COMPREPLY[@]+"${COMPREPLY[@]}"}; do printf '%s\n' "$reply"; done
        printf '\x1e\n'
      done
      """#
    let arguments = ["--norc", "--noprofile", "-c", driver, "bash", "\(type)"] + lines
    return try records(of: "bash", arguments, script: script, programs: programs).map { $0.map(\.value) }
  }

  /// The candidates that fish offers: whole words, unquoted, in fish's order.
  package static func fishCompletions(
    script: String, lines: [String], programs: String? = nil
  ) throws -> [[Candidate]] {
    let driver = #"""
      source ./script
      for line in $argv
        complete -C $line
        printf '\x1e\n'
      end
      """#
    let arguments = ["--no-config", "-c", driver] + lines
    return try records(of: "fish", arguments, script: script, programs: programs)
  }

  /// Run a shell and split its output into records. Each record ends with a line that contains U+001E.
  private static func records(
    of shell: String, _ arguments: [String], script: String, programs: String?
  ) throws -> [[Candidate]] {
    let folder = try ScratchFolder()
    try folder.write(script, to: "script")
    let outcome = try Tool.required(shell).run(arguments, in: folder, environment: searchPath(programs))
    guard outcome.status == 0, outcome.errors.isEmpty else { throw ShellFailure(outcome: outcome) }
    return records(in: outcome.output)
  }

  static func records(in text: String) -> [[Candidate]] {
    text.components(separatedBy: "\u{1e}\n").dropLast().map { record in
      record.split(separator: "\n").map { line in
        let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return Candidate(parts[0], parts.count > 1 && !parts[1].isEmpty ? parts[1] : nil)
      }
    }
  }

  static func searchPath(_ programs: String?) -> [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return programs.map { ["PATH": "\($0):\(path)"] } ?? [:]
  }
}

/// A shell that failed or wrote errors, with its output.
package struct ShellFailure: Error { package let outcome: Tool.Outcome }
