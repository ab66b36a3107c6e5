import CExpat
import Text

/// The settings in the configuration of an app that was built with Grab's SDK.
package struct AppSettings: Sendable {
  package private(set) var settings = GrabSettings()
  /// Remarks for the user about settings in unexpected places and settings that could not be read.
  package private(set) var notes: [String] = []

  /// Reads an iOS app's Info.plist in XML form.
  /// - Throws: ``GrabError``.
  package init(propertyList bytes: [UInt8]) throws(GrabError) {
    if bytes.starts(with: "bplist00".utf8) {
      throw GrabError(
        .noAppFile, "the file is a binary property list",
        hint: "Convert it to XML: \(shell: "plutil -convert xml1 -o Info.xml Info.plist")")
    }
    guard let list = PropertyList(parsing: bytes), list.members != nil else {
      throw GrabError(.noAppFile, "the file is not a property list", hint: "Pass the Info.plist of the app.")
    }
    var sdkSettings = list["GrabIdPartnerSDK"]
    if sdkSettings == nil, let other = list["GrabPartnerIdSDK"] {
      // The example in the SDK's own README uses this spelling (docs/api/grab.md GC8).
      sdkSettings = other
      notes.append("the settings are under GrabPartnerIdSDK; the SDK itself reads only GrabIdPartnerSDK")
    }
    guard let sdkSettings, sdkSettings.members != nil else {
      throw GrabError(
        .noGrabSettings, "the property list has no settings of Grab's SDK", reason: "no dictionary GrabIdPartnerSDK")
    }
    try readSharedSettings { name in sdkSettings[name]?.text }
    // The SDK's code and its README spell this key differently (docs/api/grab.md GC1).
    if settings.prompt == nil { settings.prompt = sdkSettings["prompt"]?.text }
    if let values = sdkSettings["AcrValues"]?.members {
      // A dictionary has no order. Use the order of the file, so that the result is stable.
      settings.acrValues = []
      for (key, value) in values where !(value.text ?? "").isEmpty && !key.isEmpty {
        settings.acrValues.append(try ACRValue(key: key, value: value.text ?? ""))
      }
    }
    if let partner = list["GrabPartnerID"]?.text, !partner.isEmpty { settings.partnerID = partner }
  }

  /// Reads an Android app's AndroidManifest.xml in source form.
  /// - Throws: ``GrabError``.
  package init(manifest bytes: [UInt8]) throws(GrabError) {
    guard let document = try? XMLElement(parsing: bytes), document.name == "manifest" else {
      throw GrabError(
        .noAppFile, "the file is not an AndroidManifest.xml",
        hint: "Pass the manifest from the app's sources; an APK contains a compiled manifest.")
    }
    let prefix = "com.grab.partner.sdk."
    var values: [String: String] = [:]
    for element in document.all("meta-data") {
      guard let name = element.attributes["android:name"], name.hasPrefix(prefix),
        let value = element.attributes["android:value"]
      else { continue }
      let key = String(name.dropFirst(prefix.utf8.count))
      if value.hasPrefix("@") {
        notes.append(
          "\(key) is \(DisplayText.shown(value, limit: 60)), a reference to a resource; pass the value as an option")
      } else {
        values[key] = value
      }
    }
    guard !values.isEmpty || !notes.isEmpty else {
      throw GrabError(
        .noGrabSettings, "the manifest has no settings of Grab's SDK", reason: "no meta-data named \(prefix)…")
    }
    try readSharedSettings { name in values[name] }
    if settings.redirectURI == nil, let text = values["RedirectURI"], !text.isEmpty {
      settings.redirectURI = try GrabRedirectURI(parsing: text)
    }
    if let text = values["LoginHint"], !text.isEmpty { settings.loginHint = text }
    if let text = values["IDTokenHint"], !text.isEmpty { settings.idTokenHint = .init(parsing: text) }
    if let text = values["AcrValues"] {
      settings.acrValues = []
      for pair in text.split(separator: " ") { settings.acrValues.append(try ACRValue(parsing: String(pair))) }
    }
  }

  /// Reads the settings that have the same keys in both formats.
  private mutating func readSharedSettings(_ value: (String) -> String?) throws(GrabError) {
    func nonEmpty(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
    settings.clientID = nonEmpty("ClientId")
    if let text = nonEmpty("RedirectUrl") { settings.redirectURI = try GrabRedirectURI(parsing: text) }
    if let text = nonEmpty("Scope") { settings.scope = try Scope(parsing: [text]) }
    settings.discoveryURL = nonEmpty("ServiceDiscoveryUrl")
    settings.request = nonEmpty("Request").flatMap(Secret.init(parsing:))
    settings.loginHint = nonEmpty("Hint")
    settings.idTokenHint = nonEmpty("IdTokenHint").flatMap(Secret.init(parsing:))
    settings.prompt = nonEmpty("Prompt")
  }
}

/// A value of a property list, limited to the types that an app's settings use.
package indirect enum PropertyList {
  case text(String)
  case dictionary([(key: String, value: PropertyList)])
  case array([PropertyList])
  /// Numbers, dates, data and Booleans, which no setting uses.
  case other

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var members: [(key: String, value: PropertyList)]? {
    if case .dictionary(let members) = self { members } else { nil }
  }
  subscript(key: String) -> PropertyList? { members?.first { $0.key == key }?.value }

  /// Parses XML; nil if it is not a property list.
  package init?(parsing bytes: [UInt8]) {
    guard let document = try? XMLElement(parsing: bytes), document.name == "plist", let top = document.children.first,
      document.children.count == 1
    else { return nil }
    self.init(top)
  }

  private init?(_ element: XMLElement) {
    switch element.name {
    case "string": self = .text(element.text)
    case "dict":
      var members: [(key: String, value: PropertyList)] = []
      guard element.children.count % 2 == 0 else { return nil }
      for index in stride(from: 0, to: element.children.count, by: 2) {
        guard element.children[index].name == "key", let value = PropertyList(element.children[index + 1]) else {
          return nil
        }
        members.append((element.children[index].text, value))
      }
      self = .dictionary(members)
    case "array":
      let values = element.children.compactMap(PropertyList.init)
      guard values.count == element.children.count else { return nil }
      self = .array(values)
    case "integer", "real", "date", "data", "true", "false": self = .other
    default: return nil
    }
  }
}

/// An element of an XML document, limited to the features that property lists and Android manifests use.
struct XMLElement: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The text of the element, without the text of its children.
  var text = ""

  /// All descendants with a name, in document order.
  func all(_ name: String) -> [XMLElement] {
    children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
  }
}

extension XMLElement {
  /// Parses a document with expat. Names include their prefixes. External entities are never loaded. A document's own
  /// entity declarations are rejected, because entities can expand without limit.
  /// - Throws: ``GrabDocumentError``.
  init(parsing bytes: [UInt8]) throws(GrabDocumentError) {
    guard let parser = XML_ParserCreate(nil) else { throw GrabDocumentError("out of memory") }
    defer { XML_ParserFree(parser) }
    var document = XMLDocument(parser: parser)
    let isParsed = withUnsafeMutablePointer(to: &document) { document in
      XML_SetUserData(parser, document)
      XML_SetElementHandler(parser, beginElement, endElement)
      XML_SetCharacterDataHandler(parser, appendText)
      XML_SetEntityDeclHandler(parser, rejectEntity)
      return bytes.withUnsafeBytes { bytes in
        guard let size = Int32(exactly: bytes.count) else { return false }
        return XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), size, 1) == XML_STATUS_OK
      }
    }
    guard isParsed, let root = document.root else {
      let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
      throw document.error ?? GrabDocumentError(reason ?? "it is too long")
    }
    self = root
  }
}

/// The part of a document that has been read.
private struct XMLDocument {
  private static let maximumDepth = 64

  let parser: XML_Parser
  private(set) var root: XMLElement?
  private(set) var error: GrabDocumentError?
  /// The open elements, outermost first.
  private var open: [XMLElement] = []

  init(parser: XML_Parser) { self.parser = parser }

  mutating func reject(_ reason: String) {
    error = error ?? GrabDocumentError(reason)
    XML_StopParser(parser, 0)
  }

  mutating func begin(_ element: XMLElement) {
    guard open.count < Self.maximumDepth else { return reject("it is nested too deeply") }
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

// The callbacks of expat. The first argument of each is a pointer to the `XMLDocument`.

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

private func rejectEntity(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?, _ isParameter: Int32,
  _ value: UnsafePointer<XML_Char>?, _ count: Int32, _ base: UnsafePointer<XML_Char>?,
  _ system: UnsafePointer<XML_Char>?, _ publicName: UnsafePointer<XML_Char>?, _ notation: UnsafePointer<XML_Char>?
) {
  data?.assumingMemoryBound(to: XMLDocument.self).pointee.reject("it declares an entity, which is not allowed")
}
