package import CommandLine
package import HTTP
import Text

extension ValueKind<Header> {
  /// A header as `NAME: VALUE`. Credentials and the headers that frame a request are rejected.
  package static var requestHeader: ValueKind<Header> {
    ValueKind(ValueSchema(placeholder: "NAME:VALUE")) { (text: String) throws(ValueError) in
      guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
        throw ValueError("expected NAME: VALUE")
      }
      let name = String(text[..<colon])
      let value = String(text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" })
      guard HeaderField.isName(name.utf8) else {
        throw ValueError("the name contains a character that is not allowed in a header's name")
      }
      guard HeaderField.isValue(value.utf8) else {
        throw ValueError("the value contains a control character")
      }
      guard !Header.isCredential(name) else {
        throw ValueError(
          "this header is a credential; use an option that reads a file, such as --user-token-file"
        )
      }
      guard !Header.isOfConnection(name) else { throw ValueError("the program sets this header itself") }
      return Header(name, value)
    }
  }
}
