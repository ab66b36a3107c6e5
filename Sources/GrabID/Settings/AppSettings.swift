import Text

/// The settings in the configuration of an app that was built with Grab's SDK.
package struct AppSettings: Sendable {
  package private(set) var settings = GrabSettings()
  /// Remarks about where the settings were found.
  package private(set) var notes: [String] = []

  /// Reads an iOS app's Info.plist, in XML or binary form.
  /// - Throws: ``GrabError``.
  package init(propertyList bytes: [UInt8]) throws(GrabError) {
    guard let list = PropertyList(parsing: bytes), list.members != nil else {
      throw GrabError(.noAppFile, "the file is not a property list", hint: "Pass the Info.plist of the app.")
    }
    var found = list["GrabIdPartnerSDK"]
    if found == nil, let other = list["GrabPartnerIdSDK"] {
      // The example in the SDK's own README uses this spelling (docs/api/grab.md GC8).
      found = other
      notes.append("the settings are under GrabPartnerIdSDK; the SDK itself reads only GrabIdPartnerSDK")
    }
    guard let found, found.members != nil else {
      throw GrabError(
        .noGrabSettings, "the property list has no settings of Grab's SDK", reason: "no dictionary GrabIdPartnerSDK")
    }
    try receive { name in found[name]?.text }
    if settings.prompt == nil { settings.prompt = found["prompt"]?.text }
    if let values = found["AcrValues"]?.members {
      // A dictionary has no order. The order in the file is as good as any other, and stable.
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
    try receive { name in values[name] }
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

  private mutating func receive(_ value: (String) -> String?) throws(GrabError) {
    func filled(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
    settings.clientID = filled("ClientId")
    if let text = filled("RedirectUrl") { settings.redirectURI = try GrabRedirectURI(parsing: text) }
    if let text = filled("Scope") { settings.scope = try Scope(parsing: [text]) }
    settings.discoveryURL = filled("ServiceDiscoveryUrl")
    settings.request = filled("Request").flatMap(Secret.init(parsing:))
    settings.loginHint = filled("Hint")
    settings.idTokenHint = filled("IdTokenHint").flatMap(Secret.init(parsing:))
    // The SDK's code and its README spell this key differently (docs/api/grab.md GC1).
    settings.prompt = filled("Prompt")
  }
}

/// A value of a property list, limited to the types that an app's settings use.
package indirect enum PropertyList: Equatable {
  case text(String)
  case dictionary([(key: String, value: PropertyList)])
  case array([PropertyList])
  /// Numbers, dates, data and Booleans, which no setting uses.
  case other

  package static func == (a: PropertyList, b: PropertyList) -> Bool {
    switch (a, b) {
    case (.text(let first), .text(let second)): first == second
    case (.array(let first), .array(let second)): first == second
    case (.dictionary(let first), .dictionary(let second)):
      first.elementsEqual(second) { $0.key == $1.key && $0.value == $1.value }
    case (.other, .other): true
    default: false
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var members: [(key: String, value: PropertyList)]? {
    if case .dictionary(let members) = self { members } else { nil }
  }
  subscript(key: String) -> PropertyList? { members?.first { $0.key == key }?.value }

  /// Parses XML or binary, detected by the first bytes; nil if it is neither.
  package init?(parsing bytes: [UInt8]) {
    if bytes.starts(with: "bplist00".utf8) {
      guard let list = BinaryPropertyList(bytes)?.top else { return nil }
      self = list
      return
    }
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
