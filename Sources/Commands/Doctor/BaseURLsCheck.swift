import HTTP
import Session
import World

extension DoctorCheck {
  /// Checks that every base URL uses https or refers to this machine.
  static var baseURLs: DoctorCheck {
    DoctorCheck(name: "base-urls", needsProfile: true) { examination in
      var own: [String] = []
      for base in Base.allCases {
        let url = try examination.session.network.base(base)
        if url.wire != base.standard { own.append("\(base.variable) is \(url.redacted)") }
      }
      return .ok(own.isEmpty ? "IFTTT's own, all with https" : own.joined(separator: "; "))
    }
  }
}
