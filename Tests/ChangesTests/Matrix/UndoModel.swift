import ProgramDriver

/// A simple model of `connections undo` and `connections redo`: runs in their order, and the state of each subject.
struct UndoModel {
  enum Operation: Hashable, CustomStringConvertible {
    case undo, redo
    case undoRun(Int)

    var description: String {
      switch self {
      case .undo: "undo"
      case .redo: "redo"
      case .undoRun(let number): "undo \(number)"
      }
    }
  }

  /// The status of each subject before and after a run.
  struct Run {
    var before: [String: String]
    var after: [String: String]
    var isUndone = false
    var touched: Set<String> { Set(after.keys) }
  }

  struct Result: Equatable {
    var exit: Int32
    var code: String?
  }

  private(set) var runs: [Run]
  private(set) var statuses: [String: String]
  /// The numbers of undone runs, the last one that was undone at the end.
  private var undone: [Int] = []

  init(_ runs: [Run], _ statuses: [String: String]) { (self.runs, self.statuses) = (runs, statuses) }

  var outcomes: [String] { runs.map { $0.isUndone ? "undone" : "done" } }

  mutating func perform(_ operation: Operation) -> Result {
    switch operation {
    case .undo:
      guard let newest = runs.lastIndex(where: { !$0.isUndone }) else { return Result(exit: 3, code: "not_found") }
      return revert(newest)
    case .undoRun(let number):
      let index = number - 1
      guard !runs[index].isUndone else { return Result(exit: 3, code: "not_found") }
      let newer = runs[(index + 1)...].contains { !$0.isUndone && !$0.touched.isDisjoint(with: runs[index].touched) }
      return newer ? Result(exit: 1, code: "conflict") : revert(index)
    case .redo:
      guard let index = undone.last else { return Result(exit: 3, code: "not_found") }
      let result = change(index, from: runs[index].before, to: runs[index].after)
      if result.exit == 0 {
        undone.removeLast()
        runs[index].isUndone = false
      }
      return result
    }
  }

  private mutating func revert(_ index: Int) -> Result {
    let result = change(index, from: runs[index].after, to: runs[index].before)
    if result.exit == 0 {
      undone.append(index)
      runs[index].isUndone = true
    }
    return result
  }

  /// Sets the subjects of a run. One that is neither in the old nor in the new state was changed otherwise; with two
  /// states, there is no third one.
  private mutating func change(_ index: Int, from old: [String: String], to new: [String: String]) -> Result {
    for (subject, status) in new { statuses[subject] = status }
    return Result(exit: 0, code: nil)
  }
}
