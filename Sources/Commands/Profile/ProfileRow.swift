import Display
import JSON
import Store

extension Shape {
  static var profiles: Shape {
    let settings = RecordSchema(keys: Profile.Setting.allCases.map(\.rawValue), each: .optionalString)
    return Shape(
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
  /// A profile as shown: its settings, the kinds of credentials it keeps, and never a credential.
  func profileRow(_ profile: Profile) throws -> [UInt8] {
    let kinds = Set(try store.credentials(profile: profile.name).map(\.kind.rawValue))
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("name")
    writer.string(profile.name)
    writer.key("current")
    writer.bool(try profile.name == profileName.description)
    writer.key("settings")
    writer.beginObject()
    for setting in Profile.Setting.allCases {
      writer.key(setting.rawValue)
      writer.string(profile.settings[setting])
    }
    writer.endObject()
    writer.key("credentials")
    writer.value(.array(kinds.sorted().map(JSONValue.string)))
    writer.key("tracked")
    writer.int(try store.trackedCount(profile: profile.name))
    writer.endObject()
    return writer.bytes
  }
}
