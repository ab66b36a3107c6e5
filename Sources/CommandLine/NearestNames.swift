import Text

/// Finds the names that are similar to a mistyped name.
package enum NearestNames {
  /// Up to three names, best first: names that extend the typed name or are extended by it, then names within a few
  /// typing errors, by the restricted Damerau-Levenshtein distance.
  package static func of(_ typed: String, among names: [String]) -> [String] {
    let word = folded(typed)
    // Names of this length are not misspellings, and the cost of the distance is the product of both lengths.
    guard (1...40).contains(word.count) else { return [] }
    let tolerance = word.count < 2 ? 0 : max(1, min(3, word.count / 3))
    var ranked: [(rank: Int, name: String)] = []
    for name in names where !ranked.contains(where: { $0.name == name }) {
      let candidate = folded(name)
      let isContinued = word.count >= 2 && candidate.starts(with: word)
      let continues = candidate.count >= 3 && word.starts(with: candidate)
      if isContinued {
        ranked.append((0, name))
      } else if continues {
        ranked.append((word.count - candidate.count, name))
      } else if abs(candidate.count - word.count) <= tolerance {
        let distance = distance(word, candidate)
        if distance <= tolerance { ranked.append((distance + 1, name)) }
      }
    }
    return ranked.sorted(by: \.rank).prefix(3).map(\.name)
  }

  /// Like ``of(_:among:)``, for names joined by dots. If no whole path is near, finds the paths whose last name is
  /// near: `services.name` for `nmae`.
  package static func of(_ typed: String, amongPaths paths: [String]) -> [String] {
    func last(_ path: String) -> String { path.split(separator: ".").last.map(String.init) ?? path }
    let whole = of(typed, among: paths)
    guard whole.isEmpty else { return whole }
    let near = of(last(typed), among: paths.map(last))
    return Array(near.flatMap { name in paths.filter { last($0) == name } }.prefix(3))
  }

  /// The number of insertions, deletions, replacements and swaps of adjacent characters that turn one name into the
  /// other.
  static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for (row, x) in a.enumerated() {
      var current = [row + 1]
      for (column, y) in b.enumerated() {
        var best = min(last[column] + (x == y ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, x == b[column - 1], a[row - 1] == y { best = min(best, beforeLast[column - 1] + 1) }
        current.append(best)
      }
      (beforeLast, last) = (last, current)
    }
    return last[b.count]
  }

  /// The name in lowercase with one kind of separator.
  private static func folded(_ name: String) -> [UInt8] {
    name.utf8.prefix(64).map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0.loweredASCII }
  }
}
