import Text
import World

extension Store {
  /// Writes a secret that could not be saved to a recovery file, and returns an error that names the file.
  func recovering(_ secret: Secret, _ kind: CredentialKind, from error: StoreError) -> StoreError {
    recovering(secret.revealed, named: kind.rawValue, as: kind.words, from: error)
  }

  /// Writes text that could not be saved to a recovery file, and returns an error that names the file.
  /// - Parameter words: The name of the text for the error.
  func recovering(_ text: String, named kind: String, as words: String, from error: StoreError) -> StoreError {
    let name = "recovered-\(kind)-\(hexadecimal(world.random.bytes(6)))"
    let elsewhere = world.environment[.temporaryFolder].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var failure = error
    for folder in [directories.state, world.path(elsewhere)] {
      let path = "\(folder)/\(name)"
      do throws(StoreError) {
        try PrivateFiles.makeFolder(folder)
        try PrivateFiles.create(path, with: Array("\(text)\n".utf8))
      } catch { continue }
      failure.message = "the \(words) was obtained, but not saved in the store (\(error.message)); it is in \(path)"
      failure.hint =
        "Save the \(words) from that file once the store can be written, and delete the file. \(error.hint)"
      return failure
    }
    failure.message = "the \(words) was obtained, but it could not be saved anywhere (\(error.message))"
    failure.hint = "Obtain a new one once the store can be written. \(error.hint)"
    return failure
  }
}
