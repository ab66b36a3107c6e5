/// The forms by which a credential is recognized without a name next to it.
package enum SecretForms {
  /// The longest text that is examined. No token is as long.
  private static let longest = 8192

  /// Whether a whole argument looks like a token or key. IFTTT's begin with `ift_`; most others are long and contain
  /// letters and digits.
  package static func looksSecret(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= longest else { return false }
    if bytes.starts(with: "ift_".utf8) { return bytes.count > 8 }
    guard bytes.count >= 20 else { return false }
    // In other text, a dot or slash indicates a file, a host or a URL.
    let others = bytes.starts(with: "eyJ".utf8) ? "-_+~./" : "-_+~"
    let padding = bytes.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard padding <= 2, bytes.dropLast(padding).allSatisfy({ $0.isLetterOrDigit || others.utf8.contains($0) }) else {
      return false
    }
    return bytes.contains(where: \.isDigit) && bytes.contains { $0.isLetterOrDigit && !$0.isDigit }
      && !isSlug(bytes) && !isUUID(bytes)
  }

  /// Whether the text can hardly be anything but a token: the rule of ``looksSecret(_:)``, and both cases of letters,
  /// which digests and names do not mix with digits.
  package static func isUnmistakable(_ bytes: some Collection<UInt8>) -> Bool {
    looksSecret(bytes)
      && (bytes.starts(with: "ift_".utf8)
        || bytes.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
          && bytes.contains { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 })
  }

  /// Whether a text has a word that may be a token, so that a search for many tokens is worth its time.
  package static func mayHoldToken(_ text: [UInt8]) -> Bool {
    var (count, hasDigit) = (0, false)
    for byte in text {
      guard byte.isLetterOrDigit || "-_+=~".utf8.contains(byte) else {
        (count, hasDigit) = (0, false)
        continue
      }
      count += 1
      hasDigit = hasDigit || byte.isDigit
      if count >= 16, hasDigit { return true }
    }
    return false
  }

  /// Words with separators, such as `garage_door_opened_2`, of which each ends in at most four digits.
  private static func isSlug(_ bytes: some Collection<UInt8>) -> Bool {
    let words = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return words.count > 1
      && words.allSatisfy { word in
        let digits = word.drop { $0.isLetterOrDigit && !$0.isDigit }
        return digits.count <= 4 && digits.allSatisfy(\.isDigit)
      }
  }

  /// An id in the form of RFC 9562, of a request or a user.
  private static func isUUID(_ bytes: some Collection<UInt8>) -> Bool {
    let groups = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { $0.hexadecimal != nil }
  }

  /// The tokens in an argument: the argument as a whole, or parts of a path or a URL.
  package static func tokens(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    guard bytes.count <= longest else { return [] }
    if looksSecret(bytes) { return [bytes.indices] }
    var parts: [Range<Int>] = []
    var start = bytes.startIndex
    for place in bytes.startIndex...bytes.endIndex
    where place == bytes.endIndex || "/?&#:;,@=\"'() ".utf8.contains(bytes[place]) {
      if looksSecret(bytes[start..<place]), !isDigest(bytes[start..<place], in: bytes) { parts.append(start..<place) }
      start = place + 1
    }
    return isBase64(bytes) ? [bytes.indices] : parts
  }

  /// Whether a part is a commit or a checksum: `…#0123…`, `…@0123…`, `sha256:0123…`.
  private static func isDigest(_ part: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> Bool {
    guard part.allSatisfy({ $0.hexadecimal != nil }) else { return false }
    let before = bytes[..<part.startIndex]
    guard let mark = before.last else { return false }
    let name = before.dropLast().reversed().prefix { $0.isLetterOrDigit }.reversed()
    return mark == UInt8(ascii: "#") || mark == UInt8(ascii: "@") || name.starts(with: "sha".utf8)
  }

  /// Standard Base64 has slashes, between which the parts may be too short to be recognized. A path rather has dots.
  private static func isBase64(_ bytes: ArraySlice<UInt8>) -> Bool {
    let (slash, first) = (UInt8(ascii: "/"), bytes.first ?? 0)
    let isVersioned = first == UInt8(ascii: "v") && bytes.dropFirst(2).first == slash
    return bytes.count >= 32 && bytes.contains(slash) && first != slash && !isVersioned
      && isUnmistakable(bytes.map { $0 == slash ? UInt8(ascii: "+") : $0 })
  }

  /// The password in the user information of the first URL that has one. Without a colon it is the whole user
  /// information, such as a token, unless it is the user name of SSH.
  package static func password(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    var rest = bytes
    while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
      rest = rest[(colon + 1)...]
      guard rest.starts(with: "//".utf8) else { continue }
      if let range = password(ofAuthorityAt: colon + 3, scheme: bytes[..<colon], in: bytes) { return range }
    }
    return nil
  }

  /// - Parameters:
  ///   - start: the position after `://`.
  ///   - scheme: the text before it, of which the end is the scheme.
  package static func password(
    ofAuthorityAt start: Int, scheme: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>
  ) -> Range<Int>? {
    let authority = bytes[start...].prefix { $0 > 0x20 && !"/?#\"'<>\\".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > start else { return nil }
    if let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")) {
      return colon + 1 < at ? colon + 1..<at : nil
    }
    return scheme.suffix(3).elementsEqual("ssh".utf8) ? nil : start..<at
  }
}
