import Sandbox
import Store
import World

extension StoreAccess {
  /// Tracks the sandbox's connections in a new sandbox profile. After the first tracked connection, the user controls
  /// the list. A dry run writes nothing; ``plannedSandboxIDs`` replaces it.
  package func trackSandboxOnce() throws {
    guard try isSandboxUntouched, !options.isDryRun else { return }
    _ = try store.track(SandboxFixtures.connectionIDs, profile: ProfileName.sandbox.description)
  }

  /// The connections that the first real run would track; empty except in a dry run before it.
  package var plannedSandboxIDs: [String] {
    get throws { try options.isDryRun && isSandboxUntouched ? SandboxFixtures.connectionIDs : [] }
  }

  private var isSandboxUntouched: Bool {
    get throws { try profileName.isSandbox && !store.hasTracked(profile: ProfileName.sandbox.description) }
  }

  /// Whether the profile tracks a connection, or would track it if a dry run were a real one.
  package func isTracked(_ id: String) throws -> Bool {
    try store.isTracked(id, profile: profile.name) || plannedSandboxIDs.contains(id)
  }

  /// Resets the sandbox profile. The profile itself always exists and remains the default profile if it is.
  package func resetSandboxProfile() throws {
    let name = ProfileName.sandbox.description
    let isDefault = try store.currentProfile() == name
    try SandboxStateFile(store.directories.data + "/sandbox.json", world).remove()
    _ = try store.removeProfile(name)
    if isDefault { try store.useProfile(name) }
  }
}
