/// The command line as an error shows it, and the cells to underline.
struct CommandLineDiagnostic {
  let line: String
  /// The marked range, in character cells.
  let caret: Range<Int>

  init(program: String, words: [Word], mask: SecretMask, place: SyntaxError.Place) {
    var line = program
    var cells = program.utf8.count
    let (before, isCutBefore) = Self.neighbors(of: words, mask, from: place.word - 1, step: -1, budget: 56)
    if isCutBefore { (line, cells) = (line + " …", cells + 2) }
    for excerpt in before.reversed() {
      line += " " + excerpt.text
      cells += 1 + excerpt.width
    }
    guard place.word < words.count else {
      (self.line, caret) = (line, cells + 1..<cells + 2)
      return
    }
    let fault = Self.excerpt(of: words, place.word, mask, focus: place.bytes, limit: 48)
    caret = cells + 1 + fault.caret.lowerBound..<cells + 1 + fault.caret.upperBound
    line += " " + fault.text
    let (after, isCutAfter) = Self.neighbors(of: words, mask, from: place.word + 1, step: 1, budget: 32)
    for excerpt in after { line += " " + excerpt.text }
    self.line = line + (isCutAfter ? " …" : "")
  }

  /// The arguments on one side that fit, nearest first, and whether there are more.
  private static func neighbors(
    of words: [Word], _ mask: SecretMask, from start: Int, step: Int, budget: Int
  ) -> ([Excerpt], isCut: Bool) {
    var excerpts: [Excerpt] = []
    var rest = budget
    var place = start
    while words.indices.contains(place) {
      let excerpt = excerpt(of: words, place, mask, focus: 0..<0, limit: 24)
      rest -= excerpt.width + 1
      if rest < 0 { return (excerpts, true) }
      excerpts.append(excerpt)
      place += step
    }
    return (excerpts, false)
  }

  private static func excerpt(
    of words: [Word], _ place: Int, _ mask: SecretMask, focus: Range<Int>, limit: Int
  ) -> Excerpt {
    let mask = mask.range(in: place, before: Excerpt.reach(from: focus.lowerBound, limit))
    return Excerpt(words[place].bytes, mask: mask, focus: focus, limit: limit)
  }
}
