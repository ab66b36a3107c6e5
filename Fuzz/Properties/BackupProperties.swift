import Store
import World

/// The reader of backups, whatever their header, pages, schema or companions say. A backup that is rejected changes
/// nothing. One that is accepted becomes an intact store with what the plan said. Neither trust in plugins nor consent
/// to usage events comes from it.
///
/// The input is a list of changes to a valid backup, since a fuzzer finds neither checksums of pages nor SQL.
enum BackupProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let fixture = BackupFixture()
    var choices = InputChoices(bytes)
    let (restores, hasStore) = (choices.flag(), choices.flag())
    let keyPath = fixture.writeKey(&choices)
    while !choices.isAtEnd { fixture.change(&choices) }
    if hasStore { fixture.writeStore() }
    return problem(in: fixture, keyPath: keyPath, restores: restores, hasStore: hasStore)
  }

  private static func problem(
    in fixture: BackupFixture, keyPath: String?, restores: Bool, hasStore: Bool
  ) -> String? {
    let before = fixture.state
    let facts: RestoreFacts
    do throws(StoreError) {
      let store = fixture.store()
      let plan = try store.planRestore(of: fixture.backup, keyPath: keyPath)
      facts = plan.facts
      if !restores { store.abandon(plan) } else { _ = try store.restore(plan) }
    } catch {
      return fixture.state == before ? nil : "a backup that was rejected changed the store: \(error)"
    }
    guard restores else { return fixture.state == before ? nil : "a plan changed the store" }
    if let keyPath, !fixture.isKey(keyPath) { return "a file without a key was accepted as one" }
    do throws(StoreError) {
      if let problem = try problem(in: fixture, facts, hasStore: hasStore) { return problem }
      return try problem(ofBackupAgain: fixture, facts)
    } catch { return "the restored store is unusable: \(error)" }
  }

  private static func problem(
    in fixture: BackupFixture, _ facts: RestoreFacts, hasStore: Bool
  ) throws(StoreError) -> String? {
    let store = fixture.store()
    if let bad = try store.check().first(where: { !$0.passed && $0.check != "credentials" }) {
      return "the restored store fails its check: \(bad.detail)"
    }
    let profiles = try store.profiles()
    guard profiles.count == facts.profiles else { return "other profiles than the plan said" }
    var tracked = 0
    for profile in profiles { tracked += try store.trackedCount(profile: profile.name) }
    guard tracked == facts.tracked else { return "other tracked connections than the plan said" }
    guard try UsageQueue(store).choice() == nil else { return "consent came from a backup" }
    let trusted = try PluginRecords(store).trusted().map(\.name) + PluginRecords(store).linked().map(\.name)
    guard trusted == (hasStore ? [BackupFixture.trusted] : []) else { return "trust came from a backup: \(trusted)" }
    guard try PluginRecords(store).signers().isEmpty, try PluginRecords(store).indexes().isEmpty else {
      return "trust in a signer"
    }
    return fixture.names.contains { $0.contains(".new-") } ? "a temporary file was left" : nil
  }

  /// A backup of the restored store is accepted, and says the same.
  private static func problem(ofBackupAgain fixture: BackupFixture, _ facts: RestoreFacts) throws(StoreError) -> String?
  {
    let store = fixture.store()
    guard let again = try store.backUp(to: fixture.secondBackup, replacing: true) else { return "no store to back up" }
    let plan = try store.planRestore(of: fixture.secondBackup)
    store.abandon(plan)
    guard again.credentials == facts.credentials, plan.facts.profiles == facts.profiles,
      plan.facts.tracked == facts.tracked, plan.facts.credentials == facts.credentials
    else { return "a backup of the restored store says something else" }
    return nil
  }
}
