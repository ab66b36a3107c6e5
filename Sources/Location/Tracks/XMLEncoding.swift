#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The XML declaration at the start of a document, read before the parser sees it, because the declared encoding
/// determines the bytes that the parser must receive.
enum XMLDeclaration {
  /// The maximum number of bytes to search for the end of the declaration.
  static let limit = 512

  enum Outcome: Equatable {
    /// More bytes are needed.
    case undecided
    /// The encoding that the document declares, in lowercase; nil if it declares none.
    case encoding(String?)
  }

  /// - Parameter isComplete: Whether no more bytes follow.
  static func find(in bytes: [UInt8], isComplete: Bool) -> Outcome {
    let start = Array("<?xml".utf8)
    guard bytes.starts(with: start) else {
      return isComplete || !start.starts(with: bytes) ? .encoding(nil) : .undecided
    }
    guard let end = bytes.prefix(limit).firstIndex(of: UInt8(ascii: ">")) else {
      return isComplete || bytes.count >= limit ? .encoding(nil) : .undecided
    }
    return .encoding(encoding(in: bytes[start.count..<end]))
  }

  private static func encoding(in declaration: ArraySlice<UInt8>) -> String? {
    let key = Array("encoding".utf8)
    guard let offset = declaration.indices.first(where: { declaration[$0...].starts(with: key) }) else { return nil }
    let rest = declaration[(offset + key.count)...].drop { $0 <= 0x20 || $0 == UInt8(ascii: "=") }
    guard let quote = rest.first, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
    return String(decoding: rest.dropFirst().prefix { $0 != quote }, as: UTF8.self).lowercased()
  }
}

/// The conversion of a GPX document's bytes to text.
enum XMLEncoding: Equatable {
  /// The parser reads the declaration itself.
  case declared
  /// UTF-8, whatever the declaration says.
  case utf8
  /// An encoding of iconv, which becomes UTF-8 before the parser sees it.
  case converted(from: String)

  /// - Parameter name: The encoding that the document declares, in lowercase.
  init(declaredAs name: String?) {
    switch name {
    case "utf8", "utf_8", "unicode-1-1-utf-8": self = .utf8
    // The declaration was readable as ASCII, so the document is not UTF-16: it was converted, by ``TrackBytes`` or by
    // a program that preserved the declaration.
    case let name? where Self.wideNames.contains(where: name.hasPrefix): self = .utf8
    case let name?: self = Self.multibyteNames[name].map { .converted(from: $0) } ?? .declared
    case nil: self = .declared
    }
  }

  private static let wideNames = ["utf-16", "utf16", "ucs-2", "iso-10646-ucs-2", "unicode"]

  /// The multibyte encodings that contain ASCII, by the names that documents use. As in browsers (WHATWG Encoding), a
  /// name stands for the largest variant, because programs do not distinguish them.
  private static let multibyteNames = [
    "gbk": "GB18030", "gb18030": "GB18030", "gb2312": "GB18030", "gb_2312-80": "GB18030", "x-gbk": "GB18030",
    "cp936": "GB18030", "ms936": "GB18030", "windows-936": "GB18030",
    "big5": "BIG5-HKSCS", "big5-hkscs": "BIG5-HKSCS", "cp950": "BIG5-HKSCS", "windows-950": "BIG5-HKSCS",
    "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932", "ms_kanji": "CP932",
    "windows-31j": "CP932", "cp932": "CP932", "ms932": "CP932", "windows-932": "CP932",
    "euc-jp": "EUC-JP", "x-euc-jp": "EUC-JP", "eucjp": "EUC-JP", "iso-2022-jp": "ISO-2022-JP",
    "euc-kr": "CP949", "euckr": "CP949", "ks_c_5601-1987": "CP949", "cp949": "CP949", "ms949": "CP949",
    "windows-949": "CP949", "euc-tw": "EUC-TW",
  ]
}

/// A conversion to UTF-8 by the system's iconv, for bytes that arrive in pieces. Bytes that are invalid in the encoding
/// become U+FFFD, because only names contain them: GPX numbers and element names are ASCII.
final class TextConversion {
  private static let pieceSize = 1 << 14
  /// More bytes than any character has. If so many are incomplete, they are invalid.
  private static let longestCharacter = 16

  private let conversion: iconv_t
  /// The bytes of a character that is not complete.
  private var pending: [UInt8] = []

  /// Create a conversion, or return nil if the system does not support the encoding.
  init?(from encoding: String) {
    guard let conversion = iconv_open("UTF-8", encoding), conversion != iconv_t(bitPattern: -1) else { return nil }
    self.conversion = conversion
  }

  deinit { iconv_close(conversion) }

  func convert(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var input = pending + bytes
    var text: [UInt8] = []
    text.reserveCapacity(input.count * 2)
    pending = convert(&input, appendingTo: &text)
    return text
  }

  /// The text of an incomplete character at the end of the input.
  func finish() -> [UInt8] {
    defer { pending = [] }
    return pending.isEmpty ? [] : Self.replacement
  }

  /// - Returns: The bytes of a character that is not complete.
  private func convert(_ input: inout [UInt8], appendingTo text: inout [UInt8]) -> [UInt8] {
    input.withUnsafeMutableBytes { input in
      var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        var error: Int32 = 0
        text += [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { output, count in
          output.withMemoryRebound(to: CChar.self) { output in
            var destination = output.baseAddress
            var room = output.count
            error = iconv(conversion, &next, &left, &destination, &room) == -1 ? errno : 0
            count = output.count - room
          }
        }
        if error == 0 || error == E2BIG { continue }
        if error == EINVAL, left < Self.longestCharacter {
          return Array(UnsafeRawBufferPointer(start: next, count: left))
        }
        text += Self.replacement
        next = next.map { $0 + 1 }
        left -= 1
      }
      return []
    }
  }

  private static let replacement: [UInt8] = [0xef, 0xbf, 0xbd]
}
