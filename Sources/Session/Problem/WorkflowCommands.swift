package import Text
package import World

/// The workflow commands that GitHub Actions parses from everything a step prints, and the escaping that prevents
/// other text from being parsed as a command.
///
/// A line is a command if it starts with `::` after optional white space, or, in the older form, contains `##[`
/// anywhere.
/// (https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands)
package enum WorkflowCommands {
  /// Whether the program runs in GitHub Actions.
  package static func areRead(in world: World) -> Bool { world.environment[.githubActions] == "true" }

  /// Shows a failure next to the job's result.
  package static func error(title: String, _ message: String) -> String {
    let line = Array("::error title=\(escaped(title, ":,"))::\(escaped(message))\n".utf8)
    return String(decoding: replacing("##[", by: #"\u{23}#["#, in: line), as: UTF8.self)
  }

  /// Makes the log show `***` for a secret from now on.
  package static func mask(_ secret: Secret) -> String { "::add-mask::\(escaped(secret.revealed))\n" }

  /// A percent sign would start an escape, and a line ending would end the command.
  private static func escaped(_ text: String, _ more: String = "") -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case _ where more.unicodeScalars.contains(scalar):
        result += "%" + String(hex: scalar.value, width: 2, uppercase: true)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Text for people in which no line is a command.
  package static func disarmed(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
      let start = line.unicodeScalars.drop { $0.properties.isWhitespace }
      guard start.starts(with: "::".unicodeScalars) else { return String(line) }
      // Split by scalars: a combining mark after a colon would form one `Character` with it.
      return String(line.unicodeScalars[..<start.startIndex]) + #"\u{3a}"# + String(start.dropFirst())
    }
    let bytes = replacing("##[", by: #"\u{23}#["#, in: Array(lines.joined(separator: "\n").utf8))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The same JSON, escaped so that no line is a command. `#` occurs only within strings, and no line starts with a
  /// colon.
  package static func disarmed(json: UnsafeRawBufferPointer) -> [UInt8] {
    replacing("##[", by: ##"#\u0023["##, in: Array(json))
  }

  private static func replacing(_ text: String, by other: String, in bytes: [UInt8]) -> [UInt8] {
    let pattern = Array(text.utf8)
    guard bytes.contains(pattern[0]) else { return bytes }
    var result: [UInt8] = []
    var position = 0
    while position < bytes.count {
      if bytes[position...].starts(with: pattern) {
        result += Array(other.utf8)
        position += pattern.count
      } else {
        result.append(bytes[position])
        position += 1
      }
    }
    return result
  }
}

extension World {
  /// The column at which text for people is wrapped: at most 80, for readability. Nil if stderr is not a terminal,
  /// because programs search that text by line.
  package var messageWidth: Int? { terminal.errorIsTerminal ? min(terminal.columns ?? 80, 80) : nil }

  /// Writes text for people to stderr.
  package func writeMessage(_ text: String) {
    writeError(WorkflowCommands.areRead(in: self) ? WorkflowCommands.disarmed(text) : text)
  }
}
