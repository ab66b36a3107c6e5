/// The rules of a change that hold for every entry.
enum ChangeRule: Int, CaseIterable, Sendable {
  case order = 1
  case reading, nothingToDo, confirmation, withoutTerminal, dryRun, journal, results, failures, history, reports
}

extension ChangeEntry {
  /// Why a rule does not apply to the entry; nil if it does, and ``entries(for:)`` passes it to the tests of the rule.
  func exception(to rule: ChangeRule) -> String? {
    switch rule {
    case .order where isSingle: "one subject has no order"
    case .nothingToDo where verb == .plan && phase == .forward && !isResumed:
      "a plan is executed only on the state that it was made from; \(Self.shownByPlans)"
    case .withoutTerminal where isResumed: "a confirmed run is not asked about again"
    case .withoutTerminal where !asks: "it needs no confirmation unless a step cannot be reverted, which rule 4 shows"
    default: nil
    }
  }

  private static let shownByPlans = "ChangePlanTests shows what happens otherwise"

  /// The entries that a rule applies to.
  static func entries(for rule: ChangeRule) -> [ChangeEntry] { all.filter { $0.exception(to: rule) == nil } }

  /// The rules and the entries, one line each: `+` is shown, and a number refers to a reason below.
  static var matrix: String {
    var reasons: [String] = []
    let rules = ChangeRule.allCases
    let width = all.map(\.testDescription.count).max() ?? 0
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(0, width - text.count))
    }
    var lines = [padded("", width) + rules.map { "  " + padded("\($0.rawValue)", 2) }.joined()]
    for entry in all {
      let cells = rules.map { rule -> String in
        guard let reason = entry.exception(to: rule) else { return "+" }
        if !reasons.contains(reason) { reasons.append(reason) }
        return String(UnicodeScalar(UInt8(ascii: "a") + UInt8(reasons.firstIndex(of: reason) ?? 0)))
      }
      lines.append(padded(entry.testDescription, width) + cells.map { "  " + padded($0, 2) }.joined())
    }
    for (index, reason) in reasons.enumerated() {
      lines.append("\(UnicodeScalar(UInt8(ascii: "a") + UInt8(index))): \(reason)")
    }
    return lines.joined(separator: "\n")
  }
}
