import Session
import Text
import World

/// The key of a server's control endpoint, from a file.
enum ControlKey {
  static let option = "control-key-file"
  /// The minimum length in characters. Anyone who can reach the server can try keys.
  static let minimumLength = 32
  /// The maximum size of the file, in bytes.
  private static let limit = 64 << 10

  /// - Throws: `refused` for a file that cannot be read or does not contain a key.
  static func read(_ file: String, in session: Session) throws -> Secret {
    let source = file == "-" ? "stdin" : "'\(file)'"
    let key: Secret
    if file == "-", session.world.terminal.inputIsTerminal {
      key = try session.console.promptForSecret("control key")
    } else {
      let bytes = try session.console.contents(of: file, for: "--\(option)", limit: limit)
      do throws(InvalidSecret) { key = try Secret(file: bytes) } catch {
        throw Problem(
          .refused, "\(source) does not contain a control key", reason: error.description,
          hint: "Pass a file with one line: the key only.")
      }
    }
    guard key.revealed.count >= minimumLength else {
      throw Problem(
        .refused, "the control key in \(source) is too short", reason: "it has fewer than \(minimumLength) characters",
        hint: "Create a key with \(shell: "openssl rand -hex 24").")
    }
    return key
  }
}
