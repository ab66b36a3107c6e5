import CommandLine
import HTTP
import IFTTT
import JSON
import Output
import Session
import Text

enum ConnectionsOptions: Command {
  struct Options: CommandOptions {
    var id = Required<ConnectionID>()
    var fields: [String] = []
    var refreshes = false
    var credentials = CredentialOptions()
  }

  static let name = "options"
  static let summary = "Show what each field of a connection accepts"
  static let group: String? = "Steps"
  static var discussion: [String] {
    [
      """
      Lists the options of dropdowns and checkboxes for this user, and the type of value that other fields accept. \
      Fields have the same names as in 'configure --set'. The options are fetched once per step and cached for \
      --max-age.
      """,
      """
      After a device or a list is renamed in its service, stored settings still show the old name. With --refresh, \
      IFTTT first fetches the options from the service again and updates the stored names, which needs the service \
      key; nothing else in the settings changes.
      """,
      ConfigurationHelp.credentials,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .toggle(
        "refresh", into: \.refreshes, help: "Make IFTTT fetch the options again and update the names in stored settings"
      )
    ] + .lifted(CredentialOptions.flags, into: \.credentials)
  }
  static var positionals: [Positional<Options>] {
    [
      .required(.ownConnectionID, into: \.id, help: "The connection"),
      .many(
        .nonEmpty("FIELD", completion: .dynamic("field-address")), into: \.fields,
        help: "Only these fields, such as FEATURE.FIELD; default: all"),
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("connections options Kd7Rn2Qx", "show the options of every field"),
      ExampleSchema(
        "connections options Kd7Rn2Qx mw4tq9hzjc.scene -o jsonl", "list the options of one field, for a script"),
      ExampleSchema("connections options Kd7Rn2Qx --refresh", "update the names after a calendar was renamed"),
    ]
  }
  static var shape: OutputSchema? { .many(FieldOptionRow.self) }

  static func resolve(_ options: inout Options, in session: Session) throws {
    try session.resolve(&options.id.value, as: options.credentials)
  }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let access = try ConnectionAccess(
      options.id.value, options.credentials, changes: options.refreshes, in: session)
    if session.options.isDryRun { return session.dryRun(try requests(options, access)) }
    if options.refreshes { try refresh(access) }
    let connection = try session.network.isOffline ? access.cachedOrFail() : access.recent()
    let form = ConfigurationForm(connection, connection.userConnection ?? UserConnection())
    let entries = try shown(form, options.fields)
    let found = try access.options(
      entries.filter(\.kind.takesOptions).map(\.location.step), mayFetch: !session.network.isOffline)
    let failed = Set(found.failures.map(\.step))
    var output = Output.rows(
      entries.filter { !failed.contains($0.location.step) }.flatMap { $0.optionRows(found.known[$0.location.step]) })
    let failures = BatchFailures(of: Set(entries.map(\.location.step)).count)
    for (step, problem) in found.failures { failures.add(access.explained(problem, of: connection), of: step.typeID) }
    output.verdict = failures.evaluate
    return output
  }

  private static func refresh(_ access: ConnectionAccess) throws {
    do throws(APIError) { try access.client.refreshLabels(of: access.id).send() } catch {
      throw access.explained(Problem(error, subject: access.subject))
    }
    // The cached options have the old labels.
    try access.forgetOptions()
  }

  /// The named fields, including hidden ones; without names, all visible fields. The user features of one feature share
  /// their options, so only the fields of the first are returned.
  private static func shown(_ form: ConfigurationForm, _ names: [String]) throws -> [ConfigurationForm.Entry] {
    guard names.isEmpty else { return try names.map { try form.firstNamed($0) } }
    return form.entries.filter { $0.field.isHidden != true }.uniqued { entry in
      var location = entry.location
      location.instance = nil
      return location
    }
  }

  private static func requests(_ options: Options, _ access: ConnectionAccess) throws -> [Request] {
    let refresh = options.refreshes ? [access.client.refreshLabels(of: access.id).request] : []
    guard let connection = try access.cachedConnection() else {
      return refresh + [access.client.show(access.id).request]
    }
    let form = ConfigurationForm(connection, connection.userConnection ?? UserConnection())
    let steps = try shown(form, options.fields).filter(\.kind.takesOptions).map(\.location.step)
    let known = options.refreshes ? [:] : try access.options(steps, mayFetch: false).known
    return refresh
      + steps.filter { known[$0] == nil }.uniqued().map { access.client.fieldOptions($0, of: access.id).request }
  }
}

extension ConfigurationForm {
  /// Returns the same as ``named(_:)``, but accepts a field that several user features of one feature share.
  fileprivate func firstNamed(_ word: String) throws -> Entry {
    do throws(FieldAddressError) {
      return try entry(named: word)
    } catch .ambiguous(_, let meanings) {
      let entries = try meanings.map(named)
      guard let first = entries.first, entries.allSatisfy({ $0.location.isSameField(as: first.location) }) else {
        return try named(word)
      }
      return first
    } catch {
      return try named(word)
    }
  }
}

extension ConfigurationForm.FieldLocation {
  /// Whether both are the same field of the connection, regardless of the user feature.
  fileprivate func isSameField(as other: Self) -> Bool { step == other.step && field == other.field }
}

/// An option that a field of a connection accepts, or a field without options.
struct FieldOptionRow: OutputRecord {
  let entry: ConfigurationForm.Entry
  let option: FieldValue.Option?

  static let fields: Fields = [
    Field("field", "The address of the field, as --set accepts it", column: "FIELD", overflow: .fieldAddress) {
      $0.entry.address
    },
    Field("feature", "The feature's id") { $0.entry.location.step.featureID },
    Field("step", "The step that the field belongs to; null for a field of the feature") {
      $0.entry.location.step.kind == .feature ? nil : $0.entry.location.step.typeID
    },
    Field("field_label", "The field's label") { $0.entry.field.label },
    Field("type", "The field's type at IFTTT") { $0.entry.field.type },
    Field("accepts", "The values that the field accepts", column: "ACCEPTS") { $0.entry.kind.accepted },
    Field("group", "The group of the option", column: "GROUP") { $0.option?.group },
    Field("label", "The option's label", column: "LABEL") { $0.option?.label },
    Field("value", "The option's value", column: "VALUE", overflow: .keep) { $0.option?.value },
    Field("chosen", "Whether the stored configuration has this option", column: "CHOSEN") { $0.isChosen },
  ]

  private var isChosen: Bool {
    guard let option else { return false }
    switch FieldValue(entry.value) {
    case .option(let chosen): return chosen.value == option.value
    case .text(let text): return text == option.value
    case .options(let chosen): return chosen.contains { $0.value == option.value }
    case .location, .other, nil: return false
    }
  }
}

extension Column.Overflow {
  /// Elides the middle: an address starts with the feature and ends with the field, which identify it.
  static var fieldAddress: Column.Overflow { .elide(least: 30) }
}

extension ConfigurationForm.Entry {
  var kind: FieldKind { field.kind ?? .text }

  /// One row per option, or one row for a field without options.
  func optionRows(_ options: FieldOptions?) -> [FieldOptionRow] {
    let options = options?.options[location.field] ?? []
    guard !options.isEmpty else { return [FieldOptionRow(entry: self, option: nil)] }
    return options.map { FieldOptionRow(entry: self, option: $0) }
  }
}
