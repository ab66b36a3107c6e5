import Hints
import World

extension Session {
  /// What a file that an option names holds; `-` is standard input.
  /// - Parameter limit: in bytes.
  /// - Throws: `refused` where it cannot be read.
  package func contents(of file: String, for option: String, limit: Int) throws -> [UInt8] {
    guard file != "-" else {
      try claimInput(for: option)
      return try world.input.readAll(limit: limit)
    }
    do throws(SystemError) { return try world.files.read(file, limit: limit) } catch {
      throw Problem(
        .refused, "'\(file)' cannot be read", reason: error.description,
        hint: "Give a file that you may read, or '-' for standard input.")
    }
  }
}
