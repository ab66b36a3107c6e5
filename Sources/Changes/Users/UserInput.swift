import Session
import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes of a users file, or of stdin, as they become available.
enum UserInput {
  case file(any FileReader, path: String)
  case stdin(any Input)

  /// - Parameter path: `-` for stdin.
  init(_ path: String, in session: Session) throws {
    guard path != "-" else {
      try session.console.claimInput(for: "--users")
      self = .stdin(session.world.input)
      return
    }
    do throws(SystemError) { self = .file(try session.world.files.reader(path), path: path) } catch {
      throw UserInput.unreadable(path, error)
    }
  }

  /// Readable while bytes are available; -1 if they always are.
  var descriptor: Int32 {
    switch self {
    case .file(let reader, _): reader.descriptor
    case .stdin(let input): input.descriptor
    }
  }

  /// - Parameter waits: whether to wait for bytes if none are available.
  /// - Returns: the next bytes; empty if none are available yet, and nil at the end.
  func read(waits: Bool) throws -> [UInt8]? {
    switch self {
    case .file(let reader, let path):
      do throws(SystemError) { return try reader.read(waits: waits) } catch {
        throw error.number == EINTR ? Problem.interrupted : UserInput.unreadable(path, error)
      }
    case .stdin(let input):
      guard waits || input.isReadable else { return [] }
      let bytes = try input.readSome()
      return bytes.isEmpty ? nil : bytes
    }
  }

  private static func unreadable(_ path: String, _ error: SystemError) -> Problem {
    Problem(
      .refused, "cannot read '\(path)'", reason: error.description,
      hint: "Pass a readable file, or '-' for stdin.")
  }
}
