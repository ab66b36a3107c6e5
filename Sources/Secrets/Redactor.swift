import Encoding

/// Masks known credentials in text from other sources: an error, a trace, a response.
package struct Redactor: Sendable {
  /// The replacements by the first byte of the searched text, so that one lookup rules out most positions. The
  /// longest comes first, so that a secret that contains another is masked as a whole.
  private var replacements: [[Replacement]] = []
  private var longest = 0

  private struct Replacement {
    var found: [UInt8]
    var shown: [UInt8]
  }

  /// Creates a redactor that shows each secret as ``Secret/masked``.
  ///
  /// It finds each secret in plain form, percent-encoded (RFC 3986, all but the unreserved characters; hexadecimal
  /// digits in either case) and within Base64.
  package init(_ secrets: [Secret]) {
    self.init(secrets) { secret in
      let shown = Array(secret.masked.utf8)
      return Self.spellings(of: secret).map { Replacement(found: $0, shown: shown) }
        + EncodedSecret.parts(of: secret).map { Replacement(found: $0, shown: shown) }
    }
  }

  /// Returns a redactor that replaces each secret with its stand-in, in the same encoding as the secret.
  package static func standingIn(for secrets: [Secret]) -> Redactor {
    Redactor(secrets) { secret in
      zip(spellings(of: secret), spellings(of: secret.standIn)).map(Replacement.init)
        + EncodedSecret.parts(of: secret).map { Replacement(found: $0, shown: EncodedSecret.standIn(for: $0)) }
    }
  }

  private init(_ secrets: [Secret], _ spelled: (Secret) -> [Replacement]) {
    var seen: Set<[UInt8]> = []
    let all = Set(secrets).flatMap(spelled).filter { seen.insert($0.found).inserted }
    guard !all.isEmpty else { return }
    replacements = Array(repeating: [], count: 256)
    for replacement in all.sorted(by: { $0.found.count > $1.found.count }) {
      replacements[Int(replacement.found[0])].append(replacement)
      longest = max(longest, replacement.found.count)
    }
  }

  /// Returns the plain form, and the percent-encoded form with uppercase and with lowercase digits.
  private static func spellings(of secret: Secret) -> [[UInt8]] {
    let plain = Array(secret.revealed.utf8)
    return [
      plain, percentEncoded(plain, digits: Array("0123456789ABCDEF".utf8)),
      percentEncoded(plain, digits: Array("0123456789abcdef".utf8)),
    ]
  }

  /// Returns the text with every occurrence masked, including one that is cut off at the end.
  package func redact(_ text: String) -> String {
    replacements.isEmpty ? text : String(decoding: redact(Array(text.utf8)), as: UTF8.self)
  }

  /// Redacts bytes, which need not be text.
  /// - Parameter cutsOff: Whether the bytes may end in the middle of a secret.
  package func redact(_ bytes: [UInt8], cutsOff: Bool = true) -> [UInt8] {
    guard !replacements.isEmpty else { return bytes }
    return bytes.withUnsafeBufferPointer { redact($0, cutsOff: cutsOff) }
  }

  private func redact(_ bytes: UnsafeBufferPointer<UInt8>, cutsOff: Bool) -> [UInt8] {
    var shown: [UInt8] = []
    shown.reserveCapacity(bytes.count)
    var place = 0
    /// The end of the input that was already copied to `shown`.
    var kept = 0
    while place < bytes.count {
      let candidates = replacements[Int(bytes[place])]
      guard !candidates.isEmpty, let match = match(candidates, bytes, at: place, cutsOff: cutsOff) else {
        place += 1
        continue
      }
      shown.append(contentsOf: bytes[kept..<place])
      shown += match.shown
      place = min(bytes.count, place + match.found.count)
      kept = place
    }
    shown.append(contentsOf: bytes[kept...])
    return shown
  }

  /// Returns the secret at the position, or the secret that truncated text ends in. Fewer than 8 bytes of a
  /// truncated secret are left as they are.
  private func match(
    _ candidates: [Replacement], _ bytes: UnsafeBufferPointer<UInt8>, at place: Int, cutsOff: Bool
  ) -> Replacement? {
    let rest = bytes.count - place
    func begins(_ candidate: Replacement, _ count: Int) -> Bool {
      (0..<count).allSatisfy { bytes[place + $0] == candidate.found[$0] }
    }
    if let whole = candidates.first(where: { $0.found.count <= rest && begins($0, $0.found.count) }) { return whole }
    guard cutsOff, rest >= 8, rest < longest else { return nil }
    return candidates.first { $0.found.count > rest && begins($0, rest) }
  }
}

private func percentEncoded(_ bytes: [UInt8], digits: [UInt8]) -> [UInt8] {
  bytes.flatMap { byte -> [UInt8] in
    byte.isUnreserved ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }
}
