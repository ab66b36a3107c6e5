import IFTTT
import JSON
import PluginProtocol
import Plugins
import Store

/// A connection as a provider describes it: what is accepted has an id that can be typed, becomes JSON with a fixed
/// set of keys and no control character, and is the same when it is described by that JSON.
enum ProviderProperties {
  private static let keys = [
    "id", "name", "description", "status", "pending", "provider", "url", "enabled_count", "primary_service", "services",
    "features", "configuration", "cover_images",
  ]

  static func problem(in bytes: [UInt8]) -> String? {
    guard let name = PluginName(parsing: "shelf"), let value = try? Value(parsing: bytes),
      let row = try? ProvidedRow(value, by: name)
    else { return nil }
    guard ConnectionID(parsing: row.id) != nil, !row.id.hasControls() else { return "an id that cannot be typed" }
    let text = row.document + [UInt8(ascii: "}")]
    guard let document = try? JSONValue(parsing: text), !text.hasControls() else {
      return "a document that is not JSON"
    }
    guard document.object?.members.map(\.key) == keys else { return "other keys" }
    guard document["id"]?.string == row.id, document["provider"]?.string == "shelf" else { return "another connection" }
    // What is missing becomes null or empty, which may be described by itself from then on.
    guard let again = read(row.document, by: name), let third = read(again.document, by: name) else {
      return "a connection that cannot be read again"
    }
    return again.document == third.document && again.id == row.id ? nil : "a connection that changes"
  }

  private static func read(_ document: [UInt8], by name: PluginName) -> ProvidedRow? {
    try? ProvidedRow(Value(parsing: document + [UInt8(ascii: "}")]), by: name)
  }
}
