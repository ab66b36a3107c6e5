import Text

/// One argument of the argument vector, exactly as the system passed it, valid UTF-8 or not.
package struct Word: Sendable, Hashable {
  package let bytes: [UInt8]

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The text, with U+FFFD in place of invalid UTF-8.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The text of a part of an argument. A file name may have any bytes.
  static func text(of bytes: ArraySlice<UInt8>, as value: ValueSchema?) -> Result<String, ValueError> {
    switch value?.completion {
    case .file, .directory: bytes.contains(0) ? text(of: bytes) : .success(FileName.text(of: bytes))
    default: text(of: bytes)
    }
  }

  /// The text of a part of an argument, checked so that value kinds need not check the encoding.
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

  /// Whether it begins with a dash and is longer than a dash.
  var hasOptionForm: Bool { bytes.count > 1 && bytes[0] == UInt8(ascii: "-") }

  /// Whether it begins with two dashes.
  var hasLongForm: Bool { hasOptionForm && bytes[1] == UInt8(ascii: "-") }
}
