import CommandContext
import HTTP

extension DoctorCheck {
  /// Whether every base URL is https, or on this machine.
  static var baseURLs: DoctorCheck {
    DoctorCheck(name: "base-urls", needsProfile: true) { examination in
      var own: [String] = []
      for base in Base.allCases {
        let url = try examination.session.base(base)
        if url.wire != base.standard { own.append("\(base.variable) is \(url.redacted)") }
      }
      return .ok(own.isEmpty ? "IFTTT's own, all https" : own.joined(separator: "; "))
    }
  }
}
