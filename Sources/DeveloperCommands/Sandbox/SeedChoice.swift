import CommandLine
import Sandbox
import Session
import Text
import World

/// The seed of a server: a built-in one, or a user's file.
enum SeedChoice: Sendable {
  case builtIn(BuiltInSeed)
  case file(String)

  /// - Throws: `refused` for an invalid file.
  func contents(in session: Session) throws -> SandboxSeed {
    switch self {
    case .builtIn(let seed): return SandboxSeed(seed)
    case .file(let path):
      let bytes = try session.console.contents(of: path, for: "--seed", limit: SandboxSeed.sizeLimit)
      do throws(SeedError) { return try SandboxSeed(parsing: bytes) } catch {
        throw Problem(
          .refused, "'\(path)' is not a valid seed file", reason: error.description,
          hint: "Start from the output of \(ifttt: "sandbox seed"); see ifttt-sandbox(7).")
      }
    }
  }
}

extension ValueKind<SeedChoice> {
  /// The name of a built-in seed, or the path of a seed file. The path of a file without an extension needs a folder.
  static var seed: ValueKind {
    ValueKind(ValueSchema(placeholder: "SEED", completion: .file)) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { throw ValueError("it must not be empty", accepted: BuiltInSeed.names) }
      if let seed = BuiltInSeed(named: text) { return .builtIn(seed) }
      guard text == "-" || text.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }) else {
        throw ValueError("no such seed; the path of a file contains '/' or '.'", accepted: BuiltInSeed.names)
      }
      return .file(text)
    }
  }
}
