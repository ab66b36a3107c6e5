@testable import Sandbox

extension SandboxFixtures {
  /// The connections of the first partner service, whether the sandbox profile tracks them from the start or not.
  static let ownConnectionIDs = allConnectionIDs.filter { $0 != foreignConnectionID }
}
