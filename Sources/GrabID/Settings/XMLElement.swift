import CExpat

/// An element of an XML document, limited to the features that property lists and Android manifests use.
struct XMLElement: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The text of the element itself, without that of its children.
  var text = ""

  /// All descendants with a name, in document order.
  func all(_ name: String) -> [XMLElement] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }
}

/// The reason why a text is not accepted as XML. It never repeats parts of the text.
struct XMLError: Error, Equatable {
  let description: String
}

extension XMLElement {
  /// Parses a document with expat. Names include their prefixes. External entities are never loaded. A document's own
  /// entity declarations are rejected, because entities can expand without limit.
  /// - Throws: ``XMLError``.
  init(parsing bytes: [UInt8]) throws(XMLError) {
    guard let parser = XML_ParserCreate(nil) else { throw XMLError(description: "out of memory") }
    defer { XML_ParserFree(parser) }
    var document = XMLDocument(parser: parser)
    let isRead = withUnsafeMutablePointer(to: &document) { document in
      XML_SetUserData(parser, document)
      XML_SetElementHandler(parser, beginElement, endElement)
      XML_SetCharacterDataHandler(parser, appendText)
      XML_SetEntityDeclHandler(parser, refuseEntity)
      return bytes.withUnsafeBytes { bytes in
        guard let size = Int32(exactly: bytes.count) else { return false }
        return XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size, 1) == XML_STATUS_OK
      }
    }
    guard isRead, let root = document.root else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw document.fault ?? XMLError(description: reason ?? "it is too long")
    }
    self = root
  }
}

/// The part of a document that has been read.
private struct XMLDocument {
  private static let maximumDepth = 64

  let parser: XML_Parser
  private(set) var root: XMLElement?
  private(set) var fault: XMLError?
  /// The open elements, outermost first.
  private var open: [XMLElement] = []

  init(parser: XML_Parser) { self.parser = parser }

  mutating func refuse(_ reason: String) {
    fault = fault ?? XMLError(description: reason)
    XML_StopParser(parser, 0)
  }

  mutating func begin(_ element: XMLElement) {
    guard open.count < Self.maximumDepth else { return refuse("it is nested too deeply") }
    open.append(element)
  }

  mutating func end() {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  mutating func append(_ text: String) {
    if !open.isEmpty { open[open.count - 1].text += text }
  }
}

// The callbacks of expat. Each gets the document through its first argument.

private func beginElement(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name else { return }
  var element = XMLElement(name: String(cString: name))
  var next = attributes
  // Names and values alternate; a null pointer ends the list.
  while let pair = next, let key = pair[0], let value = pair[1] {
    element.attributes[String(cString: key)] = String(cString: value)
    next = pair + 2
  }
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.begin(element)
}

private func endElement(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.end()
}

private func appendText(_ data: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ count: Int32) {
  // Expat never splits a character.
  let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.append(String(decoding: bytes, as: UTF8.self))
}

private func refuseEntity(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ isParameter: Int32,
  _ value: UnsafePointer<XML_Char>?, _ count: Int32, _ base: UnsafePointer<XML_Char>?,
  _ system: UnsafePointer<XML_Char>?, _ publicName: UnsafePointer<XML_Char>?, _ notation: UnsafePointer<XML_Char>?
) {
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.refuse("it declares an entity, which is not allowed")
}
