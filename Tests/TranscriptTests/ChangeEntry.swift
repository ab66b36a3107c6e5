/// A command line that changes something, as the kill tests run it.
struct ChangeEntry: CustomStringConvertible {
  typealias Change = ChangesServer.Change
  typealias Subject = ChangesServer.Subject
  typealias State = ChangesServer.State

  let description: String
  var words: [String]
  /// How it is resumed after the program was killed.
  var resume: [String]
  /// The changes that the server must make, each once.
  var changes: [Change]
  /// The settings that it sets; nil for those that it removes.
  var fields: [String: String?] = [:]

  private init(
    _ description: String, _ words: String, resume: String, _ changes: [Change], fields: [String: String?] = [:]
  ) {
    self.description = description
    self.words = words.split(separator: " ").map(String.init)
    self.resume = resume.split(separator: " ").map(String.init)
    (self.changes, self.fields) = (changes, fields)
  }

  static let users = ["u-1", "u-2", "u-3"]

  private static func changes(
    _ verbs: String..., of ids: String..., by users: [String] = [ChangesServer.user]
  ) -> [Change] {
    users.flatMap { user in ids.flatMap { id in verbs.map { Change(user: user, id: id, verb: $0) } } }
  }

  /// Every command that changes something. `FOLDER` is the folder of ``files``.
  static let all = [
    ChangeEntry(
      "enable", "connections enable off-1 off-2 off-3", resume: "connections enable --resume",
      changes("enable", of: "off-1", "off-2", "off-3")),
    ChangeEntry(
      "disable", "connections disable c1 c2 c3", resume: "connections disable --resume",
      changes("disable", of: "c1", "c2", "c3")),
    ChangeEntry(
      "configure", "configure conf-1 --set scene=Evening", resume: "configure conf-1 --resume",
      changes("configure", of: "conf-1"), fields: ["scene": "Evening"]),
    ChangeEntry(
      "apply", "connections apply FOLDER/two.json --yes", resume: "connections apply --resume",
      changes("configure", "disable", of: "conf-1", "conf-2"), fields: ["scene": "Evening"]),
    // What was confirmed and permitted need not be confirmed and permitted again.
    ChangeEntry(
      "apply --allow-removal", "connections apply FOLDER/removal.json --yes --allow-removal",
      resume: "connections apply --resume", changes("configure", of: "conf-1", "conf-2"), fields: ["name": nil]),
    ChangeEntry(
      "applets enable", "applets enable off-a1 off-a2 --service lampost", resume: "applets enable --resume",
      changes("enable", of: "off-a1", "off-a2")),
    ChangeEntry(
      "applets disable", "applets disable a1 a2 --service lampost", resume: "applets disable --resume",
      changes("disable", of: "a1", "a2")),
    ChangeEntry(
      "enable --users", "connections enable off-1 --users FOLDER/users.jsonl --yes",
      resume: "connections enable --resume", changes("enable", of: "off-1", by: users)),
    ChangeEntry(
      "disable --users", "connections disable c1 c2 --users FOLDER/users.jsonl --yes",
      resume: "connections disable --resume c1 c2 --users FOLDER/users.jsonl",
      changes("disable", of: "c1", "c2", by: users)),
    ChangeEntry(
      "apply --users", "connections apply FOLDER/one.json --users FOLDER/users.jsonl --yes",
      resume: "connections apply --resume", changes("configure", "disable", of: "conf-3", by: users),
      fields: ["scene": "Evening"]),
    ChangeEntry(
      "disable of a provider", "connections disable lamps:l1 lamps:l2 lamps:l3", resume: "connections disable --resume",
      changes("disable", of: "l1", "l2", "l3", by: ["lamps"])),
    ChangeEntry(
      "disable of both", "connections disable lamps:l1 c1 lamps:l2 c2", resume: "connections disable --resume",
      changes("disable", of: "l1", "l2", by: ["lamps"]) + changes("disable", of: "c1", "c2")),
  ]

  static let files = [
    "users.jsonl": users.map { #"{"user_id":"\#($0)","access_token":"at_\#($0)_c0ffee"}"# }.joined(separator: "\n"),
    "one.json": file(["conf-3"], #","status":"disabled""#, #""scene":"Evening""#),
    "two.json": file(["conf-1", "conf-2"], #","status":"disabled""#, #""scene":"Evening""#),
    "lost.json": file(["conf-lost-2"], #","status":"disabled""#, #""scene":"Evening""#),
    "removal.json": file(["conf-1", "conf-2"], "", #""name":null"#),
  ]

  private static func file(_ ids: [String], _ status: String, _ field: String) -> String {
    let connections = ids.map {
      #"{"id":"\#($0)"\#(status),"features":[{"feature":"mw4tq9hzjc","fields":{\#(field)}}]}"#
    }
    return #"{"version":1,"connections":[\#(connections.joined(separator: ","))]}"#
  }

  /// The entry with its files in a folder.
  func with(folder: String) -> ChangeEntry {
    var entry = self
    entry.words = words.map { $0.replacing("FOLDER", with: folder) }
    entry.resume = resume.map { $0.replacing("FOLDER", with: folder) }
    return entry
  }

  var subjects: Set<Subject> { Set(changes.map { Subject(user: $0.user, id: $0.id) }) }

  /// The changes that an undo makes.
  var reverted: [Change] {
    changes.map { change in
      let verb = ["enable": "disable", "disable": "enable"][change.verb]
      return Change(user: change.user, id: change.id, verb: verb ?? change.verb)
    }
  }

  /// The states after the changes.
  func applied(to states: [Subject: State]) -> [Subject: State] {
    var states = states
    for change in changes {
      let subject = Subject(user: change.user, id: change.id)
      guard change.verb == "configure" else {
        states[subject]?.status = change.verb + "d"
        continue
      }
      for (field, value) in fields { states[subject]?.fields[field] = value }
    }
    return states
  }
}
