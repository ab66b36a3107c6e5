import HTTP
import Session

extension DoctorCheck {
  /// Checks that each host in use is reachable. Any response counts.
  static var network: DoctorCheck {
    DoctorCheck(name: "network", needsProfile: true) { examination in
      if let reason = try examination.networkIsOut { return .skipped(reason) }
      let answers = try examination.answers()
      var reached: [String] = []
      for base in DiagnosticContext.basesInUse {
        guard let answer = answers[base] else { continue }
        switch answer {
        case .success: reached.append(try examination.session.network.base(base).origin)
        case .failure(.interrupted): throw Problem.interrupted
        case .failure(let failure):
          let problem = Problem(failure)
          return .failure(problem.summary, problem.hint)
        }
      }
      return .ok("reached \(reached.joined(separator: ", "))")
    }
  }
}
