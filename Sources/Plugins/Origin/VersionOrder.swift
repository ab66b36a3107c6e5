import Text

/// The order of plugin versions, as Semantic Versioning defines it.
package enum VersionOrder {
  /// Whether one version precedes another; nil if one of them does not begin with numbers and therefore has no order.
  package static func isOlder(_ version: String, than other: String) -> Bool? {
    guard let one = Parts(version), let two = Parts(other) else { return nil }
    for index in 0..<max(one.numbers.count, two.numbers.count) {
      let (a, b) = (one.number(index), two.number(index))
      if a != b { return isLess(a, b) }
    }
    // A pre-release precedes its release.
    guard let first = one.preRelease, let second = two.preRelease else {
      return one.preRelease != nil && two.preRelease == nil
    }
    for (a, b) in zip(first, second) where a != b {
      switch (isNumber(a), isNumber(b)) {
      case (true, true): return isLess(a, b)
      case (false, false): return a.utf8.lexicographicallyPrecedes(b.utf8)
      case (let isNumeric, _): return isNumeric
      }
    }
    return first.count < second.count
  }

  /// Whether a version has an order and is not a pre-release.
  package static func isRelease(_ version: String) -> Bool { Parts(version).map { $0.preRelease == nil } ?? false }

  /// Whether a version has an order and is a pre-release.
  package static func isPreRelease(_ version: String) -> Bool { Parts(version).map { $0.preRelease != nil } ?? false }

  private struct Parts {
    let numbers: [Substring]
    let preRelease: [Substring]?

    init?(_ version: String) {
      // The text after a plus sign identifies a build and does not affect the order.
      let release = version.prefix { $0 != "+" }
      let core = release.drop { $0 == "v" }.prefix { $0 != "-" }
      numbers = core.split(separator: ".", omittingEmptySubsequences: false).map { $0.drop { $0 == "0" } }
      let hyphen = release.firstIndex(of: "-")
      preRelease = hyphen.map { release[release.index(after: $0)...].split(separator: ".") }
      guard !core.isEmpty, core.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0.isDigit }) else { return nil }
    }

    /// The number without leading zeros, so that zero is the empty text.
    func number(_ index: Int) -> Substring { index < numbers.count ? numbers[index] : "" }
  }

  /// Compares two numbers of any length, given as digits.
  private static func isLess(_ first: Substring, _ second: Substring) -> Bool {
    let (first, second) = (first.drop { $0 == "0" }, second.drop { $0 == "0" })
    return first.utf8.count != second.utf8.count
      ? first.utf8.count < second.utf8.count : first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  private static func isNumber(_ text: Substring) -> Bool { text.utf8.allSatisfy(\.isDigit) }
}
