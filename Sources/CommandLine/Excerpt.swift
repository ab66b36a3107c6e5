import Text

/// One argument as an error shows it: escaped, quoted if a shell would need quotes, and shortened around the faulty
/// part.
struct Excerpt {
  let text: String
  /// The width in character cells.
  let width: Int
  /// The cells of the faulty part.
  let caret: Range<Int>

  /// Creates an excerpt.
  /// - Parameters:
  ///   - mask: the bytes to hide.
  ///   - focus: the faulty bytes.
  ///   - limit: the maximum number of cells, without quotes.
  init(_ bytes: [UInt8], mask: Range<Int>?, focus: Range<Int>, limit: Int) {
    let region = Self.region(around: focus.lowerBound, in: bytes, limit)
    let glyphs = Self.glyphs(of: bytes, in: region, mask)
    let shown = Self.window(of: glyphs, around: focus.lowerBound, isWhole: region == 0..<bytes.count, limit)
    let isCutBefore = shown.lowerBound > 0 || region.lowerBound > 0
    let isCutAfter = shown.upperBound < glyphs.count || region.upperBound < bytes.count
    let quotes = Quotes(for: glyphs[shown], isEmpty: bytes.isEmpty)

    var text = quotes.opening + (isCutBefore ? "…" : "")
    var cells = quotes.opening.utf8.count + (isCutBefore ? 1 : 0)
    var start: Int?
    var end = cells
    for glyph in glyphs[shown] {
      if start == nil, glyph.bytes.upperBound > focus.lowerBound { start = cells }
      let (drawn, width) = quotes.draw(glyph)
      text += drawn
      cells += width
      if glyph.bytes.lowerBound < focus.upperBound { end = cells }
    }
    let first = start ?? cells
    if isCutAfter { (text, cells) = (text + "…", cells + 1) }
    self.text = text + quotes.closing
    width = cells + quotes.closing.utf8.count
    caret = focus == 0..<bytes.count ? 0..<width : first..<max(end, first + 1)
  }

  /// The maximum number of cells of an argument in a sentence.
  static let inSentence = 40

  /// An argument or value for a sentence that adds its own quotes.
  static func text(of bytes: [UInt8], mask: Range<Int>? = nil) -> String {
    let limit = inSentence
    let region = region(around: 0, in: bytes, limit)
    let glyphs = glyphs(of: bytes, in: region, mask)
    let shown = window(of: glyphs, around: 0, isWhole: region == 0..<bytes.count, limit)
    let isCut = shown.upperBound < glyphs.count || region.upperBound < bytes.count
    return glyphs[shown].map(\.text).text(separatedBy: "") + (isCut ? "…" : "")
  }

  /// The part of a long argument that can be shown, so that showing a line does not decode a megabyte.
  private static func region(around place: Int, in bytes: [UInt8], _ limit: Int) -> Range<Int> {
    func boundary(near place: Int) -> Int {
      var start = place
      while start > max(0, place - 3), start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
      return start
    }
    let upper = reach(from: place, limit)
    return boundary(near: max(0, place - 2 * limit))..<(upper < bytes.count ? boundary(near: upper) : bytes.count)
  }

  /// The end of the bytes that can be shown if the error is at `place` and there are `limit` cells.
  static func reach(from place: Int, _ limit: Int) -> Int { place + 8 * limit }

  private static func glyphs(of bytes: [UInt8], in region: Range<Int>, _ secret: Range<Int>?) -> [Glyph] {
    guard let secret, case let mask = secret.clamped(to: region), !mask.isEmpty else {
      return Glyph.glyphs(of: bytes, in: region)
    }
    return Glyph.glyphs(of: bytes, in: region.lowerBound..<mask.lowerBound)
      + [Glyph(mask: SecretMask.shown(insteadOf: bytes[secret]), of: mask)]
      + Glyph.glyphs(of: bytes, in: mask.upperBound..<region.upperBound)
  }

  private static func window(of glyphs: [Glyph], around place: Int, isWhole: Bool, _ limit: Int) -> Range<Int> {
    if isWhole, glyphs.reduce(0, { $0 + $1.width }) <= limit { return glyphs.indices }
    var first = glyphs.firstIndex { $0.bytes.upperBound > place } ?? glyphs.count
    var end = first
    var cells = 0
    while first > 0, cells + glyphs[first - 1].width <= limit / 3 {
      first -= 1
      cells += glyphs[first].width
    }
    while end < glyphs.count, cells + glyphs[end].width <= limit {
      cells += glyphs[end].width
      end += 1
    }
    return first..<end
  }
}

/// The quotes that a shell needs to read the text as one argument.
private enum Quotes {
  case none, single, escaping

  init(for glyphs: ArraySlice<Glyph>, isEmpty: Bool) {
    if glyphs.contains(where: \.isEscape) {
      self = .escaping
    } else {
      self = isEmpty || glyphs.contains { !$0.isPlain } ? .single : .none
    }
  }

  var opening: String {
    switch self {
    case .none: ""
    case .single: "'"
    case .escaping: "$'"
    }
  }

  var closing: String { self == .none ? "" : "'" }

  func draw(_ glyph: Glyph) -> (String, Int) {
    switch (self, glyph.text) {
    case (.single, "'"): ("'\\''", 4)
    case (.escaping, "'"), (.escaping, "\\"): ("\\" + glyph.text, 2)
    default: (glyph.text, glyph.width)
    }
  }
}
