import JSON
import Secrets

/// Finds credentials in a body by the names beside them, `"user_token": "…"` and `access_token=…`, and puts stand-ins in
/// their place; every other byte stays as it was.
///
/// It reads leniently, so that an answer that is cut off or no JSON at all gives nothing away either.
struct BodyMask {
  private let bytes: [UInt8]
  private var masked: [UInt8] = []
  private var place = 0
  /// What was found.
  private(set) var secrets: [Secret] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// - Parameter known: applied to strings whose escapes hide what they hold.
  static func mask(_ bytes: [UInt8], known: Redactor) -> (bytes: [UInt8], secrets: [Secret]) {
    var members = BodyMask(bytes)
    members.maskMembers(known)
    var assignments = BodyMask(members.masked)
    assignments.maskAssignments()
    return (assignments.masked, members.secrets + assignments.secrets)
  }

  /// The stand-in of a value that may not even be fit for a secret.
  static func standIn(of value: String, _ secrets: inout [Secret]) -> String {
    guard let secret = Secret(parsing: value) else { return value.isEmpty ? "" : "stand-in" }
    secrets.append(secret)
    return secret.standIn.revealed
  }

  private mutating func maskMembers(_ known: Redactor) {
    var isSecret = false
    while place < bytes.count {
      let byte = bytes[place]
      if byte == UInt8(ascii: "\"") {
        let contents = string()
        let text = self.text(contents)
        let isKey = !isSecret && nextByte() == UInt8(ascii: ":")
        if isSecret {
          append(Self.standIn(of: text, &secrets), insteadOf: contents, reading: text)
        } else {
          append(contents.contains(UInt8(ascii: "\\")) ? known.redact(text) : text, insteadOf: contents, reading: text)
        }
        isSecret = isKey && SecretNames.holds(text)
      } else if isSecret, byte == UInt8(ascii: "-") || byte.isDigit {
        // A number stays one, so that what reads it still can.
        while place < bytes.count, bytes[place].isLetterOrDigit || "+-.".utf8.contains(bytes[place]) { place += 1 }
        masked.append(UInt8(ascii: "0"))
        isSecret = false
      } else {
        if byte > 0x20, byte != UInt8(ascii: ":") { isSecret = false }
        masked.append(byte)
        place += 1
      }
    }
  }

  /// The contents of the string at the place, which moves behind it, or to the end of one that is cut off.
  private mutating func string() -> ArraySlice<UInt8> {
    masked.append(bytes[place])
    place += 1
    let start = place
    while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
      place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
    }
    place = min(place, bytes.count)
    defer { place = min(place + 1, bytes.count) }
    return bytes[start..<place]
  }

  /// The next byte that is no white space; the place stays.
  private func nextByte() -> UInt8? { bytes[place...].first { $0 > 0x20 } }

  private func text(_ contents: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    contents.withUnsafeBytes { JSONScanner.appendText(of: $0, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes a string's contents and closing quote, byte for byte where nothing had to be changed.
  private mutating func append(_ new: String, insteadOf contents: ArraySlice<UInt8>, reading old: String) {
    masked += new == old ? Array(contents) : Array(JSONValue.string(new).bytes.dropFirst().dropLast())
    if contents.endIndex < bytes.count { masked.append(UInt8(ascii: "\"")) }
  }

  private mutating func maskAssignments() {
    var name = 0
    while place < bytes.count {
      let byte = bytes[place]
      masked.append(byte)
      place += 1
      if byte == UInt8(ascii: "="), SecretNames.holdsInQuery(String(decoding: bytes[name..<place - 1], as: UTF8.self)) {
        let start = place
        while place < bytes.count, bytes[place] > 0x20, !"&;,\"'<>()\\".utf8.contains(bytes[place]) { place += 1 }
        let value = Percent.decodeQuery(String(decoding: bytes[start..<place], as: UTF8.self))
        let standIn = Self.standIn(of: value, &secrets)
        masked += standIn == value ? Array(bytes[start..<place]) : Array(Percent.encode(standIn).utf8)
      }
      if !byte.isLetterOrDigit, byte != UInt8(ascii: "_"), byte != UInt8(ascii: "-") { name = place }
    }
  }
}
