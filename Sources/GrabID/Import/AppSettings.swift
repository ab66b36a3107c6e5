import Hints
import Secrets

/// The settings that an app built with Grab's SDK has in its own configuration.
package struct AppSettings: Sendable {
  package private(set) var settings = GrabSettings()
  /// What is worth saying about where they were found.
  package private(set) var notes: [String] = []

  /// Of an iOS app's Info.plist, XML or binary.
  /// - Throws: ``GrabError``.
  package init(propertyList bytes: [UInt8]) throws(GrabError) {
    guard let list = PropertyList(parsing: bytes), list.members != nil else {
      throw GrabError(.noAppFile, "the file is no property list", hint: "Give the Info.plist of the app.")
    }
    var found = list["GrabIdPartnerSDK"]
    if found == nil, let other = list["GrabPartnerIdSDK"] {
      // GC8: the SDK's own README spells it so in its example.
      found = other
      notes.append("the settings stand under GrabPartnerIdSDK; the SDK itself reads GrabIdPartnerSDK alone")
    }
    guard let found, found.members != nil else {
      throw GrabError(
        .noGrabSettings, "the property list has no settings of Grab's SDK", reason: "no dictionary GrabIdPartnerSDK")
    }
    try take { name in found[name]?.text }
    if settings.prompt == nil { settings.prompt = found["prompt"]?.text }
    if let values = found["AcrValues"]?.members {
      // A dictionary has no order of its own; as the file has it is as good as any, and always the same.
      settings.acrValues = []
      for (key, value) in values where !(value.text ?? "").isEmpty && !key.isEmpty {
        settings.acrValues.append(try ACRValue(key: key, value: value.text ?? ""))
      }
    }
    if let partner = list["GrabPartnerID"]?.text, !partner.isEmpty { settings.partnerID = partner }
  }

  /// Of an Android app's AndroidManifest.xml in its source form.
  /// - Throws: ``GrabError``.
  package init(manifest bytes: [UInt8]) throws(GrabError) {
    guard let document = try? XMLElement(parsing: bytes), document.name == "manifest" else {
      throw GrabError(
        .noAppFile, "the file is no AndroidManifest.xml",
        hint: "Give the one among the app's sources; the one inside an APK is compiled.")
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
          "\(key) is \(DisplayText.shown(value, limit: 60)), a resource that stands elsewhere; give it yourself")
      } else {
        values[key] = value
      }
    }
    guard !values.isEmpty || !notes.isEmpty else {
      throw GrabError(
        .noGrabSettings, "the manifest has no settings of Grab's SDK", reason: "no meta-data named \(prefix)…")
    }
    try take { name in values[name] }
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

  private mutating func take(_ value: (String) -> String?) throws(GrabError) {
    func filled(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
    settings.clientID = filled("ClientId")
    if let text = filled("RedirectUrl") { settings.redirectURI = try GrabRedirectURI(parsing: text) }
    if let text = filled("Scope") { settings.scope = try Scope(parsing: [text]) }
    settings.discoveryURL = filled("ServiceDiscoveryUrl")
    settings.request = filled("Request").flatMap(Secret.init(parsing:))
    settings.loginHint = filled("Hint")
    settings.idTokenHint = filled("IdTokenHint").flatMap(Secret.init(parsing:))
    // GC1: code and README of the SDK spell it differently.
    settings.prompt = filled("Prompt")
  }
}
