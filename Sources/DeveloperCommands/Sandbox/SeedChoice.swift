import CommandLine
import Sandbox
import Session
import Text
import World

/// The seed of a server: a built-in one, or a user's file.
enum SeedChoice: Sendable {
  case builtIn(BuiltInSeed)
  case file(String)

  /// - Throws: `usage` for a name that is neither a built-in seed nor a file, and `refused` for an invalid file.
  func contents(in session: Session) throws -> SandboxSeed {
    switch self {
    case .builtIn(let seed): return SandboxSeed(seed)
    case .file(let path):
      if Self.looksLikeName(path), !Self.exists(path, in: session) { throw Problem.unknownSeed(path, in: "--seed") }
      let bytes = try session.console.contents(of: path, for: "--seed", limit: SandboxSeed.sizeLimit)
      do throws(SeedError) { return try SandboxSeed(parsing: bytes) } catch {
        throw Problem(
          .refused, "'\(path)' is not a valid seed file", reason: error.description,
          hint: "Start from the output of \(ifttt: "sandbox seed"); see ifttt-sandbox(7).")
      }
    }
  }

  private static func looksLikeName(_ path: String) -> Bool {
    path != "-" && !path.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
  }

  private static func exists(_ path: String, in session: Session) -> Bool {
    do throws(SystemError) { _ = try session.world.files.status(path) } catch { return false }
    return true
  }
}

extension ValueKind<SeedChoice> {
  /// The name of a built-in seed, or the path of a seed file. A file with such a name needs a folder in its path.
  static var seed: ValueKind {
    ValueKind(ValueSchema(placeholder: "SEED", completion: .file)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it must not be empty", accepted: BuiltInSeed.names) }
      return BuiltInSeed(named: text).map(SeedChoice.builtIn) ?? .file(text)
    }
  }
}
