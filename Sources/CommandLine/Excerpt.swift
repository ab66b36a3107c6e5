import Text

/// The command line as an error shows it, and the cells to underline.
struct CommandLineDiagnostic {
  let line: String
  /// The marked range, in character cells.
  let caret: Range<Int>

  init(program: String, rawArguments: [RawArgument], mask: SecretMask, location: SyntaxError.Location) {
    var line = program
    var cells = program.utf8.count
    let (before, isCutBefore) = Self.neighbors(of: rawArguments, mask, from: location.index - 1, step: -1, budget: 56)
    if isCutBefore { (line, cells) = (line + " …", cells + 2) }
    for excerpt in before.reversed() {
      line += " " + excerpt.text
      cells += 1 + excerpt.width
    }
    guard location.index < rawArguments.count else {
      (self.line, caret) = (line, cells + 1..<cells + 2)
      return
    }
    let marked = Self.excerpt(of: rawArguments, location.index, mask, focus: location.bytes, limit: 48)
    caret = cells + 1 + marked.caret.lowerBound..<cells + 1 + marked.caret.upperBound
    line += " " + marked.text
    let (after, isCutAfter) = Self.neighbors(of: rawArguments, mask, from: location.index + 1, step: 1, budget: 32)
    for excerpt in after { line += " " + excerpt.text }
    self.line = line + (isCutAfter ? " …" : "")
  }

  /// The arguments on one side that fit, nearest first, and whether there are more.
  private static func neighbors(
    of rawArguments: [RawArgument], _ mask: SecretMask, from start: Int, step: Int, budget: Int
  ) -> ([Excerpt], isCut: Bool) {
    var excerpts: [Excerpt] = []
    var rest = budget
    var index = start
    while rawArguments.indices.contains(index) {
      let excerpt = excerpt(of: rawArguments, index, mask, focus: 0..<0, limit: 24)
      rest -= excerpt.width + 1
      if rest < 0 { return (excerpts, true) }
      excerpts.append(excerpt)
      index += step
    }
    return (excerpts, false)
  }

  private static func excerpt(
    of rawArguments: [RawArgument], _ index: Int, _ mask: SecretMask, focus: Range<Int>, limit: Int
  ) -> Excerpt {
    let mask = mask.range(in: index, before: Excerpt.reach(from: focus.lowerBound, limit))
    return Excerpt(rawArguments[index].bytes, mask: mask, focus: focus, limit: limit)
  }
}

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
    return glyphs[shown].map(\.text).joined() + (isCut ? "…" : "")
  }

  /// The part of a long argument that can be shown, so that showing a line does not decode a megabyte.
  private static func region(around offset: Int, in bytes: [UInt8], _ limit: Int) -> Range<Int> {
    func boundary(near edge: Int) -> Int {
      var start = edge
      while start > max(0, edge - 3), start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
      return start
    }
    let upper = reach(from: offset, limit)
    return boundary(near: max(0, offset - 2 * limit))..<(upper < bytes.count ? boundary(near: upper) : bytes.count)
  }

  /// The end of the bytes that can be shown if the error is at `offset` and there are `limit` cells.
  static func reach(from offset: Int, _ limit: Int) -> Int { offset + 8 * limit }

  private static func glyphs(of bytes: [UInt8], in region: Range<Int>, _ secret: Range<Int>?) -> [Glyph] {
    guard let secret, case let mask = secret.clamped(to: region), !mask.isEmpty else {
      return Glyph.glyphs(of: bytes, in: region)
    }
    return Glyph.glyphs(of: bytes, in: region.lowerBound..<mask.lowerBound)
      + [Glyph(mask: SecretMask.shown(insteadOf: bytes[secret]), of: mask)]
      + Glyph.glyphs(of: bytes, in: mask.upperBound..<region.upperBound)
  }

  private static func window(of glyphs: [Glyph], around offset: Int, isWhole: Bool, _ limit: Int) -> Range<Int> {
    if isWhole, glyphs.reduce(0, { $0 + $1.width }) <= limit { return glyphs.indices }
    var first = glyphs.firstIndex { $0.bytes.upperBound > offset } ?? glyphs.count
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

/// The printed form of a few bytes of an argument: a character, or an escape if the character would not be drawn as
/// itself.
struct Glyph: Equatable {
  let text: String
  /// The width in character cells.
  let width: Int
  /// The corresponding bytes of the argument.
  let bytes: Range<Int>
  let isEscape: Bool

  /// Whether a shell reads the character literally without quotes.
  var isPlain: Bool {
    guard !isEscape, let byte = text.utf8.first else { return false }
    return byte.isLetterOrDigit || byte >= 0x80 || "-_./:=@%+,".utf8.contains(byte)
  }

  /// The glyphs of a part of an argument.
  static func glyphs(of bytes: [UInt8], in range: Range<Int>) -> [Glyph] {
    var glyphs: [Glyph] = []
    var parser = UTF8.ForwardParser()
    var rest = bytes[range].makeIterator()
    var start = range.lowerBound
    var next = start
    func addValid() {
      for character in String(decoding: bytes[start..<next], as: UTF8.self) {
        glyphs += self.glyphs(of: character, at: start)
        start += character.utf8.count
      }
    }
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): next += scalar.count
      case .error(let length):
        addValid()
        for offset in next..<next + length {
          glyphs.append(Glyph(escape: "\\x" + String(hex: bytes[offset], width: 2), offset..<offset + 1))
        }
        next += length
        start = next
      case .emptyInput:
        addValid()
        return glyphs
      }
    }
  }

  private static func glyphs(of character: Character, at start: Int) -> [Glyph] {
    let scalars = character.unicodeScalars
    // A character with many scalars can overflow its cell or hide invisible text.
    if let first = scalars.first, first.showsAsItself, scalars.count <= 8 {
      let bytes = start..<start + character.utf8.count
      return [Glyph(text: String(character), width: TextWidth.of(character), bytes: bytes, isEscape: false)]
    }
    var offset = start
    return scalars.map { scalar in
      defer { offset += UTF8.width(scalar) }
      return Glyph(escape: escape(scalar), offset..<offset + UTF8.width(scalar))
    }
  }

  /// An escape that `$'…'` of bash and zsh reads back.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case _ where scalar.isASCII: "\\x" + String(hex: scalar.value, width: 2)
    case _ where scalar.value <= 0xFFFF: "\\u" + String(hex: scalar.value, width: 4)
    default: "\\U" + String(hex: scalar.value, width: 8)
    }
  }
}

extension Unicode.Scalar {
  /// Whether it is drawn as itself. False for scalars that move the cursor, are invisible, or combine with the previous
  /// character.
  var showsAsItself: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .nonspacingMark, .enclosingMark, .spacingMark:
      false
    case .spaceSeparator: self == " "
    default: true
    }
  }
}

extension Glyph {
  fileprivate init(escape: String, _ bytes: Range<Int>) {
    self.init(text: escape, width: escape.utf8.count, bytes: bytes, isEscape: true)
  }

  /// The mask that replaces a secret.
  init(mask text: String, of bytes: Range<Int>) {
    self.init(text: text, width: TextWidth.of(text), bytes: bytes, isEscape: false)
  }
}
