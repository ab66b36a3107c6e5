import JSON
package import Text

/// Removes credentials from recorded and traced exchanges: those that requests carry, and those that responses
/// contain.
package struct ExchangeRedactor {
  private var secrets: Set<Secret> = []
  private var redactor: Redactor
  /// The minimum length in bytes. A shorter value occurs in other text by chance, so it is masked only if its position
  /// identifies it.
  package static let minimumLength = 6

  package init(as form: Redactor.Form = .standIn) { redactor = Redactor(as: form) }

  /// All credentials known or found so far.
  package var known: [Secret] { Array(secrets) }

  /// A header's value, masked according to the header's name.
  package mutating func masked(_ value: String, ofHeader name: String) -> String { field(name, value).value }

  package mutating func learn(_ more: [Secret]) {
    // The same text may occur more than once in `more`.
    let new = more.filter {
      $0.revealed.utf8.count >= Self.minimumLength && $0 != $0.standIn && !$0.isPartOfStandIns
        && secrets.insert($0).inserted
    }
    redactor.add(new)
  }

  /// The maximum number of masking passes. Masking repeats until nothing changes, because a stand-in may complete a
  /// name or end a value and so expose another credential. One pass is nearly always enough.
  private static let passLimit = 16

  /// The bytes with stand-ins for all credentials that are known or identified by a name. Masking the result again
  /// changes nothing.
  package mutating func masked(_ bytes: [UInt8]) -> [UInt8] {
    var text = redactor.redact(bytes)
    for _ in 0..<Self.passLimit {
      let (masked, found) = BodyRedactor.mask(text, known: redactor)
      if masked == text, found.isEmpty { break }
      learn(found)
      // A stand-in that ends the text may look like the beginning of the credential it replaces.
      let next = redactor.redact(masked, cutsOff: false)
      if next == text { break }
      text = next
    }
    return text
  }

  package mutating func masked(_ text: String) -> String {
    String(decoding: masked(Array(text.utf8)), as: UTF8.self)
  }

  /// The stand-in for a text that is a credential as a whole.
  package mutating func standIn(of value: String) -> String {
    var found: [Secret] = []
    defer { learn(found) }
    return BodyRedactor.replacement(of: value, as: redactor.form, &found)
  }

  mutating func masked(_ request: Request) -> RecordedExchange.RecordedRequest {
    learn(request.secrets)
    let headers = request.headers.map { header -> HeaderField in
      switch header.value {
      case .secret(let prefix, let secret): HeaderField(header.name, prefix + secret.standIn.revealed)
      case .text(let text): field(header.name, text)
      }
    }
    return RecordedExchange.RecordedRequest(
      method: request.method.rawValue, url: masked(request.url), headers: headers,
      body: request.body.map { masked($0) })
  }

  mutating func masked(_ result: Result<Response, TransportError>) -> Result<Response, TransportError> {
    switch result {
    case .success(var response):
      // The body first: a header may repeat a credential from it.
      response.body = masked(response.body)
      response.headers = response.headers.map { field($0.name, $0.value) }
      return .success(response)
    case .failure(var failure):
      failure.message = masked(failure.message)
      return .failure(failure)
    }
  }

  private mutating func field(_ name: String, _ value: String) -> HeaderField {
    // First as plain text, because it may contain a credential among other text.
    let text = masked(value)
    var found: [Secret] = []
    defer { learn(found) }
    guard name.isSame(ignoringASCIICase: "set-cookie") else {
      return HeaderField(
        name, SecretNames.isHeader(name) ? BodyRedactor.replacement(of: value, as: redactor.form, &found) : text)
    }
    // The cookie's name and attributes are informative; its value is treated as a credential.
    let parts = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let halves = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      return HeaderField(name, BodyRedactor.replacement(of: value, as: redactor.form, &found))
    }
    let cookie = "\(halves[0])=\(BodyRedactor.replacement(of: String(halves[1]), as: redactor.form, &found))"
    return HeaderField(name, parts.count == 2 ? "\(cookie);\(masked(String(parts[1])))" : cookie)
  }

  private mutating func masked(_ url: WebURL) -> String {
    let wire = url.wire
    let head = url.origin + url.path { Percent.encode($0.standIn.revealed) }
    guard let mark = wire.firstIndex(of: "?") else { return masked(head) }
    var found: [Secret] = []
    let pieces = wire[wire.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let query = zip(pieces, url.query).map { piece, item -> String in
      guard item.isSecret || SecretNames.holdsInQuery(item.name) else { return String(piece) }
      let standIn = BodyRedactor.replacement(of: item.value, as: redactor.form, &found)
      return standIn == item.value ? String(piece) : "\(Percent.encode(item.name))=\(Percent.encode(standIn))"
    }
    learn(found)
    return masked("\(head)?\(query.joined(separator: "&"))")
  }
}

/// Finds credentials in a body and replaces them in the form of the redactor of known credentials. Every other byte is
/// unchanged. Credentials are recognized by their form and by the names next to them, such as `"user_token": "…"` and
/// `access_token=…`.
///
/// Parsing is lenient, so that a truncated response, or one that is not JSON, exposes no credential either.
struct BodyRedactor {
  /// The maximum depth of nested text (JSON in a JSON string, a URL in a URL). Deeper text is replaced as a whole.
  static let depthLimit = 6

  private let bytes: [UInt8]
  private let known: Redactor
  private let depth: Int
  private var masked: [UInt8] = []
  private var position = 0
  /// The credentials found.
  private var secrets: [Secret] = []

  /// - Parameter known: applied to strings whose escapes hide their contents.
  static func mask(_ bytes: [UInt8], known: Redactor, depth: Int = 0) -> (bytes: [UInt8], secrets: [Secret]) {
    var members = BodyRedactor(bytes: bytes, known: known, depth: depth)
    members.maskMembers()
    let text = TextRedactor.mask(members.masked, known: known, depth: depth)
    return (text.bytes, members.secrets + text.secrets)
  }

  private init(bytes: [UInt8], known: Redactor, depth: Int) {
    (self.bytes, self.known, self.depth) = (bytes, known, depth)
  }

  /// Keywords of the API. If a keyword is mistaken for a credential, only that occurrence is masked: a recording
  /// without any status could not be replayed.
  private static let keywords: Set<String> = [
    "enabled", "disabled", "never_enabled", "unknown", "service", "anonymous",
  ]

  /// The replacement of a value, even if it is not a valid secret.
  static func replacement(of value: String, as form: Redactor.Form, _ secrets: inout [Secret]) -> String {
    if form == .masked {
      guard !Secret.isMasked(value) else { return value }
      if let secret = Secret(parsing: value), !keywords.contains(value) { secrets.append(secret) }
      return Secret.masked(value)
    }
    guard let secret = Secret(parsing: value) else { return value.isEmpty ? "" : "stand-in" }
    if !keywords.contains(value) { secrets.append(secret) }
    return secret.standIn.revealed
  }

  private mutating func maskMembers() {
    var level = 0
    /// The level of the array or object that is a credential's value, until it ends.
    var scope: Int?
    /// Whether the name of the next value marks it as a credential.
    var isSecret = false
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let contents = string()
        let text = self.text(contents)
        let isKey = !isSecret && nextByte() == UInt8(ascii: ":")
        if isSecret || scope != nil && (!isKey || Self.mayBeCredential(text)) {
          append(Self.replacement(of: text, as: known.form, &secrets), insteadOf: contents, reading: text)
        } else {
          append(unescapedMask(text, of: contents), insteadOf: contents, reading: text)
        }
        isSecret = isKey && SecretNames.holds(text)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        level += 1
        if isSecret, scope == nil { scope = level }
        isSecret = false
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        if scope == level { scope = nil }
        level -= 1
        isSecret = false
      case UInt8(ascii: ":"), ...0x20: break
      case UInt8(ascii: ","): isSecret = false
      default:
        // In a text that is not JSON, further words may belong to the same value.
        let word = bareWord()
        masked += isSecret || scope != nil ? Array(replacement(ofBareWord: word).utf8) : Array(word)
        continue
      }
      masked.append(byte)
      position += 1
    }
  }

  /// The number, keyword or other text at `position`, which is not in quotes. Moves `position` past it.
  private mutating func bareWord() -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, bytes[position] > 0x20, !"\",:[]{}".utf8.contains(bytes[position]) { position += 1 }
    return bytes[start..<position]
  }

  /// The replacement of a bare word. The stand-in of a number is a number, so that it can still be parsed. Other words
  /// are not JSON, but may be credentials.
  private mutating func replacement(ofBareWord word: ArraySlice<UInt8>) -> String {
    let text = String(decoding: word, as: UTF8.self)
    if ["true", "false", "null"].contains(text) { return text }
    let isNumber = word.contains(where: \.isDigit) && word.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    if isNumber, known.form == .masked { return "\"…\"" }
    return isNumber ? "0" : Self.replacement(of: text, as: known.form, &secrets)
  }

  /// Whether a key among credentials looks like a credential itself: an object may list tokens as its keys.
  private static func mayBeCredential(_ key: String) -> Bool {
    key.utf8.count >= 16 && key.utf8.contains(where: \.isDigit)
  }

  /// The unescaped text of a string with its credentials masked. Escapes may hide credentials, for example in a
  /// nested JSON document.
  private mutating func unescapedMask(_ text: String, of contents: ArraySlice<UInt8>) -> String {
    guard contents.contains(UInt8(ascii: "\\")) else { return text }
    guard depth < Self.depthLimit else { return known.form == .masked ? "…" : "stand-in" }
    let inner = Self.mask(known.redact(Array(text.utf8)), known: known, depth: depth + 1)
    let masked = String(decoding: inner.bytes, as: UTF8.self)
    secrets += inner.secrets
    // A credential that is found without resolving the escapes is masked later, so that the escapes stay unchanged.
    let plain = TextRedactor.mask(Array(contents), known: known, depth: depth).bytes
    return self.text(plain[...]) == masked ? text : masked
  }

  /// The contents of the string at `position`. Moves `position` past the closing quote, or to the end if the string is
  /// truncated.
  private mutating func string() -> ArraySlice<UInt8> {
    masked.append(bytes[position])
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, bytes.count)
    defer { position = min(position + 1, bytes.count) }
    return bytes[start..<position]
  }

  /// The next byte that is not white space. Does not move `position`.
  private func nextByte() -> UInt8? { bytes[position...].first { $0 > 0x20 } }

  private func text(_ contents: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    contents.withUnsafeBytes { JSONScanner.appendText(of: $0, to: &text) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Writes a string's contents and closing quote, byte for byte if nothing changed.
  private mutating func append(_ new: String, insteadOf contents: ArraySlice<UInt8>, reading old: String) {
    masked += new == old ? Array(contents) : Array(JSONValue.string(new).bytes.dropFirst().dropLast())
    if contents.endIndex < bytes.count { masked.append(UInt8(ascii: "\"")) }
  }
}
