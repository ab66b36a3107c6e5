import Session
import Store
import World

extension DoctorCheck {
  /// Reports whether usage events are sent, and if not, why.
  static var privacy: DoctorCheck {
    DoctorCheck(name: "privacy") { examination in
      if let skipped = try examination.waitForPermissions() { return skipped }
      let session = examination.session
      switch session.usageConsent {
      case .off(let reason): return .ok("usage events are off: \(reason.words)")
      case .on(let choice):
        let waiting = try session.store.usageSending(under: choice).waiting
        return .ok("usage events are on since \(choice.since.rfc3339); \(waiting) queued")
      }
    }
  }
}
