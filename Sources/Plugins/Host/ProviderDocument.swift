import IFTTT
import JSON
package import PluginProtocol
package import Store
import Text

extension ProvidedRow {
  /// Parses a provider's description of a connection. Missing members become null, false or empty, and unknown
  /// members are dropped.
  /// - Throws: ``ProviderDocumentError`` if the name or the status is missing, or if the id cannot be typed.
  package init(_ value: Value, by provider: PluginName) throws(ProviderDocumentError) {
    guard let id = value["id"]?.string, ConnectionID(parsing: id) != nil else {
      throw ProviderDocumentError("a connection has no 'id', or one with '/', '?', '#' or control characters")
    }
    guard let name = value["name"]?.string else { throw ProviderDocumentError("connection '\(id)' has no 'name'") }
    guard let status = value["status"]?.string, UserStatus(rawValue: status) != nil else {
      throw ProviderDocumentError(
        "connection '\(id)' has a 'status' other than enabled, disabled, never_enabled and unknown")
    }
    let json = value.json
    var writer = JSONWriter(reserving: 512)
    writer.beginObject()
    writer.member("id", id)
    writer.member("name", name)
    writer.member("description", json["description"]?.string)
    writer.member("status", status)
    writer.member("pending", json["pending"]?.bool ?? false)
    writer.member("provider", provider.description)
    writer.member("url", json["url"]?.string)
    writer.member("enabled_count", value["enabled_count"]?.int(in: 0...1_000_000_000_000))
    let services = json["services"]?.array ?? []
    writer.member("primary_service", json["primary_service"]?.string ?? services.primary)
    writer.members("services", services) { $1.service($0) }
    writer.members("features", (json["features"]?.array ?? []).filter { $0["id"]?.string?.isEmpty == false }) {
      $1.feature($0)
    }
    writer.member("configuration", String?.none)
    writer.key("cover_images")
    writer.images(json["cover_images"])
    self.init(id: id, name: name, status: status, document: writer.bytes)
    isPrivate = json["private"]?.bool ?? false
  }

  /// The row as it may be cached: for a private row, only the id and the status.
  func cacheable(by provider: PluginName) throws(ProviderDocumentError) -> ProvidedRow {
    guard isPrivate else { return self }
    return try ProvidedRow(["id": Value(id), "name": Value(id), "status": Value(status)], by: provider)
  }
}

/// The reason why a provider's description of a connection is invalid.
package struct ProviderDocumentError: Error, Equatable {
  package let description: String
  package init(_ description: String) { self.description = description }
}

extension [JSONValue] {
  fileprivate var primary: String? { first { $0["is_primary"]?.bool == true }?["id"]?.string }
}

extension JSONWriter {
  fileprivate mutating func service(_ value: JSONValue) {
    beginObject()
    let id = value["id"]?.string ?? ""
    member("id", id)
    member("name", value["name"]?.string ?? id)
    member("short_name", value["short_name"]?.string ?? value["name"]?.string ?? id)
    member("is_primary", value["is_primary"]?.bool ?? false)
    for name in ["brand_color", "icon_url", "url"] { member(name, value[name]?.string) }
    endObject()
  }

  fileprivate mutating func feature(_ value: JSONValue) {
    beginObject()
    for name in ["id", "title", "description", "icon_url"] { member(name, value[name]?.string) }
    fields(value)
    for name in ["triggers", "queries", "actions"] {
      members(name, value[name]?.array ?? []) { step, writer in
        writer.beginObject()
        for name in ["id", "step", "label"] { writer.member(name, step[name]?.string) }
        writer.fields(step)
        writer.endObject()
      }
    }
    endObject()
  }

  fileprivate mutating func fields(_ value: JSONValue) {
    members("fields", (value["fields"]?.array ?? []).filter { $0["id"]?.string?.isEmpty == false }) { field, writer in
      writer.beginObject()
      for name in ["id", "label", "type"] { writer.member(name, field[name]?.string) }
      writer.member("required", field["required"]?.bool)
      writer.member("hidden", field["hidden"]?.bool)
      writer.member("default_value", field["default_value"]?.string)
      writer.endObject()
    }
  }

  /// Reads a map from widths in pixels to URLs.
  fileprivate mutating func images(_ value: JSONValue?) {
    let images = (value?.object?.members ?? []).filter { key, value in
      value.string != nil && key.first != "0" && !key.isEmpty
        && key.utf8.allSatisfy(\.isDigit)
    }
    guard !images.isEmpty else { return null() }
    beginObject()
    for (key, value) in images { member(key, value.string) }
    endObject()
  }
}
