import IFTTT
import JSON
import Session
import Text

/// A file with a configuration: the output of `connections show --json`, or only its `configuration`.
enum ConfigurationFile {
  private static let limit = 16 * 1024 * 1024

  /// - Throws: `refused` if the file cannot be read, `invalid_parameters` if it is not a configuration.
  static func read(_ file: String, in session: Session) throws -> UserConnection {
    let bytes = try session.console.contents(of: file, for: "--file", limit: limit)
    let name = file == "-" ? "stdin" : "'\(file)'"
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(document: bytes) } catch {
      throw Problem(
        .invalidParameters, "\(name) is not JSON", reason: error.description,
        hint: "Use the output of \(ifttt: "connections show ID --json").")
    }
    do throws(ConfigurationError) { return try UserConnection(document: json) } catch {
      let place = error.place.isEmpty ? "" : "\(error.place): "
      throw Problem(
        .invalidParameters, "\(name) contains no configuration", reason: place + error.message,
        hint: "Use the output of \(ifttt: "connections show ID --json"), or its 'configuration'.")
    }
  }
}
