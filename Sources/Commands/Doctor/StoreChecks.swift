import Session
import Store
import Text
import World

extension DoctorCheck {
  /// Checks that only the user can access the program's files.
  static var permissions: DoctorCheck {
    DoctorCheck(name: "permissions") { context in
      let store = try context.session.store
      let findings = try context.findings("permissions")
      guard let failed = findings.first(where: { !$0.passed }) else {
        return .ok("\(store.directories.data): \(findings.first?.detail ?? "")")
      }
      let loose = store.loosePermissions
      guard !loose.isEmpty else { return .failure(failed.detail, "Check its owner and its type.") }
      let commands = SuggestedCommand.all(loose.map(\.command))
      let repair = Repair(description: commands.text) {
        for permission in loose { try store.tighten(permission) }
        context.discardFindings()
      }
      return .failure(failed.detail, "Run: \(shell: commands)", repair: repair)
    }
  }

  /// Checks that the durable database is intact, writable and of a supported version.
  static var store: DoctorCheck {
    DoctorCheck(name: "store") { context in
      if let skipped = try context.skippedForPermissions() { return skipped }
      for finding in try context.findings("store") where !finding.passed {
        return .failure(finding.detail, "Copy the folder before you change anything.")
      }
      let store = try context.session.store
      let facts = try store.facts()
      guard facts.exists else { return .ok("\(facts.path) does not exist yet; it is created when something is stored") }
      do throws(StoreError) { try store.proveWritable() } catch {
        if error == .interrupted { throw error }
        return .failure(
          "\(facts.path) is intact, but not writable: \(error.message); \(error.hint)",
          "Until then, only commands that do not write to the store work.")
      }
      let abandoned = store.abandonedFiles
      guard abandoned.isEmpty else {
        let shown = abandoned.prefix(5).joined(separator: ", ")
        let more = abandoned.count > 5 ? " and \(abandoned.count - 5) more" : ""
        return .warning(
          "killed processes left \(shown)\(more)", "Run \(ifttt: "doctor --fix").",
          repair: Repair(
            description: "remove \(abandoned.count == 1 ? abandoned[0] : "these \(abandoned.count) files")"
          ) {
            store.removeAbandonedFiles()
          })
      }
      return .ok("\(facts.path) is intact (schema \(facts.schemaVersion), SQLite \(facts.sqliteVersion))")
    }
  }

  /// Checks that the disposable cache database is intact.
  static var cache: DoctorCheck {
    DoctorCheck(name: "cache") { context in
      if let skipped = try context.skippedForPermissions() { return skipped }
      let findings = try context.findings("cache")
      guard let failed = findings.first(where: { !$0.passed }) else { return .ok(findings.first?.detail ?? "") }
      let store = try context.session.store
      let repair = Repair(description: "move the cache away and create a new one") {
        try store.rebuildCache()
        context.discardFindings()
      }
      return .warning(failed.detail, "All of its data can be fetched again.", repair: repair)
    }
  }

  /// Checks where the key that encrypts credentials is stored, and that it decrypts them.
  static var key: DoctorCheck {
    DoctorCheck(name: "key") { context in
      if let skipped = try context.skippedForPermissions() { return skipped }
      for finding in try context.findings("credentials") where !finding.passed {
        return .failure(finding.detail, "To show which key is in use, run: \(ifttt: "store info")")
      }
      let store = try context.session.store
      let leftovers = try store.leftoverKeyFiles()
      guard leftovers.isEmpty else {
        let paths = leftovers.joined(separator: ", ")
        return .warning(
          "an interrupted 'store rekey' left \(paths)", "Run \(ifttt: "doctor --fix").",
          repair: Repair(description: "remove \(paths)") { _ = try store.removeLeftoverKeyFiles() })
      }
      let facts = try store.facts()
      guard facts.credentials > 0 else { return .ok("no credentials are stored, so no key is needed") }
      return .ok("\(facts.keySource); it decrypts the stored credentials (\(facts.credentials))")
    }
  }
}
