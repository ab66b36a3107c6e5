/// The reason that a text from a user is not a credential. It never repeats the text.
package enum SecretFault: Error, Equatable, CustomStringConvertible {
  case empty
  case notUTF8
  case controlCharacters
  case encoding(ForeignEncoding)
  case invisible(InvisibleCharacter)
  case quoted
  case assignment

  package var description: String { "it \(predicate)" }

  /// The rest of a sentence whose subject is the text.
  package var predicate: String {
    switch self {
    case .empty: "is empty"
    case .notUTF8: "is not UTF-8"
    case .controlCharacters: "contains control characters"
    case .encoding(let encoding): encoding.predicate
    case .invisible(let character): "contains \(character)"
    case .quoted: "is in quotes"
    case .assignment: "has the form KEY=value"
    }
  }
}

extension Secret {
  /// Reads the contents of a file or of stdin: one line, without its byte order mark and line ending.
  package init(file bytes: [UInt8]) throws(SecretFault) {
    var bytes = bytes
    do throws(ForeignEncoding) { bytes = try TextStart.removed(from: bytes) } catch { throw .encoding(error) }
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    try self.init(given: text)
  }

  /// Reads a text that a user typed, pasted, or set as a variable. Characters that were copied with a credential by
  /// mistake are an error: a server would only respond that the credential is wrong.
  package init(given text: String) throws(SecretFault) {
    // A shell keeps the byte order mark of a file in `$(cat FILE)`.
    let text = text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    guard !text.isEmpty else { throw .empty }
    guard let secret = Secret(parsing: text) else { throw .controlCharacters }
    if let character = InvisibleCharacter(in: text) { throw .invisible(character) }
    guard !Self.isQuoted(text) else { throw .quoted }
    guard !Self.isAssignment(text) else { throw .assignment }
    self = secret
  }

  private static func isQuoted(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, text.unicodeScalars.count > 1
    else { return false }
    return switch first {
    case "\"", "'", "`": last == first
    case "\u{201c}", "\u{201e}": last == "\u{201d}" || last == "\u{201c}"
    case "\u{2018}": last == "\u{2019}"
    default: false
    }
  }

  /// Whether the text is a line of an environment file, such as `export IFTTT_SERVICE_KEY=…`. Equal signs at the end are
  /// padding of Base64.
  private static func isAssignment(_ text: String) -> Bool {
    var text = text[...]
    if text.hasPrefix("export ") { text = text.dropFirst(7) }
    guard let sign = text.firstIndex(of: "="), text[sign...].contains(where: { $0 != "=" }) else { return false }
    let name = text[..<sign].utf8
    let isName = name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isName, let first = name.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
    let isUppercase = !name.contains { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    return isUppercase || ["key", "token", "secret", "code"].contains { text[..<sign].lowercased().hasSuffix($0) }
  }
}
