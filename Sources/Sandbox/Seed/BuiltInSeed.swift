import Text

/// A seed that is part of the program, by its name.
///
/// All built-in seeds have the same ids, credentials, statuses and fields; they differ in their texts and places.
package enum BuiltInSeed: String, Sendable, CaseIterable {
  case plain, unusual

  /// A summary of the seed for users.
  package var summary: String {
    switch self {
    case .plain: "short English names, and places in one city"
    case .unusual: "texts in other scripts, with emoji, markup and escapes, and places that are hard to draw"
    }
  }

  /// The names of all built-in seeds, for errors.
  package static let names = allCases.map(\.rawValue)

  /// The case of the letters is ignored, as in every closed set.
  package init?(named name: String) {
    guard let seed = Self.allCases.first(where: { $0.rawValue.isSame(ignoringASCIICase: name) }) else { return nil }
    self = seed
  }

  var fixtures: BuiltInFixtures {
    switch self {
    case .plain: .plain
    case .unusual: .unusual
    }
  }
}
