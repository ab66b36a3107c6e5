/// A track file format.
package enum TrackFormat: String, Sendable, CaseIterable {
  case gpx, geojson, nmea, jsonl

  /// The number of bytes that suffice to detect a format, if it is detectable.
  static let tellingCount = 4096

  /// The format, from a file's name or else from its first bytes, of which a few thousand suffice; nil if neither
  /// identifies it.
  /// - Parameter isLive: Whether more bytes may follow, so that an ambiguous beginning stays undecided.
  package static func guess(name: String, beginning: [UInt8], isLive: Bool = false) -> TrackFormat? {
    var parts = name.split(separator: "/").last?.split(separator: ".", omittingEmptySubsequences: false) ?? []
    if parts.last?.lowercased() == "gz" { parts.removeLast() }
    return switch parts.last?.lowercased() {
    case "gpx": .gpx
    case "geojson", "geojsonl", "geojsons", "geojsonseq", "ndgeojson": .geojson
    case "nmea", "nma": .nmea
    case "jsonl", "ndjson": .jsonl
    // A `.json` file contains a single document or one object per line, so only its contents can tell.
    default: guess(beginning.prefix(tellingCount), isLive: isLive && beginning.count < tellingCount)
    }
  }

  /// The format of a beginning. The result stays the same for every longer beginning, so it does not matter when it
  /// is requested.
  private static func guess(_ bytes: ArraySlice<UInt8>, isLive: Bool) -> TrackFormat? {
    let mark = ByteOrderMark.find(in: Array(bytes.prefix(ByteOrderMark.decisiveCount)))
    let text = bytes.dropFirst(mark.count)
    // UTF-16 has a zero beside each ASCII character.
    let start = text.firstIndex { $0 > 0x20 } ?? text.endIndex
    switch text[start...].first {
    case UInt8(ascii: "<"): return .gpx
    case UInt8(ascii: "["):
      // Some loggers write a time in brackets before each sentence.
      guard let next = text[(start + 1)...].first(where: { $0 > 0x20 }) else { return nil }
      return "{[]".utf8.contains(next) ? .jsonl : hasSentence(bytes) ? .nmea : nil
    case UInt8(ascii: "{"):
      // The first complete object decides, whatever follows it.
      var scanner = BracketScanner()
      let end = scanner.end(in: text[start...]).map { start + $0 }
      let object = end.map { text[start...$0] } ?? text[start...]
      let isComplete = end.map { text[$0...].contains(UInt8(ascii: "\n")) } ?? false
      if isGeoJSON(object) { return .geojson }
      return isLive && !isComplete ? nil : .jsonl
    default: return hasSentence(bytes) ? .nmea : nil
    }
  }

  /// Whether a member `type` has one of GeoJSON's values (RFC 7946, section 1.4), or, because `type` may come last,
  /// whether another GeoJSON member starts.
  private static func isGeoJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The last word may be incomplete.
    let whole = bytes.prefix(upTo: bytes.lastIndex { !isWordByte($0) } ?? bytes.startIndex)
    let words = whole.split { !isWordByte($0) }
    if words.contains(where: { word in GeoJSONReader.members.contains { word.elementsEqual($0.utf8) } }) { return true }
    return zip(words, words.dropFirst()).contains { key, value in
      key.elementsEqual("type".utf8) && GeoJSONReader.types.contains { value.elementsEqual($0.utf8) }
    }
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) || byte == UInt8(ascii: "_")
  }

  /// Whether an NMEA sentence starts somewhere. Receivers mix sentences with binary data.
  private static func hasSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
    for start in bytes.indices where bytes[start] == UInt8(ascii: "$") || bytes[start] == UInt8(ascii: "!") {
      let address = bytes[(start + 1)...].prefix(6)
      let messages = address.dropLast()
      guard address.last == UInt8(ascii: ","), messages.count == 5 else { continue }
      if messages.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return true }
    }
    return false
  }
}
