package import CommandLine
import Text

/// The name of a profile: up to 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit.
package struct ProfileName: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package static let standard = ProfileName(unchecked: "default")
  /// The built-in profile that uses the emulator instead of IFTTT.
  package static let sandbox = ProfileName(unchecked: "sandbox")

  package var isSandbox: Bool { self == .sandbox }
  /// Whether the profile exists even if nothing is stored for it.
  package var isBuiltIn: Bool { self == .standard || isSandbox }

  package init?(parsing text: String) {
    let punctuation = [UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-")]
    guard let first = text.utf8.first, first.isLetterOrDigit, text.utf8.count <= 64,
      text.utf8.allSatisfy({ $0.isLetterOrDigit || punctuation.contains($0) })
    else { return nil }
    description = text
  }

  private init(unchecked text: String) { description = text }
}

extension ValueKind<ProfileName> {
  package static var profileName: ValueKind {
    .parsed(
      "NAME", completion: .dynamic("profile"),
      expected: "up to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit"
    ) { ProfileName(parsing: $0) }
  }
}

/// `NAME=VALUE`; the value may be empty and may contain more equals signs.
package struct FieldAssignment: Sendable {
  package let name: String
  package let value: String

  package init?(parsing text: String) {
    guard let equals = text.firstIndex(of: "="), equals > text.startIndex else { return nil }
    name = String(text[..<equals])
    value = String(text[text.index(after: equals)...])
  }
}

extension ValueKind<FieldAssignment> {
  package static var assignment: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE") { FieldAssignment(parsing: $0) }
  }
}

/// The sources of the values that completion scripts request. The raw values are the names that options and arguments
/// pass to `CompletionKind.dynamic` and `dynamicList`.
package enum CompletionCandidates: String, CaseIterable {
  case connectionID = "connection-id"
  case appletID = "applet-id"
  case setting
  case fieldAddress = "field-address"
  case feature, trigger, query, action
  case region
  case profile
  case tokenUser = "token-user"
  case field
  case sortField = "sort-field"
  case condition
  case schema
  case language
  case plugin
  case pluginIndex = "plugin-index"
  case serviceCheck = "service-check"
  case serviceEndpoint = "service-endpoint"
}
