/// A credential whose description is masked, so that logs, errors and dumps do not expose it.
///
/// Only ``revealed`` exposes the text. Use it only for the header or parameter of a request, for an encrypted column,
/// and if the user passed `--print` or `--reveal`.
package struct Secret: Sendable, Hashable {
  package let revealed: String

  /// Returns nil for the empty string and for text with control characters (C0, DEL or C1), which are not valid in a
  /// header.
  package init?(parsing text: String) {
    guard !text.isEmpty, text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }) else {
      return nil
    }
    revealed = text
  }

  init(unchecked text: String) { revealed = text }

  /// Creates a placeholder for a credential from a literal in the source code.
  package init(word: StaticString) { revealed = word.description }

  /// The first and last four characters with an ellipsis between them. Only the ellipsis if eight characters are a
  /// third of the secret or more.
  package var masked: String {
    let scalars = revealed.unicodeScalars
    guard scalars.count > 24 else { return "…" }
    return "\(String(scalars.prefix(4)))…\(String(scalars.suffix(4)))"
  }
}

extension Secret {
  /// The masked form of a text that may not be a valid secret.
  package static func masked(_ text: String) -> String { Secret(parsing: text)?.masked ?? (text.isEmpty ? "" : "…") }

  /// Whether a text is the masked form of a credential, with or without a scheme such as `Bearer` before it.
  package static func isMasked(_ text: String) -> Bool {
    let word = text.split(separator: " ", maxSplits: 1).last ?? ""
    let ends = word.split(separator: "…", omittingEmptySubsequences: false).map(\.unicodeScalars.count)
    return ends.count == 2 && ends.allSatisfy { $0 <= 4 }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { masked }
  package var debugDescription: String { masked }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret {
  /// The text that replaces this secret in recordings. It is valid in the same places, and has the same masked form
  /// except that reserved characters become hyphens. The stand-in of a stand-in is the same text.
  ///
  /// It contains no other part of the secret than ``masked``, so two secrets may have the same stand-in.
  package var standIn: Secret {
    let scalars = revealed.unicodeScalars
    guard scalars.count > 24 else { return Secret(unchecked: "stand-in") }
    return Secret(
      unchecked: "\(replacingReserved(scalars.prefix(4)))-stand-in-for-a-secret-\(replacingReserved(scalars.suffix(4)))"
    )
  }

  /// Whether this text occurs in the stand-ins of other secrets. Replacing it everywhere would change those stand-ins.
  package var isPartOfStandIns: Bool {
    let (own, words) = (Array(revealed.utf8), Array("-stand-in-for-a-secret-".utf8))
    return own.count <= words.count
      && (0...words.count - own.count).contains { words[$0..<$0 + own.count].elementsEqual(own) }
  }

  /// Replaces all characters that are not unreserved (RFC 3986, section 2.3). Only unreserved characters have the same
  /// form in a header, a query, a form and JSON. At any other character, a stand-in could be recognized only in part,
  /// and the rest would be treated as another secret.
  private func replacingReserved(_ scalars: Substring.UnicodeScalarView) -> String {
    String(
      decoding: scalars.map { scalar in
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        return scalar.isASCII && byte.isUnreserved ? byte : UInt8(ascii: "-")
      }, as: UTF8.self)
  }
}

/// The reason why a text from a user is not a credential. It never quotes the text.
package enum InvalidSecret: Error, Equatable, CustomStringConvertible {
  case empty
  case notUTF8
  case controlCharacters
  case encoding(ForeignEncoding)
  case invisible(InvisibleCharacter)
  case quoted
  case assignment

  package var description: String { "it \(predicate)" }

  /// The reason as the predicate of a sentence whose subject is the text.
  package var predicate: String {
    switch self {
    case .empty: "is empty"
    case .notUTF8: "is not UTF-8"
    case .controlCharacters: "contains control characters"
    case .encoding(let encoding): encoding.predicate
    case .invisible(let character): "contains \(character)"
    case .quoted: "is in quotes"
    case .assignment: "has the form KEY=value"
    }
  }
}

extension Secret {
  /// Reads the contents of a file or of stdin: one line. A byte order mark and a line ending are removed.
  package init(file bytes: [UInt8]) throws(InvalidSecret) {
    var bytes = bytes
    do throws(ForeignEncoding) { bytes = try TextStart.removed(from: bytes) } catch { throw .encoding(error) }
    while let last = bytes.last, last == 0x0a || last == 0x0d { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    try self.init(given: text)
  }

  /// Reads a text that a user typed, pasted, or set as a variable. Characters that were copied together with a
  /// credential by mistake are an error here, because a server would report only that the credential is wrong.
  package init(given text: String) throws(InvalidSecret) {
    // In a shell, the value of `$(cat FILE)` includes the byte order mark of the file.
    let text = text.unicodeScalars.first == "\u{feff}" ? String(text.unicodeScalars.dropFirst()) : text
    guard !text.isEmpty else { throw .empty }
    guard let secret = Secret(parsing: text) else { throw .controlCharacters }
    if let character = InvisibleCharacter(in: text) { throw .invisible(character) }
    guard !Self.isQuoted(text) else { throw .quoted }
    guard !Self.isAssignment(text) else { throw .assignment }
    self = secret
  }

  private static func isQuoted(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last, text.unicodeScalars.count > 1
    else { return false }
    return switch first {
    case "\"", "'", "`": last == first
    case "\u{201c}", "\u{201e}": last == "\u{201d}" || last == "\u{201c}"
    case "\u{2018}": last == "\u{2019}"
    default: false
    }
  }

  /// Whether the text is a line of an environment file, such as `export IFTTT_SERVICE_KEY=…`. Equal signs at the end
  /// are padding of Base64.
  private static func isAssignment(_ text: String) -> Bool {
    var text = text[...]
    if text.hasPrefix("export ") { text = text.dropFirst(7) }
    guard let equalSign = text.firstIndex(of: "="), text[equalSign...].contains(where: { $0 != "=" }) else {
      return false
    }
    let name = text[..<equalSign].utf8
    let isName = name.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
    guard isName, let first = name.first, !first.isDigit else { return false }
    let isUppercase = !name.contains(where: \.isLowercase)
    return isUppercase || ["key", "token", "secret", "code"].contains { text[..<equalSign].lowercased().hasSuffix($0) }
  }
}

/// A secret that can be passed to the program, and the names under which it can be passed.
package enum CredentialName: String, Sendable, CaseIterable {
  case serviceKey = "service_key"
  case userToken = "user_token"
  case accessToken = "access_token"
  case oauthCode = "oauth_code"
  case clientSecret = "client_secret"
  case webhooksKey = "webhooks_key"

  package var noun: String {
    switch self {
    case .serviceKey: "service key"
    case .userToken: "user token"
    case .accessToken: "OAuth access token"
    case .oauthCode: "OAuth code"
    case .clientSecret: "OAuth client secret"
    case .webhooksKey: "webhooks key"
    }
  }

  /// The credentials that a program of a profile can print.
  package static let printable: [CredentialName] = [.serviceKey, .userToken, .accessToken, .webhooksKey]

  package var article: String { noun.hasPrefix("OAuth") ? "an" : "a" }

  package var option: String {
    switch self {
    case .serviceKey: "--service-key-file"
    case .userToken: "--user-token-file"
    case .accessToken: "--access-token-file"
    case .oauthCode: "--oauth-code-file"
    case .clientSecret: "--client-secret-file"
    case .webhooksKey: "--webhooks-key-file"
    }
  }
}

/// A credential that a request was sent with, as the error names it if the server rejects it.
package struct SentCredential: Sendable, Equatable, CustomStringConvertible {
  package let name: CredentialName
  /// The option, variable or profile that it is from; nil if it is unknown.
  package let origin: String?

  package init(_ name: CredentialName, from origin: String?) { (self.name, self.origin) = (name, origin) }

  /// `the service key from IFTTT_SERVICE_KEY`
  package var description: String { "the \(name.noun)" + (origin.map { " from \($0)" } ?? "") }
}
