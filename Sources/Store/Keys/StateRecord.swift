import JSON
import Text
import World

/// A JSON object in a file of the state folder, with facts about this machine.
struct StateRecord {
  let folder: String
  let name: String
  /// What the file contains, for errors.
  let contents: String
  var path: String { "\(folder)/\(name)" }

  /// The object; empty without a file.
  func read() throws(StoreError) -> JSONObject {
    guard try Permissions.checkFile(path) != nil else { return JSONObject() }
    guard let object = (try? JSONValue(parsing: PrivateFiles.read(path, limit: 1 << 20)))?.object else {
      throw .keyMissing("cannot read \(path), \(contents)", "Move it away and specify its contents again.")
    }
    return object
  }

  /// Changes the object, and syncs it to disk.
  func update(
    _ world: World, _ change: (inout [(key: String, value: JSONValue)]) -> Void
  ) throws(StoreError) {
    try PrivateFiles.makeFolder(folder)
    try PrivateFiles.lockingFolder(folder) { () throws(StoreError) in
      var members = try read().members
      change(&members)
      try PrivateFiles.replace(path, with: JSONValue.object(JSONObject(members: members)).bytes + [0x0a], world)
    }
  }
}
