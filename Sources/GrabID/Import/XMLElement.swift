import CExpat

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
struct XMLError: Error, Equatable {
  let description: String
}

extension XMLElement {
  /// Reads a document's one element with expat, names as they stand, with their prefixes. Nothing outside the bytes is ever
  /// loaded, and entities of a document's own are refused: they can grow without end.
  /// - Throws: ``XMLError``.
  init(parsing bytes: [UInt8]) throws(XMLError) {
    guard let parser = XML_ParserCreate(nil) else { throw XMLError(description: "there is no memory left") }
    defer { XML_ParserFree(parser) }
    var document = XMLDocument(parser: parser)
    let isRead = withUnsafeMutablePointer(to: &document) { document in
      XML_SetUserData(parser, document)
      XML_SetElementHandler(parser, beginElement, endElement)
      XML_SetCharacterDataHandler(parser, keepText)
      XML_SetEntityDeclHandler(parser, refuseEntity)
      return bytes.withUnsafeBytes { bytes in
        guard let size = Int32(exactly: bytes.count) else { return false }
        return XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size, 1) == XML_STATUS_OK
      }
    }
    guard isRead, let root = document.root else {
      let words = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw document.fault ?? XMLError(description: words ?? "it is too long")
    }
    self = root
  }
}

/// What of a document has been read so far.
private struct XMLDocument {
  private static let maximumDepth = 64

  let parser: XML_Parser
  private(set) var root: XMLElement?
  private(set) var fault: XMLError?
  /// The elements that are open, outermost first.
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

  mutating func keep(_ text: String) {
    if !open.isEmpty { open[open.count - 1].text += text }
  }
}

// What expat calls; each finds the document behind its first argument.

private func beginElement(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
  guard let name else { return }
  var element = XMLElement(name: String(cString: name))
  var next = attributes
  // Names and values by turns, ended by a null.
  while let pair = next, let key = pair[0], let value = pair[1] {
    element.attributes[String(cString: key)] = String(cString: value)
    next = pair + 2
  }
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.begin(element)
}

private func endElement(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.end()
}

private func keepText(_ data: UnsafeMutableRawPointer?, _ text: UnsafePointer<XML_Char>?, _ count: Int32) {
  // Expat cuts no character in two.
  let bytes = UnsafeRawBufferPointer(start: text, count: Int(count))
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.keep(String(decoding: bytes, as: UTF8.self))
}

private func refuseEntity(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ isParameter: Int32,
  _ value: UnsafePointer<XML_Char>?, _ count: Int32, _ base: UnsafePointer<XML_Char>?,
  _ system: UnsafePointer<XML_Char>?, _ publicName: UnsafePointer<XML_Char>?, _ notation: UnsafePointer<XML_Char>?
) {
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.refuse("it declares an entity, which no settings need")
}
