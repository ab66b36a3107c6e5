import Plugins
import Session
import Text

extension DoctorCheck {
  /// Checks that every installed plugin can be used, without running any.
  static var plugins: DoctorCheck {
    DoctorCheck(name: "plugins") { examination in
      if examination.session.plugins.isOff { return .skipped("plugins are disabled") }
      if let waiting = try examination.waitForPermissions() { return waiting }
      let shelf = try examination.session.pluginRegistry
      let entries = try shelf.entries()
      let bad = entries.filter { !$0.verdict.isGood }
      if let first = bad.first {
        let more = bad.count > 1 ? ", and \(bad.count - 1) more; see 'ifttt plugin list'" : ""
        return .warning("\(first.plugin.name): \(first.verdict.problem ?? "")\(more)", first.verdict.advice ?? "")
      }
      for entry in entries {
        guard let executable = entry.plugin.executable,
          let interpreter = PluginInterpreter(of: executable, in: examination.world), interpreter.path == nil
        else { continue }
        return .warning(
          "\(entry.plugin.name): its interpreter '\(interpreter.shownName)' is missing",
          interpreter.endsWithCarriageReturn
            ? "Remove the carriage return at the end of the first line of \(executable)."
            : "Install it, or add its folder to PATH.")
      }
      guard !entries.isEmpty else { return .ok("none are installed") }
      return .ok(entries.map { "\($0.plugin.name) (\($0.verdict.status.rawValue))" }.joined(separator: ", "))
    }
  }
}
