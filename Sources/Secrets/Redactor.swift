/// Masks known credentials wherever they turn up in a text that others wrote: an error, a trace, an answer.
package struct Redactor: Sendable {
  /// Longest first, so that a secret which contains another is masked as a whole.
  private let replacements: [Replacement]
  /// Which bytes one of them begins with: most of a text is passed over by one look.
  private var begins = [Bool](repeating: false, count: 256)

  private struct Replacement {
    var found: [UInt8]
    var shown: [UInt8]

    /// As it is, and percent-encoded with digits in upper and in lower case.
    static func spellings(of secret: Secret) -> [[UInt8]] {
      let plain = Array(secret.revealed.utf8)
      return [
        plain, encoded(plain, digits: Array("0123456789ABCDEF".utf8)),
        encoded(plain, digits: Array("0123456789abcdef".utf8)),
      ]
    }
  }

  /// Each secret is looked for as it is and as a URL carries it, percent-encoded (RFC 3986, all but the unreserved
  /// characters; hexadecimal digits in either case), and is shown as ``Secret/masked`` shows it.
  package init(_ secrets: [Secret]) {
    self.init(secrets) { secret in
      let shown = Array(secret.masked.utf8)
      return Replacement.spellings(of: secret).map { Replacement(found: $0, shown: shown) }
    }
  }

  /// One that puts each secret's stand-in in its place, spelt as the secret was.
  package static func standingIn(for secrets: [Secret]) -> Redactor {
    Redactor(secrets) { secret in
      zip(Replacement.spellings(of: secret), Replacement.spellings(of: secret.standIn)).map(Replacement.init)
    }
  }

  private init(_ secrets: [Secret], _ replacements: (Secret) -> [Replacement]) {
    var seen: Set<[UInt8]> = []
    self.replacements = Set(secrets).flatMap(replacements).filter { seen.insert($0.found).inserted }
      .sorted { $0.found.count > $1.found.count }
    for replacement in self.replacements { begins[Int(replacement.found[0])] = true }
  }

  /// The text with every occurrence masked, one that is cut off at the end too.
  package func redact(_ text: String) -> String {
    replacements.isEmpty ? text : String(decoding: redact(Array(text.utf8)), as: UTF8.self)
  }

  /// The same for bytes, which need not be text.
  /// - Parameter cutsOff: whether the end may be the beginning of a secret.
  package func redact(_ bytes: [UInt8], cutsOff: Bool = true) -> [UInt8] {
    guard !replacements.isEmpty else { return bytes }
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      guard begins[Int(bytes[place])] else {
        shown.append(bytes[place])
        place += 1
        continue
      }
      if let match = replacements.first(where: { bytes[place...].starts(with: $0.found) }) {
        shown += match.shown
        place += match.found.count
      } else if cutsOff, let match = cutOff(bytes[place...]) {
        shown += match.shown
        place = bytes.count
      } else {
        shown.append(bytes[place])
        place += 1
      }
    }
    return shown
  }

  /// The secret that a shortened text ends within; a few characters of it give nothing away.
  private func cutOff(_ rest: ArraySlice<UInt8>) -> Replacement? {
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
