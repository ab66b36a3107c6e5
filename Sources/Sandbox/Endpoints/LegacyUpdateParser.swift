import JSON

/// A parser for the deprecated update, which it applies to the current configuration. An update may only contain
/// fields of triggers, queries and actions.
struct LegacyUpdateParser {
  private(set) var features: [SandboxFixtures.UserFeature]
  private(set) var problems: [ErrorResponse.Detail] = []

  init(_ features: [SandboxFixtures.UserFeature]) { self.features = features }

  mutating func read(_ body: JSONObject) {
    for (key, value) in body.members where key != "user_id" {
      guard key == "services", let services = value.array else {
        refuse("/\(key)", "Only fields of triggers, queries and actions can be updated")
        continue
      }
      for (place, service) in services.enumerated() { read(service: service, at: "/services/\(place)") }
    }
  }

  private mutating func read(service: JSONValue, at path: String) {
    let slug = service["service_id"]?.string
    for (key, value) in service.object?.members ?? [] where key != "service_id" {
      guard let kind = StepKind(rawValue: key), let steps = value.array else {
        refuse("\(path)/\(key)", "Only fields of triggers, queries and actions can be updated")
        continue
      }
      for (place, step) in steps.enumerated() { read(step: step, kind, of: slug, at: "\(path)/\(key)/\(place)") }
    }
    if service.object == nil || slug == nil { refuse("\(path)/service_id", "Is missing") }
  }

  /// Read one step. The first of `user_triggers` updates the first configured instance of the step, and so on.
  private mutating func read(step: JSONValue, _ kind: StepKind, of service: String?, at path: String) {
    let key = "user_\(kind.rawValue)"
    let instances = features.indices.compactMap { place -> (feature: Int, step: Int)? in
      let steps = features[place].feature[keyPath: kind.ofFeature]
      let number = steps.firstIndex { $0.slug == step["id"]?.string && $0.service.slug == service }
      guard let number, features[place][keyPath: kind.ofUser][number] != nil else { return nil }
      return (place, number)
    }
    guard let updates = step[key]?.array, let members = step.object?.members,
      members.allSatisfy({ $0.key == "id" || $0.key == key })
    else { return refuse(path, "Must have only an id and \(key)") }
    guard updates.count <= instances.count else {
      return refuse("\(path)/id", "This user has \(instances.count) instances of this \(kind.word)")
    }
    for (place, update) in updates.enumerated() {
      guard let fields = update["fields"]?.array, update.object?.members.count == 1 else {
        refuse("\(path)/\(key)/\(place)", "Must have only fields")
        continue
      }
      for (number, field) in fields.enumerated() {
        put(field, kind, instances[place], at: "\(path)/\(key)/\(place)/fields/\(number)")
      }
    }
  }

  private mutating func put(
    _ json: JSONValue, _ kind: StepKind, _ place: (feature: Int, step: Int), at path: String
  ) {
    let fields = features[place.feature].feature[keyPath: kind.ofFeature][place.step].fields
    guard let number = fields.firstIndex(where: { $0.id == json["id"]?.string }), let value = json["value"] else {
      return refuse("\(path)/id", "Not a field of this step")
    }
    do throws(SandboxValueError) {
      features[place.feature][keyPath: kind.ofUser][place.step]?.values[number] = try fields[number].value(from: value)
    } catch {
      problems.append(.init(field: fields[number].id, error.message))
    }
  }

  private mutating func refuse(_ parameter: String, _ message: String) {
    problems.append(.init(parameter: parameter, message: message))
  }
}
