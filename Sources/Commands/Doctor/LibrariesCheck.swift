import HTTP
import Session
import Store
import Text

extension DoctorCheck {
  /// Checks that the system libraries that are loaded on first use are available.
  static var libraries: DoctorCheck {
    DoctorCheck(name: "libraries", needsProfile: true) { examination in
      var missing: [(found: String, advice: Hint)] = []
      var available: [String] = []
      if let problem = Cryptography.problem {
        missing.append((problem.message, problem.hint))
      } else {
        available.append("OpenSSL is available")
      }
      switch try examination.session.network.http.facts?.library {
      case nil: available.append("libcurl was not checked")
      case .success(let words): available.append(words)
      case .failure(let failure):
        missing.append((failure.message, Problem.hint(for: failure.kind)))
      }
      guard missing.isEmpty else {
        return .failure(missing.map(\.found).joined(separator: "; "), Hint.joined(missing.map(\.advice)))
      }
      return .ok(available.joined(separator: "; "))
    }
  }
}
