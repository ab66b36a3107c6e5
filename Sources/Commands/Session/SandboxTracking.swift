import Sandbox
import Store

extension Session {
  /// The sandbox profile begins with the sandbox's connections tracked. Once something was tracked there, it is the user's to
  /// change.
  func trackSandboxOnce() throws {
    guard try profileName.isSandbox, try !store.hasTracked(profile: ProfileName.sandbox.description) else { return }
    _ = try store.track(SandboxWorld.connectionIDs, profile: ProfileName.sandbox.description)
  }
}
