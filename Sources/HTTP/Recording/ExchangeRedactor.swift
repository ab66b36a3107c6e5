package import Text

/// Removes credentials from recorded and traced exchanges: those that requests carry, and those that responses
/// contain.
package struct ExchangeRedactor {
  private var secrets: Set<Secret> = []
  private var redactor: Redactor
  /// The minimum length in bytes. A shorter value occurs in other text by chance, so it is masked only where its
  /// position identifies it.
  package static let shortest = 6

  package init(as form: Redactor.Form = .standIn) { redactor = Redactor(as: form) }

  /// All credentials known or found so far.
  package var known: [Secret] { Array(secrets) }

  /// A header's value, masked according to the header's name.
  package mutating func masked(_ value: String, ofHeader name: String) -> String { field(name, value).value }

  package mutating func learn(_ more: [Secret]) {
    let new = more.filter {
      $0.revealed.utf8.count >= Self.shortest && $0 != $0.standIn && !$0.isPartOfStandIns && !secrets.contains($0)
    }
    secrets.formUnion(new)
    redactor.add(new)
  }

  /// The maximum number of masking passes. Masking repeats until nothing changes, because a stand-in may complete a
  /// name or end a value and so expose another credential. One pass is nearly always enough.
  private static let mostPasses = 16

  /// The bytes with stand-ins for all credentials that are known or identified by a name. Masking the result again
  /// changes nothing.
  package mutating func masked(_ bytes: [UInt8]) -> [UInt8] {
    var text = redactor.redact(bytes)
    for _ in 0..<Self.mostPasses {
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

  mutating func masked(_ request: Request) -> RecordedExchange.Question {
    learn(request.secrets)
    let headers = request.headers.map { header -> Response.Field in
      switch header.value {
      case .secret(let prefix, let secret): Response.Field(header.name, prefix + secret.standIn.revealed)
      case .text(let text): field(header.name, text)
      }
    }
    return RecordedExchange.Question(
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

  private mutating func field(_ name: String, _ value: String) -> Response.Field {
    // First as plain text, because it may contain a credential among other text.
    let text = masked(value)
    var found: [Secret] = []
    defer { learn(found) }
    guard name.lowercased() == "set-cookie" else {
      return Response.Field(
        name, SecretNames.isHeader(name) ? BodyRedactor.replacement(of: value, as: redactor.form, &found) : text)
    }
    // The cookie's name and attributes are informative; its value is treated as a credential.
    let parts = value.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    let halves = (parts.first ?? "").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      return Response.Field(name, BodyRedactor.replacement(of: value, as: redactor.form, &found))
    }
    let cookie = "\(halves[0])=\(BodyRedactor.replacement(of: String(halves[1]), as: redactor.form, &found))"
    return Response.Field(name, parts.count == 2 ? "\(cookie);\(masked(String(parts[1])))" : cookie)
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
