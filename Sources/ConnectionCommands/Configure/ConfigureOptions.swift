package import IFTTT
package import Session

/// The arguments and options of `configure`.
package struct ConfigureOptions: Sendable {
  package var id: ConnectionID?
  package var settings: [FieldAssignment] = []
  package var file: String?
  package var added: [String] = []
  package var enabled: [String] = []
  package var disabled: [String] = []
  package var removed: [String] = []
  package var skips: Bool?
  package var waits = true
  /// Used with `--skip`.
  package var activation = ActivationOptions()
  package var credentials = CredentialOptions()
  package var resumes = false
  package var reports: [ReportFile] = []

  package init() {}

  /// Whether the command line specifies changes.
  package var saysChanges: Bool {
    file != nil || [added, enabled, disabled, removed].contains { !$0.isEmpty } || !settings.isEmpty
  }
}
