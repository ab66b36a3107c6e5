import Location
import Testing

/// Tracks that are compressed, or not in UTF-8.
@Suite struct TrackBytesTests {
  private static let point = #"<trk><trkseg><trkpt lat="1" lon="2"/></trkseg></trk>"#
  /// `<gpx>` with a point, compressed by gzip.
  private static let compressed: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0xff, 0xb3, 0x49, 0x2f, 0xa8, 0xb0, 0xb3, 0x29, 0x29, 0xca,
    0x06, 0x13, 0xc5, 0xa9, 0xe9, 0x60, 0xba, 0xa0, 0x44, 0x21, 0x27, 0xb1, 0xc4, 0x56, 0xc9, 0x50, 0x49, 0x21, 0x27,
    0x3f, 0xcf, 0x56, 0xc9, 0x48, 0x49, 0xdf, 0xce, 0x46, 0x1f, 0xa6, 0x40, 0x1f, 0xac, 0x5c, 0x1f, 0xa4, 0x13, 0x00,
    0x16, 0xc8, 0xa4, 0x90, 0x3f, 0x00, 0x00, 0x00,
  ]

  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  private static func read(_ bytes: [UInt8], _ name: String = "-", pieces: Int = .max) -> TrackOutcome {
    TrackOutcome(TrackReader(named: name), bytes, [pieces])
  }

  @Test(arguments: [1, 2, 5, Int.max]) func readsGzip(pieces: Int) throws {
    let expected = [try seen(1, 2)]
    #expect(Self.read(Self.compressed, pieces: pieces).positions == expected)
    #expect(Self.read(Self.compressed, "walk.gpx.gz", pieces: pieces).positions == expected)
    // Some tools pad their output.
    #expect(Self.read(Self.compressed + [0, 0, 0], pieces: pieces).error == nil)
    let twice = Self.read(Self.compressed + Self.compressed, pieces: pieces)
    #expect(twice.positions == expected && twice.error?.reason == "junk after document element")
  }

  @Test(arguments: [1, Int.max]) func reportsDamagedGzip(pieces: Int) throws {
    let cut = Self.read(Array(Self.compressed.dropLast(20)), "walk.gpx", pieces: pieces)
    #expect(cut.error != nil)
    let short = Self.read(Array(Self.compressed.dropLast(2)), "walk.gpx", pieces: pieces)
    #expect(short.error?.reason == "its gzip data is cut off")
    #expect(short.positions == [try seen(1, 2)])
    var changed = Self.compressed
    changed[changed.count - 6] ^= 1
    #expect(Self.read(changed, "walk.gpx", pieces: pieces).error?.reason == "its gzip data is damaged")
  }

  @Test(arguments: [true, false], [true, false]) func readsUTF16(isBigEndian: Bool, hasMark: Bool) throws {
    let mark = hasMark ? "\u{feff}" : ""
    let line = Self.utf16(mark + "{\"lat\":1,\"lon\":2,\"note\":\"Å∞𝄞\"}\n", isBigEndian: isBigEndian)
    let sentence = Self.utf16(
      mark + "$GPGLL,0100.0000,N,00200.0000,E,120000,A,A\r\n", isBigEndian: isBigEndian)
    let declaration = "<?xml version='1.0' encoding='UTF-16'?>"
    let gpx = Self.utf16(mark + "\(declaration)<gpx><name>Å</name>\(Self.point)</gpx>", isBigEndian: isBigEndian)
    for bytes in [line, sentence, gpx] {
      for pieces in [1, 3, Int.max] {
        let outcome = Self.read(bytes, pieces: pieces)
        #expect(outcome.positions.map(\.coordinate) == [try seen(1, 2).coordinate])
        #expect(outcome.error == nil)
      }
    }
  }

  /// A converted file that still says UTF-16.
  @Test(arguments: ["UTF-16", "utf-16le", "UCS-2", "UTF8", "utf_8"]) func readsUTF8WithAnotherDeclaration(
    name: String
  ) throws {
    let outcome = TrackOutcome(
      .gpx, "<?xml version='1.0' encoding='\(name)'?><gpx><name>Café</name>\(Self.point)</gpx>")
    #expect(outcome.positions == [try seen(1, 2)])
    #expect(outcome.error == nil)
  }

  @Test(
    arguments: [
      ("GBK", [0xbb, 0xfa, 0x5c, 0x81, 0x5c]), ("gb2312", [0xbb, 0xfa]), ("GB18030", [0x81, 0x30, 0x81, 0x30]),
      ("Shift_JIS", [0x83, 0x5c, 0x95, 0x5c, 0xb1]), ("x-sjis", [0x87, 0x40]), ("EUC-JP", [0xc6, 0xfc]),
      ("Big5", [0xa4, 0xa4]), ("EUC-KR", [0xc7, 0xd1]),
    ] as [(String, [UInt8])])
  func convertsMultibyteEncodings(name: String, text: [UInt8]) throws {
    let bytes =
      Array("<?xml version=\"1.0\" encoding=\"\(name)\"?>\n<gpx><name>".utf8) + text
      + Array(" x</name>\(Self.point)</gpx>".utf8)
    for pieces in [1, 5, Int.max] {
      let outcome = TrackOutcome(.gpx, bytes, sizes: [pieces])
      #expect(outcome.positions == [try seen(1, 2)])
      #expect(outcome.error == nil)
    }
  }

  /// Only names contain such bytes.
  @Test func replacesInvalidBytesOfMultibyteEncodings() throws {
    let bytes =
      Array("<?xml version='1.0' encoding='GBK'?><gpx><name>".utf8) + [0xff, 0x20]
      + Array("</name>\(Self.point)</gpx>".utf8) + [0x81]
    let outcome = TrackOutcome(.gpx, bytes, sizes: [3])
    #expect(outcome.positions == [try seen(1, 2)])
    #expect(outcome.error?.reason == "junk after document element" || outcome.error?.reason.contains("token") == true)
  }

  @Test func acceptsXML11() throws {
    #expect(TrackOutcome(.gpx, "<?xml version='1.1'?><gpx>\(Self.point)</gpx>").positions == [try seen(1, 2)])
  }

  @Test func acceptsOtherPrefixesOfTheNamespace() throws {
    let uri = "http://www.topografix.com/GPX/1/1"
    let point = #"lat="1" lon="2""#
    let bodies = [
      #"<gpx xmlns="\#(uri)" xmlns:g="\#(uri)"><g:trk><trkseg><g:trkpt \#(point)/></trkseg></g:trk></gpx>"#,
      #"<a:gpx xmlns="\#(uri)" xmlns:a="\#(uri)"><trk><a:trkseg><trkpt \#(point)/></a:trkseg></trk></a:gpx>"#,
      #"<gpx xmlns="\#(uri)"><b:trk xmlns:b="\#(uri)"><b:trkseg><b:trkpt \#(point)/></b:trkseg></b:trk></gpx>"#,
    ]
    for body in bodies {
      #expect(TrackOutcome(.gpx, body).items == [.segment, .position(try seen(1, 2))], "\(body)")
    }
    // The prefix ends with its element, or stands for another namespace.
    let others = [
      #"<gpx xmlns="\#(uri)"><metadata xmlns:b="\#(uri)"/><b:trk><b:trkseg><b:trkpt \#(point)/></b:trkseg></b:trk></gpx>"#,
      #"<gpx xmlns="\#(uri)" xmlns:b="urn:b"><b:trk><b:trkseg><b:trkpt \#(point)/></b:trkseg></b:trk></gpx>"#,
      #"<gpx><b:trk><b:trkseg><b:trkpt \#(point)/></b:trkseg></b:trk></gpx>"#,
    ]
    for body in others { #expect(TrackOutcome(.gpx, body).positions.isEmpty, "\(body)") }
  }
}
