extension Parser {
  /// The command line in a form that is safe to record: possible secrets are masked, and invalid UTF-8 becomes
  /// U+FFFD.
  package func written(_ words: [Word]) -> [String] {
    let scan = Tokenizer(words, root: root, globals: globalOptions)
    let mask = SecretMask(words: words, lookup: scan.lookup)
    return words.indices.map { place in
      guard let hidden = mask.range(in: place, before: words[place].bytes.count) else { return words[place].text }
      let bytes = words[place].bytes
      return Word(bytes: bytes[..<hidden.lowerBound]).text + SecretMask.shown(insteadOf: bytes[hidden])
        + Word(bytes: bytes[hidden.upperBound...]).text
    }
  }
}
