import HTTP
import Session
import Store
import Text
import World

extension DoctorCheck {
  /// Checks that every base URL uses https or refers to this machine.
  static var baseURLs: DoctorCheck {
    DoctorCheck(name: "base-urls", needsProfile: true) { context in
      var overridden: [String] = []
      for base in BaseURL.allCases {
        let url = try context.session.network.base(base)
        if url.wire != base.standard { overridden.append("\(base.variable) is \(url.redacted)") }
      }
      return .ok(overridden.isEmpty ? "IFTTT's own, all with https" : overridden.joined(separator: "; "))
    }
  }

  /// Reports the proxy in effect, which the network check tests.
  static var proxy: DoctorCheck {
    DoctorCheck(name: "proxy") { context in
      let proxies = ProxySettings(environment: context.world.environment)
      guard let proxy = proxies.proxy(forScheme: "https") else { return .ok("none") }
      let except = proxies.exceptions.isEmpty ? "" : ", except for \(proxies.exceptions)"
      return .ok("\(ProxySettings.shown(proxy))\(except)")
    }
  }

  /// Checks that the system libraries that are loaded on first use are available.
  static var libraries: DoctorCheck {
    DoctorCheck(name: "libraries", needsProfile: true) { context in
      var missing: [(found: String, advice: Hint)] = []
      var available: [String] = []
      if let problem = Cryptography.problem {
        missing.append((problem.message, problem.hint))
      } else {
        available.append("OpenSSL is available")
      }
      switch try context.session.network.http.description?.library {
      case nil: available.append("libcurl was not checked")
      case .success(let version): available.append(version)
      case .failure(let failure):
        missing.append((failure.message, Problem.hint(for: failure.kind)))
      }
      guard missing.isEmpty else {
        return .failure(missing.map(\.found).joined(separator: "; "), Hint.joined(missing.map(\.advice)))
      }
      return .ok(available.joined(separator: "; "))
    }
  }

  /// Checks that trusted certificates are present, and that they verify the servers' certificates.
  static var certificates: DoctorCheck {
    DoctorCheck(name: "certificates", needsProfile: true) { context in
      if let reason = try context.offlineReason { return .skipped(reason) }
      let facts = try context.session.network.http.description
      let certificatePaths = [facts?.certificateFile, facts?.certificateFolder].compactMap(\.self)
      // libcurl before 7.84 does not report the paths that it was built with, and uses them anyway.
      if !certificatePaths.isEmpty, !certificatePaths.contains(where: context.exists) {
        return .failure(
          "no trusted certificates: not found: \(certificatePaths.joined(separator: ", "))",
          "Install them (Debian: apt install ca-certificates).")
      }
      var verified: [String] = []
      for (base, response) in try context.responses() {
        if case .success = response, let url = try? context.session.network.base(base), url.scheme == "https" {
          verified.append(url.origin)
        }
        guard case .failure(.transport(let failure, _, let origin)) = response, failure.kind == .tls else { continue }
        return .failure(
          "\(origin): \(failure.message)",
          "Check the clock and the certificates. If a proxy intercepts TLS, set SSL_CERT_FILE to its certificate.")
      }
      let trust =
        certificatePaths.isEmpty ? "libcurl's own trusted certificates" : certificatePaths.joined(separator: ", ")
      guard !verified.isEmpty else {
        return .skipped("no server responded over TLS, so nothing was verified with \(trust)")
      }
      return .ok("verified \(verified.sorted().joined(separator: ", ")) with \(trust)")
    }
  }

  /// Checks that each host in use is reachable. Any response counts.
  static var network: DoctorCheck {
    DoctorCheck(name: "network", needsProfile: true) { context in
      if let reason = try context.offlineReason { return .skipped(reason) }
      let responses = try context.responses()
      var reached: [String] = []
      for base in DiagnosticContext.basesInUse {
        guard let response = responses[base] else { continue }
        switch response {
        case .success: reached.append(try context.session.network.base(base).origin)
        case .failure(.interrupted): throw Problem.interrupted
        case .failure(let failure):
          let problem = Problem.from(failure)
          return .failure(problem.summary, problem.hint)
        }
      }
      return .ok("reached \(reached.uniqued().joined(separator: ", "))")
    }
  }

  /// Checks the offset between this machine's clock and the servers'. An offset of days makes certificates invalid;
  /// an offset of minutes makes the ages of cached rows wrong.
  static var clock: DoctorCheck {
    DoctorCheck(name: "clock", needsProfile: true) { context in
      if let reason = try context.offlineReason { return .skipped(reason) }
      let responses = try context.responses()
      let now = context.receivedAt ?? context.world.clock.now()
      let dates = DiagnosticContext.basesInUse.compactMap { base -> Timestamp? in
        guard case .success(let response) = responses[base] else { return nil }
        return response.header("Date").flatMap { HTTPDate.parse($0, now: now) }
      }
      guard let serverTime = dates.first else { return .skipped("no server sent its time") }
      let seconds = (now.milliseconds - serverTime.milliseconds) / 1000
      let offset = "\(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead of") the server's"
      switch abs(seconds) {
      case ...5: return .ok("in sync with the server's")
      case ...60: return .ok(offset)
      case ...3600: return .warning(offset, "Enable time synchronization (timedatectl set-ntp true).")
      default: return .failure(offset, "Set the clock; certificates and the ages of cached rows depend on it.")
      }
    }
  }
}
