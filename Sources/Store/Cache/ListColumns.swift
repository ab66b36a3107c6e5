import JSON

/// What a table shows of a connection beside its id, name and status. It is stored in columns, so that a table reads no
/// documents.
struct ListColumns {
  /// Whether its configuration was skipped.
  var isPending = false
  /// The short names of its services: a JSON array of strings and null.
  var services = Array("[]".utf8)

  private static let keys = JSONKeys([Array("pending".utf8), Array("services".utf8)])

  /// Reads a cached document; see ``CachedConnection/document``. What cannot be read is as in a connection without services.
  init(_ document: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(document)
    var ranges = [0..<0, 0..<0]
    // The document lacks its closing brace, so a search for a missing key fails at its end.
    try? scanner.find(Self.keys, in: &ranges)
    isPending = scanner.slice(ranges[0]).elementsEqual("true".utf8)
    guard !ranges[1].isEmpty, let names = try? Self.names(document, at: ranges[1].lowerBound) else { return }
    services = names
  }

  private static func names(_ document: UnsafeRawBufferPointer, at position: Int) throws(JSONError) -> [UInt8] {
    var names: [UInt8] = []
    var array = JSONScanner(document, at: position)
    while try array.nextElement() {
      var service = JSONScanner(document, at: array.position)
      let name = try service.value(of: Array("short_name".utf8))
      names.append(UInt8(ascii: names.isEmpty ? "[" : ","))
      if let name { names.append(contentsOf: array.slice(name)) } else { names.append(contentsOf: "null".utf8) }
      _ = try array.skipValue()
    }
    return names.isEmpty ? Array("[]".utf8) : names + [UInt8(ascii: "]")]
  }
}
