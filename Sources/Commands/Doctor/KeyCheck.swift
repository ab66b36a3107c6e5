import Session
import Store
import Text

extension DoctorCheck {
  /// Checks where the key that encrypts credentials is stored, and that it decrypts them.
  static var key: DoctorCheck {
    DoctorCheck(name: "key") { examination in
      if let skipped = try examination.waitForPermissions() { return skipped }
      for finding in try examination.findings("credentials") where !finding.passed {
        return .failure(finding.detail, "To show which key is in use, run: \(ifttt: "store info")")
      }
      let store = try examination.session.store
      let leftovers = try store.leftoverKeyFiles()
      guard leftovers.isEmpty else {
        let paths = leftovers.joined(separator: ", ")
        return .warning(
          "an interrupted 'store rekey' left \(paths)", "Run \(ifttt: "doctor --fix").",
          repair: Repair(words: "remove \(paths)") { _ = try store.removeLeftoverKeyFiles() })
      }
      let facts = try store.facts()
      guard facts.credentials > 0 else { return .ok("no credentials are stored, so no key is needed") }
      return .ok("\(facts.keySource); it decrypts the stored credentials (\(facts.credentials))")
    }
  }
}
