/// An element of an XML document, as far as property lists and Android manifests need it.
struct XMLElement: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// Of the element itself, without that of its children.
  var text = ""

  /// The elements of a name, at any depth, in document order.
  func all(_ name: String) -> [XMLElement] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }
}

/// Why a text is no XML that is read here; repeats nothing of it.
struct XMLFault: Error, Equatable {
  let description: String
}

extension XMLElement {
  private static let maximumDepth = 64

  /// Reads a document's one element. Entities of a document's own are refused: they can grow without end.
  /// - Throws: ``XMLFault``.
  init(parsing bytes: [UInt8]) throws(XMLFault) {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw XMLFault(description: "it is not UTF-8") }
    var reader = XMLReader(rest: text[...])
    if text.hasPrefix("\u{feff}") { reader.rest = text.dropFirst() }
    try reader.skipMisc()
    self = try reader.element(depth: 1)
    try reader.skipMisc()
    guard reader.rest.isEmpty else { throw XMLFault(description: "something follows its end") }
  }

  fileprivate struct XMLReader {
    var rest: Substring

    mutating func skipMisc() throws(XMLFault) {
      while true {
        while let first = rest.first, first.isWhitespace { rest.removeFirst() }
        if rest.hasPrefix("<?") {
          try skip(past: "?>")
        } else if rest.hasPrefix("<!--") {
          try skip(past: "-->")
        } else if rest.hasPrefix("<!DOCTYPE") {
          guard let end = rest.firstIndex(of: ">"), !rest[..<end].contains("[") else {
            throw XMLFault(description: "it declares things of its own")
          }
          rest = rest[rest.index(after: end)...]
        } else {
          return
        }
      }
    }

    mutating func element(depth: Int) throws(XMLFault) -> XMLElement {
      guard depth <= XMLElement.maximumDepth else { throw XMLFault(description: "it is nested too deeply") }
      guard take("<") else { throw XMLFault(description: "an element is missing") }
      var element = XMLElement(name: try name())
      while true {
        skipSpace()
        if take("/>") { return element }
        if take(">") { break }
        let key = try name()
        skipSpace()
        guard take("=") else { throw XMLFault(description: "an attribute has no value") }
        skipSpace()
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
          throw XMLFault(description: "an attribute's value is not quoted")
        }
        rest.removeFirst()
        let value = rest.prefix { $0 != quote }
        guard !value.contains("<") else { throw XMLFault(description: "an attribute's value does not end") }
        rest = rest.dropFirst(value.count)
        guard take(String(quote)) else { throw XMLFault(description: "an attribute's value does not end") }
        element.attributes[key] = try resolved(value)
      }
      try content(of: &element, depth: depth)
      return element
    }

    private mutating func content(of element: inout XMLElement, depth: Int) throws(XMLFault) {
      while true {
        let text = rest.prefix { $0 != "<" }
        rest = rest.dropFirst(text.count)
        element.text += try resolved(text)
        if rest.hasPrefix("<!--") {
          try skip(past: "-->")
        } else if take("<![CDATA[") {
          let start = rest
          try skip(past: "]]>")
          element.text += start[..<rest.startIndex].dropLast(3)
        } else if take("</") {
          guard try name() == element.name else { throw XMLFault(description: "an element does not end") }
          skipSpace()
          guard take(">") else { throw XMLFault(description: "an element does not end") }
          return
        } else {
          element.children.append(try self.element(depth: depth + 1))
        }
      }
    }

    private mutating func take(_ text: String) -> Bool {
      guard rest.hasPrefix(text) else { return false }
      rest = rest.dropFirst(text.count)
      return true
    }

    private mutating func skipSpace() { while let first = rest.first, first.isWhitespace { rest.removeFirst() } }

    private mutating func skip(past end: String) throws(XMLFault) {
      while !rest.isEmpty {
        if take(end) { return }
        rest.removeFirst()
      }
      throw XMLFault(description: "a comment or section does not end")
    }

    private mutating func name() throws(XMLFault) -> String {
      let name = rest.prefix { $0.isLetter || $0.isNumber || ":_-.".contains($0) }
      guard !name.isEmpty else { throw XMLFault(description: "a name is missing") }
      rest = rest.dropFirst(name.count)
      return String(name)
    }

    private func resolved(_ text: Substring) throws(XMLFault) -> String {
      guard text.contains("&") else { return String(text) }
      var result = ""
      for (place, piece) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
        guard place > 0 else {
          result += piece
          continue
        }
        guard let end = piece.firstIndex(of: ";"), let character = Self.entity(piece[..<end]) else {
          throw XMLFault(description: "an entity is not known")
        }
        result.append(character)
        result += piece[piece.index(after: end)...]
      }
      return result
    }

    private static func entity(_ name: Substring) -> Character? {
      switch name {
      case "amp": return "&"
      case "lt": return "<"
      case "gt": return ">"
      case "quot": return "\""
      case "apos": return "'"
      default:
        let number =
          name.hasPrefix("#x")
          ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        return number.flatMap(Unicode.Scalar.init).map(Character.init)
      }
    }
  }
}
