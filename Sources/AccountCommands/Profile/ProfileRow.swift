import CommandContext
import Display
import JSON
import Store

extension OutputSchema {
  static var profiles: OutputSchema {
    let settings = RecordSchema(keys: Profile.Setting.allCases.map(\.rawValue), each: .optionalString)
    return OutputSchema(
      name: "profiles",
      record: RecordSchema([
        "name": .string, "current": .bool, "settings": .record(settings), "credentials": .strings, "tracked": .int,
      ]),
      columns: [
        Column("NAME", "name", overflow: .keep), Column("CURRENT", "current"), Column("SERVICE", "settings.service"),
        Column("USER", "settings.user_id"), Column("CREDENTIALS", "credentials"),
        Column("TRACKED", "tracked", style: .number),
      ])
  }
}

extension Session {
  /// A profile as printed: its settings and the kinds of its stored credentials, never a credential itself.
  func profileRow(_ profile: Profile) throws -> [UInt8] {
    let kinds = Set(try store.credentials(profile: profile.name).map(\.kind.rawValue))
    let settings = Profile.Setting.allCases.map { (key: $0.rawValue, value: JSONValue(profile.settings[$0])) }
    let row: JSONValue = [
      "name": JSONValue(profile.name), "current": JSONValue(try profile.name == profileName.description),
      "settings": .object(JSONObject(members: settings)),
      "credentials": .array(kinds.sorted().map(JSONValue.string)),
      "tracked": JSONValue(try store.trackedCount(profile: profile.name)),
    ]
    return row.bytes
  }
}
