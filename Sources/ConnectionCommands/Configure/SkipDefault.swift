package import Session
import Store
import Text

extension Session {
  /// Sets the profile's default for later activations: `configure --skip` and `--no-skip` without a connection.
  package func setSkipDefault(_ skips: Bool) throws -> Output {
    let name = try profile.name
    let words = skips ? "skip" : "show"
    if options.isDryRun {
      let change =
        try skipsConfiguration == skips
        ? nil : "Later activations of profile '\(name)' would \(words) IFTTT's configuration screen."
      return dryRun(change: change)
    }
    try store.save(Profile(name: name, settings: [.skipConfiguration: skips ? "true" : ""]))
    console.note("Later activations of profile '\(name)' \(words) IFTTT's configuration screen.")
    return .rows([ConfigurationRow]())
  }
}
