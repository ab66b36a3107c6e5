import Session
import Text
import World

/// A temporary folder that only this user can read.
enum PrivateFolder {
  /// Calls `body` with the path of a new folder, and removes it afterwards.
  static func with<Result>(in session: Session, _ body: (String) throws -> Result) throws -> Result {
    let world = session.world
    let parent = world.environment[.temporaryFolder].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let number = world.random.bytes(8).hex
    let path = "\(parent)/ifttt-\(number)"
    try world.files.makeNewFolder(path)
    defer { try? world.files.removeFolder(path) }
    return try body(path)
  }
}
