import Connect

/// What `configure` says to a person while it asks and shows. Errors are not among it.
struct ConfigurePrompts: Sendable {
  func valueFor(field: String) -> String { "Value for “\(field)”" }
  var required: String { "required" }
  func leaveAsIs(value: String) -> String { "Press Enter to keep \(value)" }
  var chooseOne: String { "Choose one by its number" }
  var chooseSeveral: String { "Choose by number, with commas between" }
  var latitude: String { "Latitude" }
  var longitude: String { "Longitude" }
  var radius: String { "Radius in metres" }
  var address: String { "Address" }
  func notANumber(_ text: String) -> String { "“\(text)” is not a number." }
  func notAnOption(_ text: String) -> String { "“\(text)” is not one of the options." }
  func needsValue(field: String) -> String { "“\(field)” needs a value." }
  func useFeature(title: String) -> String { "Turn on “\(title)”?" }
  var added: String { "Added" }
  var changed: String { "Changed" }
  var removed: String { "Removed" }
  func removeSettings(_ count: Int) -> String { "Remove \(count) \(count == 1 ? "setting" : "settings")?" }
  var nothingToChange: String { "There is nothing to change." }
  /// The letters for yes and no; the latter in capitals, since it is what an empty answer means.
  var yesOrNo: String { "y/N" }

  /// Whether an answer says yes.
  func isYes(_ answer: String) -> Bool { ["y", "yes"].contains(answer.lowercased()) }

  func heading(_ change: ConfigurationDifference.Change) -> String {
    switch change {
    case .added: added
    case .changed: changed
    case .removed: removed
    }
  }
}
