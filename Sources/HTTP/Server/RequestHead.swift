import Text

/// The request line and the fields of a request.
package struct RequestHead: Equatable {
  /// How the end of the body is found (RFC 9112, section 6.3).
  package enum Framing: Equatable {
    case length(Int)
    case chunked
  }

  package var line: RequestLine
  /// The digit after `HTTP/1.`.
  package var minorVersion: Int
  package var fields: [HeaderField]
  package var framing: Framing
  package var keepsAlive: Bool
}

extension RequestHead {
  /// Parses the lines of a head, without the empty line at its end (RFC 9112, sections 3 and 5).
  ///
  /// Two programs that read a request differently can be made to see different requests, so everything that the RFC
  /// does not allow is rejected: bare line feeds, folded lines, space before a colon, two ways to state a length.
  init(parsing bytes: ArraySlice<UInt8>, fieldLimit: Int) throws(RequestRejection) {
    var lines = HeadLines(bytes)
    let (line, minorVersion) = try Self.requestLine(lines.next() ?? [])
    var fields: [HeaderField] = []
    var framing = FramingFields()
    while let text = lines.next() {
      guard fields.count < fieldLimit else {
        throw RequestRejection(status: 431, message: "The header has more than \(fieldLimit) fields")
      }
      let field = try HeaderField(parsing: text)
      try framing.note(field)
      fields.append(field)
    }
    (self.line, self.minorVersion, self.fields) = (line, minorVersion, fields)
    self.framing = try framing.framing(minorVersion: minorVersion)
    keepsAlive = framing.keepsAlive(minorVersion: minorVersion)
  }

  private static func requestLine(_ line: ArraySlice<UInt8>) throws(RequestRejection) -> (
    RequestLine, minorVersion: Int
  ) {
    let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3 else { throw .syntax("a request line has three words") }
    let (method, target, version) = (words[0], words[1], words[2])
    guard !method.isEmpty, method.allSatisfy(isTokenByte) else { throw .syntax("the method is not a name") }
    guard !target.isEmpty, target.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw .syntax("the target contains a character that must be percent-encoded")
    }
    let request = RequestLine(
      method: String(decoding: method, as: UTF8.self), target: String(decoding: target, as: UTF8.self))
    switch String(decoding: version, as: UTF8.self) {
    case "HTTP/1.1": return (request, 1)
    case "HTTP/1.0": return (request, 0)
    case "HTTP/0.9", "HTTP/2.0", "HTTP/3.0": throw RequestRejection(status: 505, message: "Only HTTP/1.1 is supported")
    default: throw .syntax("the version is not known")
    }
  }
}

extension HeaderField {
  /// Parses a field line (RFC 9110, section 5).
  fileprivate init(parsing line: ArraySlice<UInt8>) throws(RequestRejection) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .syntax("a field has no colon") }
    let name = line[..<colon]
    guard !name.isEmpty, name.allSatisfy(isTokenByte) else { throw .syntax("the name of a field is not a name") }
    let value = trimmed(line[line.index(after: colon)...])
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") }) else {
      throw .syntax("the value of a field contains a control character")
    }
    self.init(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
  }
}

/// The lines of a head, each of which ends with CR and LF, except the last one.
private struct HeadLines {
  private var rest: ArraySlice<UInt8>?

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> ArraySlice<UInt8>? {
    guard let text = rest else { return nil }
    var end = text.startIndex
    // A bare CR or LF stays in its line, so the parser of that line rejects it.
    while let found = text[end...].firstIndex(of: UInt8(ascii: "\r")) {
      let after = text.index(after: found)
      if after < text.endIndex, text[after] == UInt8(ascii: "\n") {
        rest = text[text.index(after: after)...]
        return text[..<found]
      }
      end = after
    }
    rest = nil
    return text
  }
}

/// What the fields of a head say about its body and its connection.
private struct FramingFields {
  private var length: Int?
  private var isChunked = false
  private var closes = false
  private var isKept = false

  mutating func note(_ field: HeaderField) throws(RequestRejection) {
    if field.isNamed("Content-Length") {
      guard length == nil else { throw .syntax("there are two lengths") }
      length = try Self.length(field.value)
    } else if field.isNamed("Transfer-Encoding") {
      guard !isChunked else { throw .syntax("there are two transfer encodings") }
      let codings = field.value.lowercased().utf8.split(separator: UInt8(ascii: ",")).map { trimmed($0) }
      guard let last = codings.last, last.elementsEqual("chunked".utf8) else {
        throw .syntax("the last transfer encoding is not 'chunked'")
      }
      guard codings.count == 1 else {
        throw RequestRejection(status: 501, message: "The only supported transfer encoding is 'chunked'")
      }
      isChunked = true
    } else if field.isNamed("Connection") {
      for option in field.value.utf8.split(separator: UInt8(ascii: ",")) {
        switch String(decoding: trimmed(option), as: UTF8.self).lowercased() {
        case "close": closes = true
        case "keep-alive": isKept = true
        default: break
        }
      }
    }
  }

  func framing(minorVersion: Int) throws(RequestRejection) -> RequestHead.Framing {
    guard isChunked else { return .length(length ?? 0) }
    guard length == nil else { throw .syntax("there are a length and a transfer encoding") }
    guard minorVersion > 0 else { throw .syntax("HTTP/1.0 has no transfer encoding") }
    return .chunked
  }

  func keepsAlive(minorVersion: Int) -> Bool { !closes && (minorVersion > 0 || isKept) }

  private static func length(_ value: String) throws(RequestRejection) -> Int {
    guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit),
      let length = Int(value)
    else { throw .syntax("the length is not a number") }
    return length
  }
}

/// The text without spaces and tabs at its ends.
private func trimmed<Text: BidirectionalCollection<UInt8>>(_ text: Text) -> Text.SubSequence
where Text.SubSequence == Text {
  var rest = text
  while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest = rest.dropFirst() }
  while rest.last == UInt8(ascii: " ") || rest.last == UInt8(ascii: "\t") { rest = rest.dropLast() }
  return rest
}

/// Whether a byte can be part of a token (RFC 9110, section 5.6.2).
private func isTokenByte(_ byte: UInt8) -> Bool {
  byte.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
}
