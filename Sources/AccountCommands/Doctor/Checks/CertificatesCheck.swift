import CommandContext
import HTTP
import Hints

extension DoctorCheck {
  /// Checks that trusted certificates are present, and that they verify the servers' certificates.
  static var certificates: DoctorCheck {
    DoctorCheck(name: "certificates", needsProfile: true) { examination in
      if let reason = try examination.networkIsOut { return .skipped(reason) }
      let facts = try examination.session.http.facts
      let places = [facts?.certificateFile, facts?.certificateFolder].compactMap(\.self)
      if facts != nil, !places.contains(where: examination.exists) {
        let named = places.isEmpty ? "no place is known" : places.joined(separator: " and ") + " are not there"
        return .failure(
          "no trusted certificates: \(named)", "Install them (Debian: apt install ca-certificates).")
      }
      for (_, answer) in try examination.answers() {
        guard case .failure(.transport(let failure, _, let origin)) = answer, failure.kind == .tls else { continue }
        return .failure(
          "\(origin): \(failure.message)",
          "Check the clock and the certificates; a proxy that opens TLS needs its own in SSL_CERT_FILE.")
      }
      return .ok(places.isEmpty ? "the servers' are accepted" : places.joined(separator: ", "))
    }
  }
}
