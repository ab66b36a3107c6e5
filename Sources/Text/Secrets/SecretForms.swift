/// The forms by which a credential is recognized without a name next to it.
package enum SecretForms {
  /// The length of the longest text to examine, in bytes. Tokens are shorter.
  private static let maximumLength = 8192

  /// Whether a whole argument looks like a token or key. IFTTT's begin with `ift_`; most others are long and contain
  /// letters and digits.
  package static func looksSecret(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.count <= maximumLength else { return false }
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
        || bytes.contains(where: \.isUppercase)
          && bytes.contains(where: \.isLowercase))
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

  /// Whether the text consists of words with separators, such as `garage_door_opened_2`. Each word may end in up to
  /// four digits.
  private static func isSlug(_ bytes: some Collection<UInt8>) -> Bool {
    let words = bytes.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    return words.count > 1
      && words.allSatisfy { word in
        let digits = word.drop { $0.isLetterOrDigit && !$0.isDigit }
        return digits.count <= 4 && digits.allSatisfy(\.isDigit)
      }
  }

  /// Whether the text is a UUID (RFC 9562), such as the id of a request or a user.
  private static func isUUID(_ bytes: some Collection<UInt8>) -> Bool {
    let groups = bytes.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy { $0.hexadecimal != nil }
  }

  /// The ranges of the tokens in an argument: the argument as a whole, or parts of a path or a URL.
  package static func tokens(in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    guard bytes.count <= maximumLength else { return [] }
    if looksSecret(bytes) { return [bytes.indices] }
    var parts: [Range<Int>] = []
    var start = bytes.startIndex
    for position in bytes.startIndex...bytes.endIndex
    where position == bytes.endIndex || "/?&#:;,@=\"'() ".utf8.contains(bytes[position]) {
      if looksSecret(bytes[start..<position]), !isDigest(bytes[start..<position], in: bytes) {
        parts.append(start..<position)
      }
      start = position + 1
    }
    return isBase64(bytes) ? [bytes.indices] : parts
  }

  /// Whether a part is a commit or a checksum: `…#0123…`, `…@0123…`, `sha256:0123…`.
  private static func isDigest(_ part: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> Bool {
    guard part.allSatisfy({ $0.hexadecimal != nil }) else { return false }
    let before = bytes[..<part.startIndex]
    guard let mark = before.last else { return false }
    let name = before.dropLast().reversed().prefix(while: \.isLetterOrDigit).reversed()
    return mark == UInt8(ascii: "#") || mark == UInt8(ascii: "@") || name.starts(with: "sha".utf8)
  }

  /// Whether the text is standard Base64. The parts between its slashes may be too short to be recognized. Most paths
  /// contain dots, which Base64 does not.
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
  ///   - scheme: the text before `://`, which ends with the scheme.
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

/// Names that mark the value next to them as a credential: in a query, a form, JSON, a header or an argument.
///
/// Names are compared without case and punctuation: `access_token`, `accessToken` and `Access-Token` are equal.
package enum SecretNames {
  /// Whether a value with this name is a credential.
  package static func holds(_ name: String) -> Bool { holds(folded: folded(name)) }

  /// Whether the parameter of a URL is a credential. `code` and `sig` are; elsewhere, `code` is the kind of an error.
  package static func holdsInQuery(_ name: String) -> Bool {
    let name = folded(name)
    return name == "code" || name == "sig" || holds(folded: name)
  }

  /// Whether the whole value of this header field is a credential.
  package static func isHeader(_ name: String) -> Bool {
    let name = folded(name)
    return headers.contains(name) || holds(folded: name)
  }

  /// Whether the value of `NAME=VALUE` or `NAME: VALUE` in an argument is a credential. In many APIs, it is named
  /// `key`.
  package static func holdsInArgument(_ name: String) -> Bool { folded(name) == "key" || holdsInQuery(name) }

  /// Whether the value of an option or a variable with this name may be a credential. A file name is not.
  package static func announces(_ name: String) -> Bool {
    let name = folded(name)
    return !name.hasSuffix("file") && (name.hasSuffix("key") || name.hasSuffix("code") || holds(folded: name))
  }

  /// Whether a value with this name is an identifier, however random it looks.
  package static func identifies(_ name: String) -> Bool {
    let name = folded(name)
    return name.hasSuffix("id") || name.hasSuffix("identity") || name.hasSuffix("cursor")
  }

  private static func holds(folded name: String) -> Bool {
    guard !name.isEmpty else { return false }
    // A list of credentials has a plural name.
    let singular = name.hasSuffix("s") ? String(name.dropLast()) : name
    return whole.contains(name) || whole.contains(singular)
      || suffixes.contains { name.hasSuffix($0) || singular.hasSuffix($0) }
  }

  /// The letters and digits of the name in lower case. Its end determines its meaning, so 128 bytes are enough.
  private static func folded(_ name: String) -> String {
    String(decoding: name.utf8.suffix(128).filter(\.isLetterOrDigit).map { $0 | 0x20 }, as: UTF8.self)
  }

  private static let whole: Set<String> = [
    "auth", "authcode", "authorization", "authorizationcode", "bearer", "codeverifier", "devicecode", "idtokenhint",
    "oauthcode", "otp", "passcode", "provisionalaccesscode", "proxyauthorization", "pwd", "sid",
    "signature", "usercode", "xamzsignature",
  ]
  private static let suffixes = [
    "token", "secret", "password", "passwd", "passphrase", "jwt", "session", "sessionid", "sessid", "assertion",
    "credential", "cookie", "apikey", "accesskey", "authkey", "channelkey", "encryptionkey", "invitecode", "masterkey",
    "privatekey",
    "secretkey", "servicekey", "sharedkey", "signingkey", "webhookskey",
  ]
  private static let headers: Set<String> = ["authorization", "proxyauthorization", "cookie"]
}

/// Finds the key of the Webhooks service in its addresses: `https://maker.ifttt.com/use/KEY`, the page that shows the
/// key, and `…/trigger/EVENT/with/key/KEY`, which fires an event (docs/api/service.md §11).
///
/// The key is a segment of the path, so each of these addresses is a credential.
package enum WebhookAddress {
  /// The hosts on which `/use/KEY` counts as the page with the key.
  package enum Hosts: Sendable {
    /// IFTTT's own host only, because other sites have such paths too.
    case ifttt
    /// Any host, and a path without a host.
    case any
  }

  /// The range of the key if its page's `/use/` or an event's `/with/key/` begins at `position`; nil otherwise.
  package static func key(in bytes: [UInt8], at position: Int, hosts: Hosts = .ifttt) -> Range<Int>? {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "/") else { return nil }
    let start: Int
    if matches(trigger, in: bytes, at: position) {
      start = position + trigger.count
    } else if matches(page, in: bytes, at: position),
      hosts == .any || matches(host, in: bytes, at: position - host.count)
    {
      start = position + page.count
    } else {
      return nil
    }
    let end = bytes[start...].firstIndex { !isKey($0) } ?? bytes.count
    return end > start ? start..<end : nil
  }

  /// The range of the key of the first address in the text.
  /// - Parameter end: the end of the part that is searched.
  package static func firstKey(in bytes: [UInt8], before end: Int = .max, hosts: Hosts = .any) -> Range<Int>? {
    for position in 0..<min(max(0, end), bytes.count) where bytes[position] == UInt8(ascii: "/") {
      if let key = key(in: bytes, at: position, hosts: hosts) { return key }
    }
    return nil
  }

  private static let trigger = Array("/with/key/".utf8)
  private static let page = Array("/use/".utf8)
  private static let host = Array("maker.ifttt.com".utf8)

  /// - Parameter text: in lower case.
  private static func matches(_ text: [UInt8], in bytes: [UInt8], at position: Int) -> Bool {
    guard position >= 0, bytes.count - position >= text.count else { return false }
    return text.indices.allSatisfy { bytes[position + $0].loweredASCII == text[$0] }
  }

  private static func isKey(_ byte: UInt8) -> Bool { byte.isUnreserved || byte == UInt8(ascii: "%") }
}
