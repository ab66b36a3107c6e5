import CommandLine
import HTTP
import JSON
import Session
import Text

/// A typed or untyped field of `ifttt api`.
struct RequestField: Sendable {
  enum Value: Sendable {
    case string(String)
    /// A number, `true`, `false` or `null`, as it was typed.
    case literal(JSONValue, String)
    case file(String)
  }

  let name: String
  let value: Value

  /// The maximum size of a file that is sent, in bytes.
  static let limit = 16 << 20

  init?(string text: String) {
    guard let field = FieldAssignment(parsing: text) else { return nil }
    (name, value) = (field.name, .string(field.value))
  }

  init?(typed text: String) {
    guard let field = FieldAssignment(parsing: text) else { return nil }
    let value = field.value
    name = field.name
    if value.hasPrefix("@") {
      guard value.utf8.count > 1 else { return nil }
      self.value = .file(String(value.dropFirst()))
      return
    }
    switch try? JSONValue(parsing: Array(value.utf8)) {
    case .some(let literal) where literal.string == nil && literal.array == nil && literal.object == nil:
      self.value = .literal(literal, value)
    default: self.value = .string(value)
    }
  }

  func json(in session: Session) throws -> JSONValue {
    if case .literal(let value, _) = value { return value }
    return .string(try text(in: session))
  }

  /// The value in a query, which has no types: null is the empty text.
  func text(in session: Session) throws -> String {
    switch value {
    case .string(let text): return text
    case .literal(.null, _): return ""
    case .literal(_, let text): return text
    case .file(let file):
      let bytes = try session.console.text(of: file, for: "--typed-field", limit: Self.limit)
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw Problem(
          .refused, "'\(file)' is not UTF-8 text", reason: "a field must be text",
          hint: "Send the file as the whole body: --input \(file)")
      }
      return text
    }
  }
}

extension ValueKind<RequestField> {
  static var stringField: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE") { RequestField(string: $0) }
  }
  static var typedField: ValueKind {
    .parsed("NAME=VALUE", expected: "NAME=VALUE or NAME=@FILE") { RequestField(typed: $0) }
  }
}

/// The request method with this name, in any case.
func requestMethod(_ text: String) -> HTTP.Method? { HTTP.Method(rawValue: text.uppercased()) }

extension ValueKind<HTTP.Method> {
  static var httpMethod: ValueKind {
    let names = HTTP.Method.allCases.map(\.rawValue)
    let choices = names.map { Choice($0, nil) }
    return ValueKind(ValueSchema(placeholder: "METHOD", completion: .choices(choices))) {
      (text: String) throws(ValueError) in
      guard let method = requestMethod(text) else { throw ValueError("", accepted: names) }
      return method
    }
  }
}

extension ValueKind<Header> {
  /// A header as `NAME: VALUE`. Credentials and the headers that frame a request are rejected.
  static var requestHeader: ValueKind {
    ValueKind(ValueSchema(placeholder: "NAME:VALUE")) { (text: String) throws(ValueError) in
      guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
        throw ValueError("expected NAME: VALUE")
      }
      let name = String(text[..<colon])
      let value = String(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
      guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && !"()<>@,;\\\"/[]?={}".utf8.contains($0) }) else {
        throw ValueError("the name contains a character that is not allowed in a header's name")
      }
      guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }) else {
        throw ValueError("the value contains a control character")
      }
      guard !Header.isCredential(name) else {
        throw ValueError("this header is a credential; use --user-token-file, --service-key-file or --invite-code")
      }
      guard !Header.isOfConnection(name) else { throw ValueError("the program sets this header itself") }
      return Header(name, value)
    }
  }
}
