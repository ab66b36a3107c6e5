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
