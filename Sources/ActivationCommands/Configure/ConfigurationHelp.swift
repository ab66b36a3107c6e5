import Arguments
import CommandContext
import Connect
import Hints
import JSON

/// Help text that several commands and errors share.
package enum ConfigurationHelp {
  package static let credentials = """
    Uses the service key, for the user given with --user-id. With --as user, or if there is no service key, it uses \
    the user token.
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

extension FieldValueError {
  /// The reason, for the user who gave the value.
  var words: String {
    switch cause {
    case .needsValue: "it needs a value"
    case .noOption(let word, let options):
      options.isEmpty
        ? "'\(word)' is not an option: the field has none"
        : "'\(word)' is not an option; \(FieldValueError.list(options))"
    case .severalOptions(let word, let options):
      "'\(word)' matches several options; use one of: \(options.map { "\($0.value) (\($0.path))" }.joined(separator: ", "))"
    case .noLocation(let word): "'\(word)' is not a location: use lat,lng or lat,lng,radius"
    case .needsRadius: "it needs a radius in meters: lat,lng,radius"
    case .takesNoRadius: "it is a point and accepts no radius"
    case .noNumber(let word): "'\(word)' is not a number"
    case .outOfBounds(let name, let bounds): "the \(name) is not from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .noJSON(let problem): "it is not a value for this field: \(problem)"
    }
  }

  /// A longer list is of no use in an error.
  private static let listedAtMost = 20

  static func list(_ options: [FieldValue.Option]) -> String {
    let shown = options.prefix(listedAtMost).map { "\($0.path) (\($0.value))" }.joined(separator: ", ")
    let rest = options.count - listedAtMost
    return "available: \(shown)\(rest > 0 ? " and \(rest) more" : "")"
  }
}
