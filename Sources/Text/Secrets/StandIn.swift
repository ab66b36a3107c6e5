extension Secret {
  /// The text that replaces this secret in recordings. It has the same masked form, is valid wherever the secret was,
  /// and is its own stand-in.
  ///
  /// Two secrets may have the same stand-in, because it contains nothing of the secret beyond what ``masked`` shows.
  package var standIn: Secret {
    let scalars = revealed.unicodeScalars
    guard scalars.count > 24 else { return Secret(unchecked: "stand-in") }
    return Secret(unchecked: "\(plain(scalars.prefix(4)))-stand-in-for-a-secret-\(plain(scalars.suffix(4)))")
  }

  /// Whether longer secrets have stand-ins that contain this text. Replacing it everywhere would change them.
  package var isPartOfStandIns: Bool {
    let (own, words) = (Array(revealed.utf8), Array("-stand-in-for-a-secret-".utf8))
    return own.count <= words.count
      && (0...words.count - own.count).contains { words[$0..<$0 + own.count].elementsEqual(own) }
  }

  /// Only unreserved characters (RFC 3986, section 2.3) look the same in a header, a query, a form and JSON. A space
  /// or an escape would end the stand-in in some of them, and the rest would be mistaken for another secret.
  private func plain(_ scalars: Substring.UnicodeScalarView) -> String {
    String(
      decoding: scalars.map { scalar in
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return scalar.isASCII && byte.isUnreserved ? byte : UInt8(ascii: "-")
      }, as: UTF8.self)
  }
}
