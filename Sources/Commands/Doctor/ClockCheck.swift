import HTTP
import Text
import World

extension DoctorCheck {
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
