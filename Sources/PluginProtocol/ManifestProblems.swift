/// The problems found while a manifest is read. Reading continues after each, so that its author sees all of them.
final class ManifestProblems {
  /// More would not help.
  private static let limit = 100
  private var list: [String] = []

  func add(_ problem: String) {
    if list.count < Self.limit, !list.contains(problem) { list.append(problem) }
  }

  /// - Throws: ``ManifestError`` with all problems, if there are any.
  func check() throws(ManifestError) { if !list.isEmpty { throw ManifestError(problems: list) } }
}
