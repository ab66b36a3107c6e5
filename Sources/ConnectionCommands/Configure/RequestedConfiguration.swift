import IFTTT
import JSON
import Session
import Text

/// The configuration that was requested, computed from the stored one and the command line or the user's answers.
final class RequestedConfiguration {
  /// The whole configuration, and the known options of its fields.
  struct Wanted {
    var configuration: UserConnection
    var options: [ConfigurationStep: FieldOptions]
  }

  private let connection: Connection
  private let stored: UserConnection
  private let access: ConnectionAccess
  private let isEarly: Bool

  /// - Parameter isEarly: whether the connection is not activated yet; IFTTT may then not return the options of fields.
  init(_ connection: Connection, _ stored: UserConnection, _ access: ConnectionAccess, isEarly: Bool = false) {
    (self.connection, self.stored, self.access, self.isEarly) = (connection, stored, access, isEarly)
  }

  private var session: Session { access.session }

  /// Applies the command line to the stored configuration: the file first, then added features, values, and removed
  /// features.
  func wanted(_ given: ConfigureOptions, _ file: UserConnection?) throws -> Wanted {
    var wanted = file.map { stored.merged(with: $0) } ?? stored
    if let file { try checkNames(of: wanted, asGivenIn: file) }
    for name in given.added { wanted.add(try definition(name, wanted)) }
    for name in given.enabled { try enable(name, &wanted) }
    for name in given.disabled { wanted.setEnabled(try instance(name, wanted), to: false) }
    let names = given.settings.reduce(into: [String]()) { if !$0.contains($1.name) { $0.append($1.name) } }
    let named = try names.map { try form(wanted).named($0) }
    let options = try options(for: wanted, named)
    if file != nil { try readValues(&wanted, options) }
    for (name, entry) in zip(names, named) {
      let values = given.settings.filter { $0.name == name }.map(\.value)
      // Setting an earlier value may have added the feature.
      let target = try form(wanted).entry(entry.location) ?? form(wanted).named(name)
      wanted.set(target.location, to: try value(values, of: target, options), in: connection)
    }
    // Look up all names before removing the first, since numbers shift.
    let removed = try Set(given.removed.map { try instance($0, wanted) })
    for index in removed.sorted(by: >) { wanted.remove(index) }
    return Wanted(configuration: wanted, options: options)
  }

  /// Prompts for the values of all fields.
  func prompted() throws -> Wanted {
    let groups = connection.features.flatMap(\.fieldGroups).filter { group in
      group.fields.contains { $0.isHidden != true && $0.kind?.takesOptions == true }
    }
    let options = try knownOptions(groups.map(\.step))
    var questionnaire = Questionnaire(connection, stored, options, session.console.language)
    while true {
      switch questionnaire.next() {
      case .report(let text): session.console.say(Hint(text))
      case .ask(let question):
        guard let answer = try session.console.ask(question) else {
          throw Problem(.refused, "the prompts were not completed; nothing was changed")
        }
        questionnaire.receive(answer)
      case .end: return Wanted(configuration: questionnaire.configuration, options: options)
      }
    }
  }

  // MARK: Features

  private func form(_ configuration: UserConnection) -> ConfigurationForm {
    ConfigurationForm(connection, configuration)
  }

  private func instance(_ name: String, _ configuration: UserConnection) throws -> Int {
    try form(configuration).feature(named: name)
  }

  private func definition(_ name: String, _ configuration: UserConnection) throws -> Feature {
    if let feature = connection.feature(name) { return feature }
    throw Problem(
      ConfigurationForm.FieldAddressError.unknown(name, near: connection.features.map(\.id)), kind: "feature")
  }

  /// Rejects features, steps and fields of a file that the connection does not have. Stored ones may stay, even if
  /// the connection has lost them since.
  /// - Parameter file: the configuration before it was merged, in the same order.
  private func checkNames(of wanted: UserConnection, asGivenIn file: UserConnection) throws {
    func unknown(_ name: String?, _ kind: String, near: [String]) -> Problem {
      Problem(ConfigurationForm.FieldAddressError.unknown(name ?? "", near: near), kind: kind)
    }
    let pairs = stored.pairing(with: wanted)
    for (index, feature) in wanted.features.enumerated() {
      let before = pairs[index].map { stored.features[$0] }
      let definition = connection.feature(feature.featureID)
      guard definition != nil || before != nil else {
        let given = file.features[index]
        throw unknown(given.featureID ?? given.id, "feature", near: connection.features.map(\.id))
      }
      for kind in ConfigurationStep.Kind.allCases where kind != .feature {
        let steps = definition?[kind] ?? []
        let stepPairs = before?[kind].pairing(with: feature[kind]) ?? []
        for (position, step) in feature[kind].enumerated() {
          if steps.contains(where: { $0.id == step.stepID })
            || (stepPairs.indices.contains(position) && stepPairs[position] != nil)
          {
            continue
          }
          throw unknown(step.stepID ?? step.id, kind.rawValue, near: steps.compactMap(\.id))
        }
      }
    }
    let entries = form(wanted).entries.filter { $0.location.instance != nil }
    let known = entries.filter { connection.hasField(at: $0.location) }.map(\.address)
    for entry in entries where !connection.hasField(at: entry.location) {
      let before = entry.location.instance.flatMap { pairs[$0] }.map {
        stored.features[$0].values(of: entry.location.step)
      }
      if before?.contains(where: { $0.id == entry.location.field }) != true {
        throw unknown(entry.address, "field", near: known)
      }
    }
  }

  private func enable(_ name: String, _ wanted: inout UserConnection) throws {
    if let feature = connection.feature(name), !wanted.features.contains(where: { $0.featureID == name }) {
      wanted.add(feature)
    } else {
      wanted.setEnabled(try instance(name, wanted), to: true)
    }
  }

  // MARK: Values

  /// The options needed to interpret the given values and to check the unchanged ones.
  private func options(
    for wanted: UserConnection, _ named: [ConfigurationForm.Entry]
  ) throws -> [ConfigurationStep: FieldOptions] {
    let present = form(wanted).entries.filter { $0.location.instance != nil && !$0.isEmpty }
    return try knownOptions(
      (named + present).filter { $0.kind.takesOptions }.map(\.location.step), needed: Set(named.map(\.location.step)))
  }

  private func knownOptions(
    _ steps: [ConfigurationStep], needed: Set<ConfigurationStep> = []
  ) throws -> [ConfigurationStep: FieldOptions] {
    let mayFetch = try !session.options.isDryRun || !session.network.isOffline
    let found = try access.options(steps, mayFetch: access.hasUser && mayFetch)
    for (step, problem) in found.failures where !isEarly {
      if needed.contains(step) { throw problem }
      session.console.note("The options of \(step.kind.rawValue) '\(step.typeID)' are unknown: \(problem.summary).")
    }
    return found.known
  }

  private func value(
    _ values: [String], of entry: ConfigurationForm.Entry, _ options: [ConfigurationStep: FieldOptions]
  ) throws -> JSONValue? {
    let known = options[entry.location.step]
    if entry.kind.takesOptions, known == nil, let value = values.last {
      if !isEarly {
        session.console.note("The options of '\(entry.address)' were never fetched; '\(value)' is sent unchecked.")
      }
      return .string(value)
    }
    do throws(FieldValueError) {
      return try entry.field.value(of: values, known?.options[entry.location.field] ?? [])
    } catch {
      let rejected = entry.kind == .checkboxes ? values : [values.last ?? ""]
      throw Problem(
        .invalidParameters,
        "'\(entry.address)' does not accept \(rejected.map { "'\($0)'" }.joined(separator: " and "))",
        reason: error.description,
        hint: "\(ifttt: "connections options \(access.id)") shows what each field accepts.")
    }
  }

  /// Interprets the values of a file, which may be written as on the command line.
  private func readValues(_ wanted: inout UserConnection, _ options: [ConfigurationStep: FieldOptions]) throws {
    let pairs = stored.pairing(with: wanted)
    for entry in form(wanted).entries {
      guard let instance = entry.location.instance, connection.hasField(at: entry.location) else { continue }
      let before = pairs[instance].map { stored.features[$0].values(of: entry.location.step) } ?? []
      let isStored = before.contains { $0.id == entry.location.field && FieldValue.isSame($0.value, entry.value) }
      if isStored || entry.value.isNull || (entry.kind.takesOptions && options[entry.location.step] == nil) { continue }
      do throws(FieldValueError) {
        let accepted = options[entry.location.step]?.options[entry.location.field] ?? []
        wanted.set(entry.location, to: try entry.field.value(of: entry.value, accepted), in: connection)
      } catch {
        throw Problem(
          .invalidParameters, "'\(entry.address)' does not accept its value in the file", reason: error.description)
      }
    }
  }
}

extension Connection {
  /// Whether the connection itself has the field, and not only the user's configuration.
  fileprivate func hasField(at location: ConfigurationForm.FieldLocation) -> Bool {
    feature(location.step.featureID)?.fieldGroups.first { $0.step == location.step }?.fields.contains {
      $0.id == location.field
    }
      == true
  }
}

/// A file with a configuration: the output of `connections show --json`, or only its `configuration`.
enum ConfigurationFile {
  private static let limit = 16 * 1024 * 1024

  /// - Throws: `refused` if the file cannot be read, `invalid_parameters` if it is not a configuration.
  static func read(_ file: String, in session: Session) throws -> UserConnection {
    let bytes = try session.console.contents(of: file, for: "--file", limit: limit)
    let name = file == "-" ? "stdin" : "'\(file)'"
    let json: JSONValue
    do throws(JSONError) { json = try JSONValue(document: bytes) } catch {
      throw Problem(
        .invalidParameters, "\(name) is not JSON", reason: error.description,
        hint: "Use the output of \(ifttt: "connections show ID --json").")
    }
    do throws(DocumentError) { return try UserConnection(document: json) } catch {
      let location = error.path.isEmpty ? "" : "\(error.path): "
      throw Problem(
        .invalidParameters, "\(name) contains no configuration", reason: location + error.message,
        hint: "Use the output of \(ifttt: "connections show ID --json"), or its 'configuration'.")
    }
  }
}
