import JSON

/// What a table shows of a connection beside its id, name and status. It is stored in columns, so that a table reads no
/// documents.
struct ListColumns {
  /// Whether its configuration was skipped.
  var isPending = false
  /// Its services, each with its short name: a JSON array of objects.
  var services = Array("[]".utf8)

  private static let keys = JSONKeys([Array("pending".utf8), Array("services".utf8)])

  /// Reads a cached document; see ``CachedConnection/document``. What cannot be read is as in a connection without services.
  init(_ document: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(document)
    var ranges = [0..<0, 0..<0]
    // The document lacks its closing brace, so a search for a missing key fails at its end.
    try? scanner.find(Self.keys, in: &ranges)
    isPending = scanner.slice(ranges[0]).elementsEqual("true".utf8)
    guard !ranges[1].isEmpty, let services = try? Self.services(document, at: ranges[1].lowerBound) else { return }
    self.services = services
  }

  private static func services(_ document: UnsafeRawBufferPointer, at position: Int) throws(JSONError) -> [UInt8] {
    var services: [UInt8] = []
    var array = JSONScanner(document, at: position)
    while try array.nextElement() {
      var service = JSONScanner(document, at: array.position)
      let name = try service.value(of: Array("short_name".utf8))
      services.append(contentsOf: (services.isEmpty ? #"[{"short_name":"# : #",{"short_name":"#).utf8)
      if let name { services.append(contentsOf: array.slice(name)) } else { services.append(contentsOf: "null".utf8) }
      services.append(UInt8(ascii: "}"))
      _ = try array.skipValue()
    }
    return services.isEmpty ? Array("[]".utf8) : services + [UInt8(ascii: "]")]
  }
}
