import JSON

/// A parser for a complete new configuration in a request. It collects all errors.
struct ConfigurationParser {
  let connection: SandboxFixtures.Connection
  /// The current configuration. Matching instances keep their ids.
  let before: [SandboxFixtures.UserFeature]
  private(set) var problems: [ErrorResponse.Detail] = []
  /// Whether two instances of one feature were matched by their order alone (docs/api/connect.md U16).
  private(set) var guessedByOrder = false
  private var matchedIDs: Set<String> = []

  init(_ connection: SandboxFixtures.Connection, before: [SandboxFixtures.UserFeature]) {
    (self.connection, self.before) = (connection, before)
  }

  /// - Parameter newID: Generates the id of a new instance or step.
  mutating func features(in body: JSONObject, newID: () -> String) -> [SandboxFixtures.UserFeature] {
    guard let elements = body["user_features"]?.array else {
      reject("/user_features", "Must be an array")
      return []
    }
    let known = Set(before.map(\.id))
    matchedIDs = Set(elements.compactMap { $0["id"]?.string }.filter(known.contains))
    var features: [SandboxFixtures.UserFeature] = []
    for (index, element) in elements.enumerated() {
      if let feature = feature(element, at: "/user_features/\(index)", newID) { features.append(feature) }
    }
    for (index, id) in elements.map({ $0["id"]?.string }).enumerated() {
      guard let id, known.contains(id), elements[..<index].contains(where: { $0["id"]?.string == id }) else { continue }
      reject("/user_features/\(index)/id", "Appears twice")
    }
    return features
  }

  private mutating func feature(
    _ json: JSONValue, at path: String, _ newID: () -> String
  ) -> SandboxFixtures.UserFeature? {
    guard let id = json["feature_id"]?.string, let feature = connection.features.first(where: { $0.id == id }) else {
      reject("\(path)/feature_id", "Not a feature of this connection")
      return nil
    }
    if json["enabled"] != nil, json["enabled"]?.bool == nil { reject("\(path)/enabled", "Must be true or false") }
    let old = previous(json["id"]?.string, feature)
    var userFeature = SandboxFixtures.UserFeature(
      id: old?.id ?? newID(), feature: feature, isEnabled: json["enabled"]?.bool ?? true)
    let isComplete = userFeature.isEnabled
    userFeature.values = values(json, of: feature.fields, at: path, isComplete: isComplete)
    for kind in StepKind.allCases {
      userFeature[keyPath: kind.ofUser] = steps(
        json, kind, of: feature, old?[keyPath: kind.ofUser] ?? [], at: path, isComplete: isComplete, newID)
    }
    return userFeature
  }

  /// Returns the instance with this id; otherwise, the next instance of the feature that no other element names
  /// (docs/api/connect.md U16).
  private mutating func previous(_ id: String?, _ feature: SandboxFixtures.Feature) -> SandboxFixtures.UserFeature? {
    if let id, let named = before.first(where: { $0.id == id && $0.feature.id == feature.id }) { return named }
    let instances = before.filter { $0.feature.id == feature.id }
    if instances.count > 1 { guessedByOrder = true }
    guard let next = instances.first(where: { !matchedIDs.contains($0.id) }) else { return nil }
    matchedIDs.insert(next.id)
    return next
  }

  private mutating func steps(
    _ json: JSONValue, _ kind: StepKind, of feature: SandboxFixtures.Feature, _ old: [SandboxFixtures.UserStep?],
    at path: String, isComplete: Bool, _ newID: () -> String
  ) -> [SandboxFixtures.UserStep?] {
    let steps = feature[keyPath: kind.ofFeature]
    var userSteps = [SandboxFixtures.UserStep?](repeating: nil, count: steps.count)
    let path = "\(path)/user_feature_\(kind.rawValue)"
    for (index, element) in array(json["user_feature_\(kind.rawValue)"], at: path).enumerated() {
      let key = "feature_\(kind.word)_id"
      guard let number = steps.firstIndex(where: { $0.id == element[key]?.string }), userSteps[number] == nil else {
        reject("\(path)/\(index)/\(key)", "Not a \(kind.word) of this feature, or a duplicate")
        continue
      }
      userSteps[number] = SandboxFixtures.UserStep(
        (old.indices.contains(number) ? old[number]?.id : nil) ?? newID(),
        values: values(element, of: steps[number].fields, at: "\(path)/\(index)", isComplete: isComplete))
    }
    if isComplete {
      for (step, configured) in zip(steps, userSteps)
      where configured == nil && step.fields.contains(where: \.isRequired) {
        reject(path, "\(step.id) is missing but has required fields")
      }
    }
    return userSteps
  }

  private mutating func values(
    _ json: JSONValue, of fields: [SandboxFixtures.Field], at path: String, isComplete: Bool
  ) -> [SandboxFixtures.Value?] {
    var values = [SandboxFixtures.Value?](repeating: nil, count: fields.count)
    var rejected: Set<Int> = []
    let path = "\(path)/user_fields"
    for (index, element) in array(json["user_fields"], at: path).enumerated() {
      guard let number = fields.firstIndex(where: { $0.id == element["field_id"]?.string }) else {
        reject("\(path)/\(index)/field_id", "Not a field of this feature or step")
        continue
      }
      do throws(SandboxValueError) {
        values[number] = try fields[number].value(from: element["value"] ?? .null)
      } catch {
        rejected.insert(number)
        problems.append(.init(field: fields[number].id, error.message))
      }
    }
    for (number, field) in fields.enumerated()
    where isComplete && field.isRequired && values[number] == nil && !rejected.contains(number) {
      problems.append(.init(field: field.id, "Is required"))
    }
    return values
  }

  /// The elements of an array; empty if it is missing.
  private mutating func array(_ json: JSONValue?, at path: String) -> [JSONValue] {
    if json != nil, json?.isNull == false, json?.array == nil { reject(path, "Must be an array") }
    return json?.array ?? []
  }

  private mutating func reject(_ parameter: String, _ message: String) {
    problems.append(.init(parameter: parameter, message: message))
  }
}

extension ErrorResponse.Detail {
  /// The documented form for a field, `/fields/<id>`, with the id escaped as in RFC 6901.
  init(field id: String, _ message: String) {
    let escaped = id.flatMap { character -> [Character] in
      switch character {
      case "~": ["~", "0"]
      case "/": ["~", "1"]
      default: [character]
      }
    }
    self.init(parameter: "/fields/\(String(escaped))", message: message)
  }
}

/// A parser for the deprecated update, which it applies to the current configuration. An update may only contain
/// fields of triggers, queries and actions.
struct LegacyUpdateParser {
  private(set) var features: [SandboxFixtures.UserFeature]
  private(set) var problems: [ErrorResponse.Detail] = []

  init(_ features: [SandboxFixtures.UserFeature]) { self.features = features }

  mutating func read(_ body: JSONObject) {
    for (key, value) in body.members where key != "user_id" {
      guard key == "services", let services = value.array else {
        reject("/\(key)", "Only fields of triggers, queries and actions can be updated")
        continue
      }
      for (index, service) in services.enumerated() { read(service: service, at: "/services/\(index)") }
    }
  }

  private mutating func read(service: JSONValue, at path: String) {
    let slug = service["service_id"]?.string
    for (key, value) in service.object?.members ?? [] where key != "service_id" {
      guard let kind = StepKind(rawValue: key), let steps = value.array else {
        reject("\(path)/\(key)", "Only fields of triggers, queries and actions can be updated")
        continue
      }
      for (index, step) in steps.enumerated() { read(step: step, kind, of: slug, at: "\(path)/\(key)/\(index)") }
    }
    if service.object == nil || slug == nil { reject("\(path)/service_id", "Is missing") }
  }

  /// Read one step. The first of `user_triggers` updates the first configured instance of the step, and so on.
  private mutating func read(step: JSONValue, _ kind: StepKind, of service: String?, at path: String) {
    let key = "user_\(kind.rawValue)"
    let instances = features.indices.compactMap { index -> (feature: Int, step: Int)? in
      let steps = features[index].feature[keyPath: kind.ofFeature]
      let number = steps.firstIndex { $0.slug == step["id"]?.string && $0.service.slug == service }
      guard let number, features[index][keyPath: kind.ofUser][number] != nil else { return nil }
      return (index, number)
    }
    guard let updates = step[key]?.array, let members = step.object?.members,
      members.allSatisfy({ $0.key == "id" || $0.key == key })
    else { return reject(path, "Must have only an id and \(key)") }
    guard updates.count <= instances.count else {
      return reject("\(path)/id", "This user has \(instances.count) instances of this \(kind.word)")
    }
    for (index, update) in updates.enumerated() {
      guard let fields = update["fields"]?.array, update.object?.members.count == 1 else {
        reject("\(path)/\(key)/\(index)", "Must have only fields")
        continue
      }
      for (number, field) in fields.enumerated() {
        put(field, kind, instances[index], at: "\(path)/\(key)/\(index)/fields/\(number)")
      }
    }
  }

  private mutating func put(
    _ json: JSONValue, _ kind: StepKind, _ position: (feature: Int, step: Int), at path: String
  ) {
    let fields = features[position.feature].feature[keyPath: kind.ofFeature][position.step].fields
    guard let number = fields.firstIndex(where: { $0.id == json["id"]?.string }), let value = json["value"] else {
      return reject("\(path)/id", "Not a field of this step")
    }
    do throws(SandboxValueError) {
      features[position.feature][keyPath: kind.ofUser][position.step]?.values[number] = try fields[number].value(
        from: value)
    } catch {
      problems.append(.init(field: fields[number].id, error.message))
    }
  }

  private mutating func reject(_ parameter: String, _ message: String) {
    problems.append(.init(parameter: parameter, message: message))
  }
}
