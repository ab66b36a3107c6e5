import IFTTT

/// Results by the positions of their subjects. Most subjects of a long run already are as wanted, and take two bytes each.
struct EndedResults {
  private var met: [Int: (before: UserStatus, after: UserStatus)] = [:]
  private var others: [Int: ChangeResult] = [:]

  /// - Parameter isRecorded: whether the journal records the whole states, as for an undo.
  mutating func add(_ result: ChangeResult, at index: Int, isRecorded: Bool) {
    if result.problem == nil, !result.isChanged, !isRecorded {
      met[index] = (result.previous, result.status)
    } else {
      others[index] = isRecorded ? result : result.withoutSettings
    }
  }

  /// The positions, in order.
  var indices: [Int] { (Array(met.keys) + Array(others.keys)).sorted() }

  /// The results with problems, in the order of the subjects.
  var withProblems: [(index: Int, result: ChangeResult)] {
    others.filter { $0.value.problem != nil }.sorted { $0.key < $1.key }.map { (index: $0.key, result: $0.value) }
  }

  subscript(index: Int, source: ChangeSource) -> ChangeResult {
    get throws {
      if let result = others[index] { return result }
      var result = ChangeResult(subject: source.subject(index))
      guard let states = met[index] else { return result }
      result.before = RecordedState(status: states.before, configuration: nil)
      result.after = RecordedState(status: states.after, configuration: nil)
      return result
    }
  }
}
