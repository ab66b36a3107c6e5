/// Words for a POSIX shell, formatted so that they can be shown in a sentence and pasted.
package enum ShellWord {
  /// Returns the word, quoted if the shell would change it; nil if it cannot be pasted in any form.
  ///
  /// Text that a terminal would interpret, reorder or hide is written as a `printf` command, which every POSIX shell
  /// has. The shell expands it to the original word, byte by byte.
  package static func pastable(_ text: String) -> String? {
    guard text.utf8.count <= limit else { return nil }
    guard isReadable(text) else { return spelledOut(text) }
    return quoted(text)
  }

  /// Returns the word, quoted if necessary, for a file or a program. Some of its characters may not be visible to a
  /// person.
  package static func quoted(_ text: String) -> String {
    let isBare = !text.isEmpty && text.utf8.first != UInt8(ascii: "=") && text.utf8.allSatisfy { isSafe($0) }
    guard !isBare else { return text }
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += #"'\''"#
      // fish interprets a backslash inside quotes; outside of them, all shells agree.
      case "\\": result += #"'\\'"#
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// The maximum length of a word in a sentence, in bytes.
  private static let limit = 1000

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+:@%,=".utf8.contains(byte)
    }
  }

  /// Returns whether a person sees all of the text in its order, and no display changes it.
  private static func isReadable(_ text: String) -> Bool {
    // GitHub Actions interprets this prefix in a log.
    !text.includes("##[") && text.unicodeScalars.allSatisfy(isReadable)
  }

  private static func isReadable(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return 0x20...0x7e ~= scalar.value }
    let properties = scalar.properties
    if properties.isDefaultIgnorableCodePoint { return false }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }

  /// Returns a `printf` command in which everything but letters, digits and a few symbols is a three-digit octal
  /// number. Every shell's `printf` accepts these.
  private static func spelledOut(_ text: String) -> String? {
    // An argument cannot contain NUL, and a shell removes the trailing newlines of a command substitution.
    guard !text.utf8.contains(0), text.utf8.last != UInt8(ascii: "\n") else { return nil }
    let octal = text.utf8.map { byte -> String in
      if isSafe(byte), byte != UInt8(ascii: "%") { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 8)
      return #"\0"# + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
    return #""$(printf %b '\#(octal.joined())')""#
  }
}
