import PluginProtocol
import Session
import Text
import World

extension Problem {
  /// The problem of a plugin whose manifest is missing or invalid, with everything that its author must change.
  /// - Parameter folder: the folder that the user named; nil if there is a manifest in any case.
  static func invalidManifest(
    _ message: String, _ error: ManifestError, in folder: String? = nil, _ files: (any Files)? = nil
  ) -> Problem {
    if let folder, let files, (try? files.facts("\(folder)/\(Manifest.fileName)")) == nil {
      return Problem(
        .pluginFailed, message, reason: "there is no \(Manifest.fileName) in \(folder)",
        hint: "Create a plugin with \(ifttt: "plugin new NAME"), or pass the folder of another one.")
    }
    let hint: Hint = "See ifttt-plugin(5); for checks in an editor: \(ifttt: "schema plugin-manifest")"
    guard error.problems.count > 1 else {
      return Problem(.pluginFailed, "\(message): its manifest is invalid", reason: error.description, hint: hint)
    }
    return Problem(
      .pluginFailed, "\(message): its manifest has \(error.problems.count) problems", hint: hint,
      details: error.problems.map { Problem.Detail(parameter: nil, message: $0) })
  }
}
