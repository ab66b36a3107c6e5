import CommandLine
import IFTTT
import JSON
import Session
import Text

/// Help text that several commands and errors share.
package enum ConfigurationHelp {
  package static let credentials = """
    Uses the service key, for the user given with --user-id. With --as user, it uses the user token. Without a service \
    key, the user token is used too, but only to read.
    """
}

extension ConfigurationForm {
  /// Returns the field that an argument names.
  /// - Throws: `invalid_parameters` if it matches no field, or several.
  func named(_ word: String) throws -> Entry {
    do throws(FieldAddressError) { return try entry(named: word) } catch { throw Problem(error, kind: "field") }
  }

  /// Returns the user feature that an argument names.
  func feature(named word: String) throws -> Int {
    do throws(FieldAddressError) { return try instance(named: word) } catch { throw Problem(error, kind: "feature") }
  }
}

extension Problem {
  init(_ fault: ConfigurationForm.FieldAddressError, kind: String) {
    switch fault {
    case .unknown(let word, let all):
      let near = NearestNames.of(word, amongPaths: all)
      let shown = near.isEmpty ? all : near
      self.init(
        .invalidParameters, "there is no \(kind) '\(word)'",
        hint: shown.isEmpty
          ? "The connection has none."
          : "\(near.isEmpty ? "Available" : "Did you mean"): \(shown.joined(separator: ", ")).")
    case .ambiguous(let word, let meanings):
      self.init(
        .invalidParameters, "'\(word)' matches more than one \(kind)",
        hint: "Use one of: \(meanings.joined(separator: ", ")).")
    }
  }
}
