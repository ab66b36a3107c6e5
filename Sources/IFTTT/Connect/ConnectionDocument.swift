import JSON

extension Connection {
  /// The connection's JSON document, compact, from `{"id":` to `cover_images`, without the closing brace: `tracked`,
  /// `stale` and `fetched_at` are known only when it is shown. The keys and their order are the command line's
  /// contract.
  /// - Parameter pending: whether the connection was activated with its configuration screen skipped, which IFTTT
  ///   does not report (U4).
  package func document(pending: Bool) -> [UInt8] {
    var writer = JSONWriter(reserving: 4096)
    writer.beginObject()
    writer.member("id", id.description)
    writer.member("name", name)
    writer.member("description", details)
    writer.member("status", status.rawValue)
    writer.member("pending", pending)
    writer.member("provider", "connect")
    writer.member("url", url)
    writer.member("enabled_count", enabledCount)
    writer.member("primary_service", primaryService?.id)
    writer.members("services", services) { $0.write(to: &$1) }
    writer.members("features", features) { $0.write(to: &$1) }
    writer.key("configuration")
    if let userConnection { userConnection.write(to: &writer) } else { writer.null() }
    writer.key("cover_images")
    write(coverImages, to: &writer)
    return writer.bytes
  }

  private func write(_ images: [CoverImage], to writer: inout JSONWriter) {
    guard !images.isEmpty else { return writer.null() }
    writer.beginObject()
    for image in images { writer.member(String(image.width), image.url) }
    writer.endObject()
  }
}

extension Feature {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("title", title)
    writer.member("description", details)
    writer.member("icon_url", iconURL)
    writer.members("fields", fields) { $0.write(to: &$1) }
    writer.members("triggers", triggers) { $0.write(to: &$1) }
    writer.members("queries", queries) { $0.write(to: &$1) }
    writer.members("actions", actions) { $0.write(to: &$1) }
    writer.endObject()
  }
}

extension Step {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("step", prefixedID)
    writer.member("label", label)
    writer.members("fields", fields) { $0.write(to: &$1) }
    writer.endObject()
  }
}

extension Field {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", id)
    writer.member("label", label)
    writer.member("type", type)
    writer.member("required", isRequired)
    writer.member("hidden", isHidden)
    writer.key("default_value")
    writer.fieldValue(defaultValue)
    writer.endObject()
  }
}
