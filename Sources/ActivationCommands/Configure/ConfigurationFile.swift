import CommandContext
import Connect
import Hints
import JSON

/// A file with a configuration: the output of `connections show --json`, or only its `configuration`.
enum ConfigurationFile {
  private static let limit = 16 * 1024 * 1024

  /// - Throws: `refused` if the file cannot be read, `invalid_parameters` if it is not a configuration.
  static func read(_ file: String, in session: Session) throws -> UserConnection {
    let bytes = try session.contents(of: file, for: "--file", limit: limit)
    let name = file == "-" ? "standard input" : "'\(file)'"
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(parsing: bytes) } catch {
      throw Problem(
        .invalidParameters, "\(name) is not JSON", reason: error.description,
        hint: "It takes what \(ifttt: "connections show ID --json") prints.")
    }
    do throws(ConfigurationError) { return try UserConnection(document: json) } catch {
      let place = error.place.isEmpty ? "" : "\(error.place): "
      throw Problem(
        .invalidParameters, "\(name) holds no configuration", reason: place + error.message,
        hint: "It takes what \(ifttt: "connections show ID --json") prints under 'configuration'.")
    }
  }
}
