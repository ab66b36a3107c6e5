import CommandContext
import Hints
import Store

extension DoctorCheck {
  /// Checks that the durable database is intact, writable and of a supported version.
  static var store: DoctorCheck {
    DoctorCheck(name: "store") { examination in
      if let skipped = try examination.waitForPermissions() { return skipped }
      for finding in try examination.findings("store") where !finding.passed {
        return .failure(finding.detail, "Keep a copy of the folder before changing anything.")
      }
      let store = try examination.session.store
      let facts = try store.facts()
      guard facts.exists else { return .ok("\(facts.path) is made with the first thing that is kept") }
      do throws(StoreError) { try store.proveWritable() } catch {
        if error == .interrupted { throw error }
        return .failure(
          "\(facts.path) is sound, but not writable: \(error.message); \(error.hint)",
          "Until then, only commands that read will work.")
      }
      return .ok("\(facts.path) is sound (schema \(facts.schemaVersion), SQLite \(facts.sqliteVersion))")
    }
  }

  /// Checks that the disposable cache database is intact.
  static var cache: DoctorCheck {
    DoctorCheck(name: "cache") { examination in
      if let skipped = try examination.waitForPermissions() { return skipped }
      let findings = try examination.findings("cache")
      guard let failed = findings.first(where: { !$0.passed }) else { return .ok(findings.first?.detail ?? "") }
      let store = try examination.session.store
      let repair = Repair(words: "move the cache aside and make a new one") {
        try store.rebuildCache()
        examination.forgetFindings()
      }
      return .warning(failed.detail, "It holds nothing that cannot be fetched again.", repair: repair)
    }
  }
}
