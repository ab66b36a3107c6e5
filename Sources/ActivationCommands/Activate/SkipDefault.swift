import CommandContext
import Hints
import Store

extension Session {
  /// Whether activations of this profile skip IFTTT's configuration screen where they are not told.
  var skipsConfiguration: Bool { get throws { try profile.settings[.skipConfiguration] == "true" } }

  /// `configure --skip` and `--no-skip` without a connection: the profile's default for every later activation.
  func setSkipDefault(_ skips: Bool) throws -> Output {
    let name = try profile.name
    let words = skips ? "skip" : "show"
    if options.isDryRun {
      let change =
        try skipsConfiguration == skips
        ? nil : "Later activations of profile '\(name)' would \(words) IFTTT's configuration screen."
      return dryRun(change: change)
    }
    try store.save(Profile(name: name, settings: [.skipConfiguration: skips ? "true" : ""]))
    note("Later activations of profile '\(name)' \(words) IFTTT's configuration screen.")
    return .rows([], as: .configuration)
  }
}
