extension Tokenizer {
  /// The command's path, and the arguments after its first name that are not global options: the command line of
  /// another program.
  ///
  /// Global options are cut out at the positions of their values, so that the rest is exactly as typed, byte by byte.
  var line: ForwardedCommand {
    var cuts: [Int: Cut] = [:]
    for use in globalUses {
      guard case .commandLine(let place, let bytes) = use.given.source else { continue }
      if use.given.value == nil {
        cut(&cuts, place, letter: bytes.lowerBound)
      } else if bytes.lowerBound > 0 {
        // `--output=json` and `-ojson`.
        if words[place].hasLongForm { cuts[place] = .all } else { cut(&cuts, place, from: bytes.lowerBound - 1) }
      } else {
        cuts[place] = .all
        cut(&cuts, place - 1, from: words[place - 1].bytes.count - 1)
      }
    }
    var rest: [Word] = []
    for (place, word) in words.enumerated() where place > (start ?? 0) {
      switch cuts[place] {
      case nil: rest.append(word)
      case .all: break
      case .messages(let messages):
        let kept = word.bytes.indices.filter { !messages.contains($0) }.map { word.bytes[$0] }
        if kept.count > 1 { rest.append(Word(bytes: kept)) }
      }
    }
    return ForwardedCommand(path: path, words: rest)
  }

  private enum Cut {
    case all
    /// The positions of single letters after one dash.
    case messages(Set<Int>)
  }

  private func cut(_ cuts: inout [Int: Cut], _ place: Int, letter: Int) {
    guard !words[place].hasLongForm else { return cuts[place] = .all }
    cut(&cuts, place, messages: [letter])
  }

  private func cut(_ cuts: inout [Int: Cut], _ place: Int, from start: Int) {
    guard !words[place].hasLongForm else { return cuts[place] = .all }
    cut(&cuts, place, messages: Set(start..<words[place].bytes.count))
  }

  private func cut(_ cuts: inout [Int: Cut], _ place: Int, messages: Set<Int>) {
    if case .messages(let others) = cuts[place] {
      cuts[place] = .messages(others.union(messages))
    } else {
      cuts[place] = .messages(messages)
    }
  }
}
