import Session
import Text

/// One check of `doctor`. To add one, create a file in `Checks` and a line in ``DoctorCheck/all``.
struct DoctorCheck {
  /// The name shown in the output.
  let name: String
  /// Whether the check is meaningless if the profile cannot be read.
  var needsProfile = false
  /// Performs the check without changing anything. A thrown error counts as a failure.
  let run: (DiagnosticContext) throws -> CheckResult

  /// All checks in the order in which they are shown; those that others depend on come first.
  static var all: [DoctorCheck] {
    [
      .permissions, .store, .cache, .key, .libraries, .environment, .baseURLs, .proxy, .certificates, .network, .clock,
      .token, .serviceKey, .webhooksKey, .privacy, .plugins, .terminal, .completion, .manual,
    ]
  }
}

/// The result of a check.
struct CheckResult {
  enum Status: String, CaseIterable, OutputValue {
    case ok, warning, failure
    /// The check was not made; the finding states why.
    case skipped
  }

  var status: Status
  var found: String
  /// A sentence that says what to do.
  var advice: Hint?
  /// The repair that `--fix` makes.
  var repair: Repair?

  static func ok(_ found: String) -> CheckResult { CheckResult(status: .ok, found: found) }
  static func skipped(_ found: String) -> CheckResult { CheckResult(status: .skipped, found: found) }
  static func warning(_ found: String, _ advice: Hint, repair: Repair? = nil) -> CheckResult {
    CheckResult(status: .warning, found: found, advice: advice, repair: repair)
  }
  static func failure(_ found: String, _ advice: Hint?, repair: Repair? = nil) -> CheckResult {
    CheckResult(status: .failure, found: found, advice: advice, repair: repair)
  }

  init(status: Status, found: String, advice: Hint? = nil, repair: Repair? = nil) {
    (self.status, self.found, self.advice, self.repair) = (status, found, advice, repair)
  }

  init(_ error: any Error) {
    let problem = Problem(error)
    self.init(status: .failure, found: problem.summary, advice: problem.hint)
  }
}

/// A safe change that makes a check pass.
struct Repair {
  /// A description of the change: a command, or a sentence without a period.
  let words: String
  let perform: () throws -> Void
}
