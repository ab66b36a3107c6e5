/// Masks known credentials wherever they turn up in a text that others wrote: an error, a trace, an answer.
package struct Redactor: Sendable {
  /// Longest first, so that a secret which contains another is masked as a whole.
  private let replacements: [(found: [UInt8], shown: [UInt8])]

  /// Each secret is looked for as it is and as a URL carries it, percent-encoded (RFC 3986, all but the unreserved
  /// characters; hexadecimal digits in either case).
  package init(_ secrets: [Secret]) {
    var replacements: [(found: [UInt8], shown: [UInt8])] = []
    for secret in Set(secrets) {
      let plain = Array(secret.revealed.utf8)
      let spellings: Set = [
        plain, encoded(plain, digits: Array("0123456789ABCDEF".utf8)),
        encoded(plain, digits: Array("0123456789abcdef".utf8)),
      ]
      for spelling in spellings { replacements.append((spelling, Array(secret.masked.utf8))) }
    }
    self.replacements = replacements.sorted { $0.found.count > $1.found.count }
  }

  /// The text with every occurrence masked as ``Secret/masked`` masks it, one that is cut off at the end too.
  package func redact(_ text: String) -> String {
    guard !replacements.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      if let match = replacements.first(where: { bytes[place...].starts(with: $0.found) }) {
        shown += match.shown
        place += match.found.count
      } else if let match = cutOff(bytes[place...]) {
        shown += match.shown
        place = bytes.count
      } else {
        shown.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// The secret that a shortened text ends within; a few characters of it give nothing away.
  private func cutOff(_ rest: ArraySlice<UInt8>) -> (found: [UInt8], shown: [UInt8])? {
    guard rest.count >= 8 else { return nil }
    return replacements.first { $0.found.starts(with: rest) }
  }
}

private func encoded(_ bytes: [UInt8], digits: [UInt8]) -> [UInt8] {
  bytes.flatMap { byte -> [UInt8] in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      [byte]
    default:
      [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
}
