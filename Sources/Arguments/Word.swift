/// One word of an argument vector, exactly as the system handed it over, valid UTF-8 or not.
package struct Word: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The text, with U+FFFD in place of what is not UTF-8.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text of a part of a word, as a value has to be: no kind of value need ask that again.
  static func text(of bytes: ArraySlice<UInt8>) -> Result<String, ValueError> {
    let text = (bytes + [0]).withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { String(validatingCString: $0) } }
    }
    guard let text else { return .failure(ValueError("it is not valid UTF-8")) }
    // A NUL among the bytes has ended the text too early.
    guard text.utf8.count == bytes.count else { return .failure(ValueError("it contains a NUL byte")) }
    return .success(text)
  }

  func isExactly(_ text: String) -> Bool { text.utf8.elementsEqual(bytes) }

  /// Whether it begins with a dash and is more than a dash.
  var hasOptionForm: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }

  /// Whether it begins with two dashes.
  var hasLongForm: Bool { hasOptionForm && bytes[1] == UInt8(ascii: "-") }
}
