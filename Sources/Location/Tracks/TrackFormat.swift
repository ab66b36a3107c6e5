/// A form in which tracks are kept.
package enum TrackFormat: String, Sendable, CaseIterable {
  case gpx, geojson, nmea, jsonl

  /// As many bytes tell, if any do.
  static let tellingCount = 4096

  /// From a file's name where that tells, else from its first bytes, of which a few thousand are enough; nil where neither
  /// does.
  /// - Parameter isLive: whether more bytes may follow, so that what these do not settle is left open.
  package static func guess(name: String, beginning: [UInt8], isLive: Bool = false) -> TrackFormat? {
    switch name.split(separator: "/").last?.split(separator: ".").last?.lowercased() {
    case "gpx": .gpx
    case "geojson": .geojson
    case "nmea", "nma": .nmea
    case "jsonl", "ndjson": .jsonl
    // Such a file holds one document, or a line each as often as not.
    default: guess(beginning.prefix(tellingCount), isLive: isLive && beginning.count < tellingCount)
    }
  }

  /// What is said of a beginning holds of every longer one, so that it does not matter when it is asked.
  private static func guess(_ bytes: ArraySlice<UInt8>, isLive: Bool) -> TrackFormat? {
    let text = bytes.starts(with: ByteOrderMark.utf8) ? bytes.dropFirst(ByteOrderMark.utf8.count) : bytes
    // UTF-16, with or without a mark, is XML's alone here.
    let start = text.firstIndex { $0 > 0x20 && $0 < 0xfe } ?? text.endIndex
    switch text[start...].first {
    case UInt8(ascii: "<"): return .gpx
    case UInt8(ascii: "{"):
      // A line that is an object from end to end speaks for itself, whatever those after it are.
      let line = text[start...].prefix { $0 != UInt8(ascii: "\n") }
      let isObject = line.endIndex < text.endIndex && line.last { $0 > 0x20 } == UInt8(ascii: "}")
      if isGeoJSON(isObject ? line : text[start...]) { return .geojson }
      return isLive && !isObject ? nil : .jsonl
    default: return hasSentence(bytes) ? .nmea : nil
    }
  }

  /// Whether a member `type` has one of GeoJSON's values (RFC 7946, section 1.4), or where that comes last, another of its
  /// members begins.
  private static func isGeoJSON(_ bytes: ArraySlice<UInt8>) -> Bool {
    // The last word may go on.
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

  /// Whether a sentence of NMEA begins somewhere: receivers mix them with bytes of their own.
  private static func hasSentence(_ bytes: ArraySlice<UInt8>) -> Bool {
    for start in bytes.indices where bytes[start] == UInt8(ascii: "$") || bytes[start] == UInt8(ascii: "!") {
      let address = bytes[(start + 1)...].prefix(6)
      let letters = address.dropLast()
      guard address.last == UInt8(ascii: ","), letters.count == 5 else { continue }
      if letters.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) { return true }
    }
    return false
  }
}
