import HTTP
import Session
import Store
import Text
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

  /// Reports the proxy in effect. The network check shows whether it works.
  static var proxy: DoctorCheck {
    DoctorCheck(name: "proxy") { examination in
      let proxies = ProxySettings(environment: examination.world.environment)
      guard let proxy = proxies.proxy(forScheme: "https") else { return .ok("none") }
      let except = proxies.exceptions.isEmpty ? "" : ", except for \(proxies.exceptions)"
      return .ok("\(ProxySettings.shown(proxy))\(except)")
    }
  }

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

  /// Checks the offset between this machine's clock and the servers'. An offset of days makes certificates invalid;
  /// an offset of minutes makes the ages of cached rows wrong.
  static var clock: DoctorCheck {
    DoctorCheck(name: "clock", needsProfile: true) { examination in
      if let reason = try examination.networkIsOut { return .skipped(reason) }
      let answers = try examination.answers()
      let now = examination.receivedAt ?? examination.world.clock.now()
      let dates = DiagnosticContext.basesInUse.compactMap { base -> Timestamp? in
        guard case .success(let answer) = answers[base] else { return nil }
        return answer.header("Date").flatMap { HTTPDate.parse($0, now: now) }
      }
      guard let theirs = dates.first else { return .skipped("no server sent its time") }
      let seconds = (now.milliseconds - theirs.milliseconds) / 1000
      let words = "\(abs(seconds)) s \(seconds < 0 ? "behind" : "ahead of") the server's"
      switch abs(seconds) {
      case ...5: return .ok("in sync with the server's")
      case ...60: return .ok(words)
      case ...3600: return .warning(words, "Enable time synchronization (timedatectl set-ntp true).")
      default: return .failure(words, "Set the clock; certificates and the ages of cached rows depend on it.")
      }
    }
  }
}
