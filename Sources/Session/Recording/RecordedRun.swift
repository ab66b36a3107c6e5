import JSON
import Text
package import World

/// The recorded facts of a run other than its exchanges: its command line, its authentication level, and the data
/// that its replay needs.
package struct RecordedRun {
  /// The version of the file format; any other number is an incompatible format.
  package static let form = 1

  /// `ifttt 0.1.0`
  package var program: String
  /// The arguments without the program's name, with secrets masked.
  package var command: [String]
  var began: Timestamp
  package var profile: String?
  /// `user`, `service` or `anonymous`; nil if no authentication was needed.
  package var level: String?
  /// Variables that supplied options and base URLs, and a placeholder for each credential that was used, whatever its
  /// source.
  package var variables: [(name: String, value: String)] = []
  /// Whether the cache was filled by the same request identity; nil if that was not checked.
  var cacheIsOwn: Bool?
  /// The seed of the retry jitter.
  package var seed: UInt32

  package mutating func set(_ variable: String, _ value: String) {
    variables.removeAll { $0.name == variable }
    variables.append((variable, value))
  }

  package var bytes: [UInt8] {
    let json: JSONValue = [
      "recording": JSONValue(Self.form), "program": .string(program), "command": .array(command.map(JSONValue.string)),
      "began_at": .string(began.rfc3339), "began_at_milliseconds": JSONValue(Int(began.milliseconds)),
      "profile": JSONValue(profile), "authentication_level": JSONValue(level),
      "environment": .object(JSONObject(members: variables.map { ($0.name, .string($0.value)) })),
      "cache_is_own": cacheIsOwn.map { .bool($0) } ?? .null, "seed": JSONValue(Int(seed)),
    ]
    return json.indented
  }

  /// - Throws: ``Problem`` if the file is not a recording or has an incompatible format.
  package init(parsing bytes: [UInt8], from folder: String) throws {
    guard let json = try? JSONValue(parsing: bytes), let form = json["recording"]?.int else {
      throw Problem.noRecording(in: folder, "recording.json was not written by --record")
    }
    guard form == Self.form, let began = json["began_at_milliseconds"]?.int, let seed = json["seed"]?.int else {
      throw Problem.noRecording(
        in: folder, "\(json["program"]?.string ?? "another version") wrote it in another format")
    }
    program = json["program"]?.string ?? ""
    command = json["command"]?.array?.compactMap(\.string) ?? []
    self.began = Timestamp(milliseconds: Int64(began))
    profile = json["profile"]?.string
    level = json["authentication_level"]?.string
    variables =
      json["environment"]?.object?.members.compactMap { member in
        member.value.string.map { (member.key, $0) }
      } ?? []
    cacheIsOwn = json["cache_is_own"]?.bool
    self.seed = UInt32(truncatingIfNeeded: seed)
  }

  package init(command: [String], began: Timestamp, seed: UInt32) {
    (program, self.command, self.began, self.seed) = ("ifttt \(programVersion)", command, began, seed)
  }
}

extension Problem {
  static func noRecording(in folder: String, _ reason: String) -> Problem {
    Problem(
      .refused, "'\(folder)' contains no recording that can be replayed", reason: reason,
      hint: "Pass a folder that was created with --record.")
  }
}
