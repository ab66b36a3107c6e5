import CommandContext
import Hints

/// One thing that `doctor` looks at. A new one is a file in `Checks` and a line in ``DoctorCheck/all``.
struct DoctorCheck {
  /// As the output names it.
  let name: String
  /// Whether it can say nothing where the profile cannot be read.
  var needsProfile = false
  /// Looks, and changes nothing. An error it throws is a failure.
  let run: (DiagnosticContext) throws -> CheckResult

  /// In the order in which they are shown: what others rest on first.
  static var all: [DoctorCheck] {
    [
      .permissions, .store, .cache, .key, .libraries, .environment, .baseURLs, .proxy, .certificates, .network, .clock,
      .token, .serviceKey, .privacy, .plugins, .terminal, .completion, .manual,
    ]
  }
}

/// What a check found.
struct CheckResult {
  enum Status: String, CaseIterable {
    case ok, warning, failure
    /// It was not looked at, and why stands in what was found.
    case skipped
  }

  var status: Status
  var found: String
  /// What to do, as a sentence.
  var advice: Hint?
  /// What `--fix` does about it.
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

/// Something safe that makes a check pass.
struct Repair {
  /// As a command or a sentence without a full stop: what is done.
  let words: String
  let perform: () throws -> Void
}
