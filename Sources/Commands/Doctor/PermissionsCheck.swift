import Session
import Store
import Text
import World

extension DoctorCheck {
  /// Checks that only the user can access the program's files.
  static var permissions: DoctorCheck {
    DoctorCheck(name: "permissions") { examination in
      let store = try examination.session.store
      let findings = try examination.findings("permissions")
      guard let failed = findings.first(where: { !$0.passed }) else {
        return .ok("\(store.directories.data): \(findings.first?.detail ?? "")")
      }
      let loose = store.loosePermissions
      guard !loose.isEmpty else { return .failure(failed.detail, "Check its owner and its type.") }
      let commands = SuggestedCommand.all(loose.map(\.command))
      let repair = Repair(words: commands.text) {
        for permission in loose { try store.tighten(permission) }
        examination.forgetFindings()
      }
      return .failure(failed.detail, "Run: \(shell: commands)", repair: repair)
    }
  }
}
