import Text

/// Finds credentials in any text and replaces them: `token=…`, `X-Api-Key: …`, `Bearer …`, `Basic …`,
/// JSON Web Tokens, the user information of a URL, and the key in a webhook's address.
struct TextRedactor {
  private let bytes: [UInt8]
  private let known: Redactor
  private let depth: Int
  private var masked: [UInt8] = []
  private var position = 0
  private var secrets: [Secret] = []
  /// The value before this index contains no percent sign, so it is not searched again.
  private var plainUntil = 0
  /// No JSON Web Token begins before this index.
  private var noWebTokenBefore = 0

  static func mask(_ bytes: [UInt8], known: Redactor, depth: Int) -> (bytes: [UInt8], secrets: [Secret]) {
    var mask = TextRedactor(bytes: bytes, known: known, depth: depth)
    mask.run()
    return (mask.masked, mask.secrets)
  }

  private init(bytes: [UInt8], known: Redactor, depth: Int) {
    (self.bytes, self.known, self.depth) = (bytes, known, depth)
    masked.reserveCapacity(bytes.count)
  }

  private mutating func run() {
    /// The start of the name that an equals sign or a colon would end.
    var name = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "e") where maskJSONWebToken(), UInt8(ascii: "B") where maskScheme(),
        UInt8(ascii: "b") where maskScheme(), UInt8(ascii: "/") where maskWebhooksKey(),
        UInt8(ascii: "'") where maskQuotedToken():
        name = position
        continue
      default: break
      }
      masked.append(byte)
      position += 1
      switch byte {
      case UInt8(ascii: "="): maskAssignment(to: self.name(from: name))
      case UInt8(ascii: ":"):
        if bytes[position...].starts(with: "//".utf8) {
          maskUserInformation()
        } else if SecretNames.holds(self.name(from: name)) {
          maskField()
        }
      default: break
      }
      if !Self.isName(byte) { name = position }
    }
  }

  /// The name that ends before the last byte. Only its last 200 bytes count.
  private func name(from start: Int) -> String {
    guard start < position - 1 else { return "" }
    return Percent.decodeQuery(String(decoding: bytes[max(start, position - 200)..<position - 1], as: UTF8.self))
  }

  /// Whether a byte can be part of a name, such as `user[token]` or `user%5Btoken%5D`.
  private static func isName(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "_-.[]%".utf8.contains(byte)
  }

  /// Whether a byte can be part of a credential in a header (RFC 9110, section 11.2).
  private static func isToken(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || "-._~+/=".utf8.contains(byte)
  }

  private mutating func put(_ value: String, insteadOf old: String, from start: Int) {
    masked += value == old ? Array(bytes[start..<position]) : Array(value.utf8)
  }

  /// The percent-encoded replacement of a value in a query. The ellipsis of a mask stays unchanged for people.
  private func encoded(_ text: String) -> [UInt8] {
    guard known.form == .masked else { return Array(Percent.encode(text).utf8) }
    let parts = text.split(separator: "…", omittingEmptySubsequences: false).map { Percent.encode(String($0)) }
    return Array(parts.joined(separator: "…").utf8)
  }

  // MARK: name=value

  private mutating func maskAssignment(to name: String) {
    let isSecret = SecretNames.holdsInQuery(name)
    if isSecret ? quoted() : position < plainUntil { return }
    let start = position
    while position < bytes.count, bytes[position] > 0x20, !"&;,\"'<>()\\".utf8.contains(bytes[position]) {
      position += 1
    }
    let raw = bytes[start..<position]
    let value = Percent.decodeQuery(String(decoding: raw, as: UTF8.self))
    if isSecret {
      let standIn = BodyRedactor.replacement(of: value, as: known.form, &secrets)
      masked += standIn == value ? Array(raw) : encoded(standIn)
    } else if raw.contains(UInt8(ascii: "%")) {
      masked += decodedMask(value) ?? Array(raw)
    } else {
      (plainUntil, position) = (position, start)
    }
  }

  /// A percent-encoded value that contains credentials, such as a URL or JSON, with these masked; nil if it contains
  /// none.
  private mutating func decodedMask(_ value: String) -> [UInt8]? {
    guard depth < BodyRedactor.depthLimit else {
      return value.utf8.contains(UInt8(ascii: "%")) ? Array((known.form == .masked ? "…" : "stand-in").utf8) : nil
    }
    let inner = BodyRedactor.mask(known.redact(Array(value.utf8)), known: known, depth: depth + 1)
    secrets += inner.secrets
    let masked = String(decoding: inner.bytes, as: UTF8.self)
    return masked == value ? nil : encoded(masked)
  }

  // MARK: Name: value

  /// Masks the value of a field. An unquoted value without digits is probably prose, and stays unchanged.
  private mutating func maskField() {
    var start = position
    while start < bytes.count, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") { start += 1 }
    masked += bytes[position..<start]
    position = start
    if quoted() { return }
    let end = bytes[start...].firstIndex { !Self.isToken($0) } ?? bytes.count
    guard end - start >= 8, bytes[start..<end].contains(where: \.isDigit) else { return }
    maskToken(to: end)
  }

  /// Masks a quoted credential at `position`.
  /// - Returns: false if there is none. The quote may also belong to the surrounding JSON.
  private mutating func quoted() -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'") else {
      return false
    }
    let start = position + 1
    let end = bytes[start...].firstIndex { !Self.isToken($0) } ?? bytes.count
    guard end - start >= 6, end < bytes.count, bytes[end] == bytes[position] else { return false }
    masked.append(bytes[position])
    position = start
    maskToken(to: end)
    return true
  }

  private mutating func maskToken(to end: Int) {
    let start = position
    position = end
    let value = String(decoding: bytes[start..<end], as: UTF8.self)
    put(BodyRedactor.replacement(of: value, as: known.form, &secrets), insteadOf: value, from: start)
  }

  // MARK: Bearer …, Basic …

  /// Words that follow `Bearer` in prose.
  private static let prose: Set<String> = [
    "access", "authentication", "authorization", "credential", "credentials", "header", "scheme", "security", "tokens",
  ]

  /// Masks the credential after `Bearer` or `Basic`.
  /// - Returns: whether a credential was masked; if so, `position` is after it.
  private mutating func maskScheme() -> Bool {
    let isBearer = matches("bearer")
    guard isBearer || matches("basic") else { return false }
    var start = position + (isBearer ? 6 : 5)
    let space = start
    while start < bytes.count, bytes[start] == UInt8(ascii: " ") { start += 1 }
    guard start > space else { return false }
    var end = bytes[start...].firstIndex { !Self.isToken($0) || $0 == UInt8(ascii: "=") } ?? bytes.count
    while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
    // `realm="…"` and `error=invalid_token` are parameters of a challenge.
    let isParameter =
      end > start && bytes[end - 1] == UInt8(ascii: "=") && end < bytes.count
      && (bytes[end] == UInt8(ascii: "\"") || Self.isToken(bytes[end]))
    let value = String(decoding: bytes[start..<end], as: UTF8.self)
    guard end - start >= 6, !isParameter, isBearer ? !Self.prose.contains(value.lowercased()) : isBasic(value) else {
      return false
    }
    masked += bytes[position..<start]
    position = end
    var found: [Secret] = []
    put(BodyRedactor.replacement(of: value, as: known.form, &found), insteadOf: value, from: start)
    // An unlisted word of prose must not be masked everywhere.
    if value.utf8.count >= 16 || !value.utf8.allSatisfy(\.isLowercase) { secrets += found }
    return true
  }

  /// Whether the value is the Base64 of a name, a colon and a password. Adds the password to the secrets.
  private mutating func isBasic(_ value: String) -> Bool {
    let digits = value.prefix { $0 != "=" }
    let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    guard let decoded = Base64.standard.decode(digits + padding), let colon = decoded.firstIndex(of: UInt8(ascii: ":"))
    else {
      return false
    }
    if let password = Secret(parsing: String(decoding: decoded[(colon + 1)...], as: UTF8.self)) {
      secrets.append(password)
    }
    return true
  }

  /// Whether a word begins at `position`, in upper or lower case.
  /// - Parameter word: in lower case.
  private func matches(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    return bytes.count - position >= count
      && (0..<count).allSatisfy { bytes[position + $0] | 0x20 == word.utf8Start[$0] }
  }

  // MARK: JSON Web Tokens

  /// Masks two or more parts in base64url, separated by dots, of which the first is a JSON object (RFC 7519).
  /// - Returns: whether a token was masked; if so, `position` is after it.
  private mutating func maskJSONWebToken() -> Bool {
    guard position >= noWebTokenBefore, bytes[position...].starts(with: "eyJ".utf8) else { return false }
    func endOfPart(from start: Int) -> Int {
      bytes[start...].firstIndex { !($0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")) }
        ?? bytes.count
    }
    let firstEnd = endOfPart(from: position)
    noWebTokenBefore = firstEnd
    guard firstEnd - position >= 10, firstEnd < bytes.count, bytes[firstEnd] == UInt8(ascii: ".") else { return false }
    var end = endOfPart(from: firstEnd + 1)
    guard end - firstEnd > 4 else { return false }
    while end < bytes.count, bytes[end] == UInt8(ascii: ".") { end = endOfPart(from: end + 1) }
    maskToken(to: end)
    return true
  }

  // MARK: https://maker.ifttt.com/trigger/event/with/key/KEY

  private mutating func maskWebhooksKey() -> Bool {
    guard let key = WebhookAddress.key(in: bytes, at: position),
      // The first characters of a masked key look like a key.
      known.form == .standIn || !bytes[key.upperBound...].starts(with: "…".utf8)
    else { return false }
    masked += bytes[position..<key.lowerBound]
    position = key.upperBound
    let raw = String(decoding: bytes[key], as: UTF8.self)
    let value = Percent.decode(raw, plus: .literal) ?? raw
    let standIn = BodyRedactor.replacement(of: value, as: known.form, &secrets)
    masked += standIn == value ? Array(bytes[key]) : encoded(standIn)
    return true
  }

  // MARK: https://name:password@host

  private mutating func maskUserInformation() {
    let scheme = bytes[..<(position - 1)]
    masked += "//".utf8
    position += 2
    if known.form == .masked { return maskPassword(behind: scheme) }
    let authority = bytes[position...].prefix { $0 > 0x20 && !"/?#\"'<>\\".utf8.contains($0) }
    guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > position else { return }
    let parts = bytes[position..<at].split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
    var found: [[Secret]] = []
    let standIns = parts.map { part -> [UInt8] in
      let value = Percent.decodeQuery(String(decoding: part, as: UTF8.self))
      var secrets: [Secret] = []
      let standIn = BodyRedactor.replacement(of: value, as: known.form, &secrets)
      found.append(secrets)
      return standIn == value ? Array(part) : encoded(standIn)
    }
    // With a password next to it, the user name is not a credential and may appear elsewhere.
    secrets += found.last ?? []
    masked += standIns.joined(separator: [UInt8(ascii: ":")])
    position = at
  }

  /// Masks only the password, because people recognize the URL by the user name.
  private mutating func maskPassword(behind scheme: ArraySlice<UInt8>) {
    guard let password = SecretForms.password(ofAuthorityAt: position, scheme: scheme, in: bytes[...]) else { return }
    masked += bytes[position..<password.lowerBound]
    position = password.upperBound
    let value = Percent.decodeQuery(String(decoding: bytes[password], as: UTF8.self))
    masked += BodyRedactor.replacement(of: value, as: .masked, &secrets).utf8
  }

  // MARK: 'TOKEN'

  /// Masks text in single quotes that looks like a token. The program puts its input in such quotes in messages.
  /// - Returns: whether a credential was masked; if so, `position` is at the closing quote.
  private mutating func maskQuotedToken() -> Bool {
    guard known.form == .masked, position == 0 || !bytes[position - 1].isLetterOrDigit else { return false }
    let start = position + 1
    guard let end = bytes[start...].prefix(8192).firstIndex(where: { $0 <= 0x20 || $0 == UInt8(ascii: "'") }),
      bytes[end] == UInt8(ascii: "'"), SecretForms.isUnmistakable(bytes[start..<end])
    else { return false }
    masked.append(bytes[position])
    position = start
    maskToken(to: end)
    return true
  }
}
