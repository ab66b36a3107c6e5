import Location
import Support
import Testing

/// Input that no track recorder would produce.
@Suite struct GPXSafetyTests {
  private static let point = #"<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>"#

  @Test(arguments: [
    ("<!ENTITY a 'ha'>", "&a;"), ("<!ENTITY % a 'ha'>", ""), ("<!ENTITY a SYSTEM 'file:///etc/passwd'>", "&a;"),
    ("<!ENTITY a 'ha'><!ENTITY b '&a;&a;'><!ENTITY c '&b;&b;'>", "&c;"),
    ("<!ENTITY a SYSTEM 'http://127.0.0.1/' NDATA gif>", ""),
  ])
  func rejectsEntityDeclarations(declarations: String, reference: String) {
    let text = "<!DOCTYPE gpx [\(declarations)]><gpx><metadata>\(reference)</metadata>\(Self.point)</gpx>"
    let outcome = TrackOutcome(.gpx, text)
    #expect(outcome.error?.reason == "it declares an entity, which is not allowed in a track")
    #expect(outcome.error?.line == 1)
    #expect(outcome.items.isEmpty)
  }

  /// The external definition is not loaded.
  @Test func acceptsADocumentTypeWithoutEntities() {
    let outcome = TrackOutcome(.gpx, "<!DOCTYPE gpx SYSTEM 'file:///dev/zero'><gpx>\(Self.point)</gpx>")
    #expect(outcome.error == nil)
    #expect(outcome.positions.count == 1)
  }

  @Test(arguments: [
    ("", "no element found", 1, 1), ("  \n ", "no element found", 2, 2), ("<gpx>\n<trk>", "no element found", 2, 6),
    ("<gpx>\n <trk></gpx>", "mismatched tag", 2, 9), ("<gpx>\u{0}</gpx>", "not well-formed (invalid token)", 1, 6),
    ("<gpx>&nbsp;</gpx>", "undefined entity", 1, 6), ("{}", "not well-formed (invalid token)", 1, 1),
    ("<kml>", "its root element is 'kml' instead of 'gpx'", 1, 1),
    ("<gpx/><gpx/>", "junk after document element", 1, 7),
    ("<gpx a='1' a='2'/>", "duplicate attribute", 1, 12),
    ("<?xml version='1.0' encoding='utf-7'?><gpx/>", "unknown encoding", 1, 31),
    ("<?xml version='1.0' encoding='cp037'?><gpx/>", "unknown encoding", 1, 31),
  ])
  func reportsWhereXMLIsInvalid(text: String, reason: String, line: Int, column: Int) {
    let outcome = TrackOutcome(.gpx, text)
    #expect(outcome.error == TrackError(reason: reason, line: line, column: column))
  }

  @Test func rejectsInvalidUTF8() {
    let outcome = TrackOutcome(.gpx, Array("<gpx><name>".utf8) + [0xff, 0xfe] + Array("</name></gpx>".utf8))
    #expect(outcome.error?.reason == "not well-formed (invalid token)")
  }

  @Test func emitsPositionsOfATruncatedFile() throws {
    let outcome = TrackOutcome(.gpx, "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"/>\n<trkpt lat=\"1\" lo")
    #expect(outcome.positions == [try seen(1, 2)])
    #expect(outcome.error == TrackError(reason: "unclosed token", line: 2, column: 1))
  }

  @Test(arguments: ["metadata", "trk", "extensions", "trkpt"])
  func rejectsDeepNesting(name: String) {
    let (open, close) = (String(repeating: "<\(name)>", count: 99), String(repeating: "</\(name)>", count: 99))
    #expect(TrackOutcome(.gpx, "<gpx>\(open)\(close)</gpx>").error == nil)
    let deep = TrackOutcome(.gpx, "<gpx>\(open)<a/>\(close)</gpx>")
    #expect(deep.error?.reason == "elements are nested more than 100 levels deep")
  }

  @Test func rejectsDeepExtensions() {
    let deep = String(repeating: "<a>", count: 100)
    let outcome = TrackOutcome(.gpx, #"<gpx><trk><trkseg><trkpt lat="1" lon="2"><extensions>\#(deep)"#)
    #expect(outcome.error?.reason == "elements are nested more than 100 levels deep")
  }

  @Test func rejectsVeryLongTags() {
    let long = Array("<gpx><trk name=\"".utf8) + [UInt8](repeating: 0x61, count: 3 << 20)
    let outcome = TrackOutcome(.gpx, long, sizes: [1 << 14])
    #expect(outcome.error?.reason == "a piece of markup is longer than 1048576 bytes")
    // Text is emitted as it arrives, so it may be long.
    let text = Array("<gpx><name>".utf8) + [UInt8](repeating: 0x61, count: 3 << 20) + Array("</name></gpx>".utf8)
    #expect(TrackOutcome(.gpx, text, sizes: [1 << 14]).error == nil)
  }

  @Test(arguments: ["windows-1252", "ISO-8859-15", "KOI8-R", "iso-8859-1", "us-ascii"])
  func readsASCIICompatibleEncodings(name: String) throws {
    var bytes = Array("<?xml version='1.0' encoding='\(name)'?><gpx><name>Caf".utf8)
    if name != "us-ascii" { bytes += [0xe9, 0x80, 0x9f] }
    let outcome = TrackOutcome(.gpx, bytes + Array("</name>\(Self.point)</gpx>".utf8))
    #expect(outcome.error == nil)
    #expect(outcome.positions == [try seen(1, 2)])
  }

  @Test(arguments: [true, false]) func readsUTF16(isBigEndian: Bool) throws {
    let bytes = "\u{feff}<?xml version='1.0' encoding='utf-16'?><gpx><name>Å∞𝄞</name>\(Self.point)</gpx>".utf16.flatMap
    {
      isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    let outcome = TrackOutcome(.gpx, bytes, sizes: [7])
    #expect(outcome.error == nil)
    #expect(outcome.positions == [try seen(1, 2)])
    #expect(TrackFormat.guess(name: "track", beginning: bytes) == .gpx)
  }

  /// A file with random changes produces positions or an error, and the same ones however it is split into pieces.
  @Test func corruptedFilesAreReadOrRejected() throws {
    let bytes = Array(try TrackFiles.bytes("togeojson/apple_watch_route.gpx").prefix(2000))
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        changed[Int.random(in: changed.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let whole = TrackOutcome(.gpx, changed)
      #expect(TrackOutcome(.gpx, changed, sizes: [1, 13, 400]).items == whole.items, "seed \(seed)")
    }
  }
}
