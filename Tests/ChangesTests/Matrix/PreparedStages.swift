import Foundation
import ProgramDriver
import Support
import Synchronization
import World

/// The stages that are ready, so that each is prepared once for all tests.
final class PreparedStages: Sendable {
  struct Key: Hashable, Sendable {
    let entry: ChangeEntry
    let subjects: [ChangeEntry.Subject]
    let canEnable: Bool
  }

  /// A copy of the files of a stage, with its time and the state of its server.
  struct Stage: Sendable {
    private let folder = TemporaryFolder()
    let now: Timestamp
    let states: [String: ChangeServer.State]

    init(_ home: Home, _ server: ChangeServer) throws {
      (now, states) = (home.now, server.states)
      try Self.copy(home.folder, to: folder)
    }

    func copy(to other: TemporaryFolder) throws { try Self.copy(folder, to: other) }

    private static func copy(_ from: TemporaryFolder, to: TemporaryFolder) throws {
      for name in from.names where !name.contains("/") {
        try FileManager.default.copyItem(atPath: from[name], toPath: to[name])
      }
    }
  }

  static let shared = PreparedStages()

  private let stages = Mutex<[Key: Stage]>([:])

  subscript(key: Key) -> Stage? {
    get { stages.withLock { $0[key] } }
    set { stages.withLock { $0[key] = newValue } }
  }
}
