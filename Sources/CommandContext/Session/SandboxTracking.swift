import Sandbox
import Store
import World

extension Session {
  /// The sandbox profile begins with the sandbox's connections tracked. Once something was tracked there, it is the user's to
  /// change. A dry run writes nothing; ``plannedSandboxIDs`` stands in for it.
  package func trackSandboxOnce() throws {
    guard try isSandboxUntouched, !options.isDryRun else { return }
    _ = try store.track(SandboxFixtures.connectionIDs, profile: ProfileName.sandbox.description)
  }

  /// The connections that the first real run would track; only in a dry run that comes before it.
  package var plannedSandboxIDs: [String] {
    get throws { try options.isDryRun && isSandboxUntouched ? SandboxFixtures.connectionIDs : [] }
  }

  private var isSandboxUntouched: Bool {
    get throws { try profileName.isSandbox && !store.hasTracked(profile: ProfileName.sandbox.description) }
  }

  /// Whether the profile tracks a connection, or would by the time a dry run becomes a real one.
  package func isTracked(_ id: String) throws -> Bool {
    try store.isTracked(id, profile: profile.name) || plannedSandboxIDs.contains(id)
  }

  /// Resets the sandbox profile. The profile itself always exists, and stays the default profile if it is.
  package func resetSandboxProfile() throws {
    let name = ProfileName.sandbox.description
    let isDefault = try store.currentProfile() == name
    try SandboxStateFile(store.places.data + "/sandbox.json", world).remove()
    _ = try store.removeProfile(name)
    if isDefault { try store.useProfile(name) }
  }
}
