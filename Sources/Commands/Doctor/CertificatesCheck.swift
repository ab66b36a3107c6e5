import HTTP
import Session
import Text

extension DoctorCheck {
  /// Checks that trusted certificates are present, and that they verify the servers' certificates.
  static var certificates: DoctorCheck {
    DoctorCheck(name: "certificates", needsProfile: true) { examination in
      if let reason = try examination.networkIsOut { return .skipped(reason) }
      let facts = try examination.session.network.http.facts
      let places = [facts?.certificateFile, facts?.certificateFolder].compactMap(\.self)
      // libcurl before 7.84 does not report the places that it was built with, and uses them anyway.
      if !places.isEmpty, !places.contains(where: examination.exists) {
        return .failure(
          "no trusted certificates: not found: \(places.joined(separator: ", "))",
          "Install them (Debian: apt install ca-certificates).")
      }
      var verified: [String] = []
      for (base, answer) in try examination.answers() {
        if case .success = answer, let url = try? examination.session.network.base(base), url.scheme == "https" {
          verified.append(url.origin)
        }
        guard case .failure(.transport(let failure, _, let origin)) = answer, failure.kind == .tls else { continue }
        return .failure(
          "\(origin): \(failure.message)",
          "Check the clock and the certificates. If a proxy intercepts TLS, set SSL_CERT_FILE to its certificate.")
      }
      let trust = places.isEmpty ? "libcurl's own trusted certificates" : places.joined(separator: ", ")
      guard !verified.isEmpty else {
        return .skipped("no server responded over TLS, so nothing was verified with \(trust)")
      }
      return .ok("verified \(verified.sorted().joined(separator: ", ")) with \(trust)")
    }
  }
}
