/// Words as a POSIX shell reads them back, written so that they can be shown in a sentence and pasted.
package enum ShellWord {
  /// The word as it is if a shell leaves it so, otherwise quoted; nil if no form of it can be pasted.
  ///
  /// Text that a terminal would obey, reorder or hide is spelled out for `printf`, which every POSIX shell has; what a
  /// shell makes of the form is the word itself, byte by byte.
  package static func pastable(_ text: String) -> String? {
    guard text.utf8.count <= limit else { return nil }
    guard isReadable(text) else { return spelledOut(text) }
    return quoted(text)
  }

  /// The word, quoted if it has to be. For a file or a program; a person may not see everything that is in it.
  package static func quoted(_ text: String) -> String {
    let isBare = !text.isEmpty && text.utf8.first != UInt8(ascii: "=") && text.utf8.allSatisfy { isSafe($0) }
    guard !isBare else { return text }
    var result = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": result += #"'\''"#
      // fish reads a backslash between quotes; outside them all shells agree.
      case "\\": result += #"'\\'"#
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "'"
  }

  /// A longer word is not shown in a sentence.
  private static let limit = 1000

  private static func isSafe(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+:@%,=".utf8.contains(byte)
    }
  }

  /// Whether a person sees all of it, in its order, and nothing that shows it changes it.
  private static func isReadable(_ text: String) -> Bool {
    // A log of GitHub Actions is searched for this.
    !contains("##[", in: text) && text.unicodeScalars.allSatisfy(isReadable)
  }

  private static func contains(_ part: String, in text: String) -> Bool {
    let (part, bytes) = (Array(part.utf8), Array(text.utf8))
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
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

  /// Everything but letters, digits and a few signs as octal numbers of three digits, which `printf` reads in every shell.
  private static func spelledOut(_ text: String) -> String? {
    // No argument holds a NUL, and a shell drops the line ends that a substitution ends with.
    guard !text.utf8.contains(0), text.utf8.last != UInt8(ascii: "\n") else { return nil }
    let octal = text.utf8.map { byte -> String in
      if isSafe(byte), byte != UInt8(ascii: "%") { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 8)
      return #"\0"# + String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }
    return #""$(printf %b '\#(octal.joined())')""#
  }
}
