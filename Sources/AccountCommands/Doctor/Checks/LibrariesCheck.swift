import CommandContext
import HTTP
import Hints
import Store

extension DoctorCheck {
  /// Checks that the system libraries that are loaded on first use are available.
  static var libraries: DoctorCheck {
    DoctorCheck(name: "libraries", needsProfile: true) { examination in
      if let problem = Cryptography.problem { return .failure(problem.message, problem.hint) }
      guard let facts = try examination.session.network.http.facts else {
        return .ok("OpenSSL is available; libcurl was not checked")
      }
      switch facts.library {
      case .success(let words): return .ok("OpenSSL is available; \(words)")
      case .failure(let failure): return .failure(failure.message, Problem.hint(for: failure.kind))
      }
    }
  }
}
