import HTTP
import JSON
import Text
import World

/// The page at `/connections/{id}/edit?user_id={id}`, on which a user changes a configuration.
extension Emulator {
  /// - Parameter target: The path and query as received, if the request came over the network.
  mutating func editConfiguration(
    _ id: String, of userID: String, _ request: Request, target: String?
  ) throws(WebPageError) -> EmulatorResponse {
    guard let seeded = seed.connection(id), let service = seeded.connection.services.first?.slug,
      let user = user(userID, of: service)
    else { throw .notFound }
    guard status(of: user, in: seeded) == .enabled else {
      throw WebPageError(
        status: 409, heading: "The connection is not enabled", text: "Only its users have a configuration.")
    }
    let stored = configuration(of: user, in: seeded)
    var visit = try Visit(.edit, seeded, request, target: target, web)
    visit.subject = try withCurrentOptions(seeded, for: user, areShown: request.method == .post)
    guard request.method == .post else {
      visit.form = ConfigurationScreenForm.items(of: stored.features, among: visit.subject.connection.features)
      return pages.editPage(visit, user, errors: [:]).response
    }
    var reader = ConfigurationScreenForm.Reader(visit)
    let features = reader.features { state.makeUUID() }.map { $0.continuing(stored.features) }
    var errors = reader.errors
    if errors.isEmpty { errors = rejections(of: features, in: seeded, for: user) }
    guard errors.isEmpty else { return pages.editPage(visit, user, errors: errors).response }
    set(.init(features: features), of: user, in: seeded)
    return .redirect(to: "/connections/\(Percent.encode(id))/edit?user_id=\(Percent.encode(userID))&saved=1")
  }
}

extension Emulator {
  /// The errors of values that the partner's server rejects, by the names of their inputs.
  mutating func rejections(
    of features: [SandboxFixtures.UserFeature], in seeded: SeededConnection, for user: SandboxFixtures.User?
  ) -> [String: String] {
    let rejected: [RejectedValue]
    do throws(ErrorResponse) {
      rejected = try rejectedValues(of: features, in: seeded.connection.id, for: user)
    } catch {
      return [ConfigurationScreenForm.switchName(0): error.message]
    }
    var errors: [String: String] = [:]
    for value in rejected {
      let id = features[value.feature].feature.id
      guard let index = seeded.connection.features.firstIndex(where: { $0.id == id }) else { continue }
      let part = ConfigurationScreenForm.part(.triggers, value.trigger)
      errors[ConfigurationScreenForm.name(index, part, value.field)] = value.message
    }
    return errors
  }
}

extension ConfigurationScreenForm {
  /// The inputs of a form with the values of a configuration.
  static func items(
    of configured: [SandboxFixtures.UserFeature], among features: [SandboxFixtures.Feature]
  ) -> [QueryItem] {
    features.enumerated().flatMap { index, feature -> [QueryItem] in
      // The first input shows that the form is filled, even if every feature is off.
      let mark = QueryItem("\(prefix)\(index)", "shown")
      guard let user = configured.first(where: { $0.feature.id == feature.id }), user.isEnabled else { return [mark] }
      let steps = StepKind.allCases.flatMap { kind in
        user[keyPath: kind.ofUser].enumerated().flatMap { number, step in
          items(step?.values ?? [], index, part(kind, number))
        }
      }
      return [mark, QueryItem(switchName(index), "on")] + items(user.values, index, "fields") + steps
    }
  }

  private static func items(_ values: [SandboxFixtures.Value?], _ feature: Int, _ part: String) -> [QueryItem] {
    values.enumerated().flatMap { items(of: $1, name(feature, part, $0)) }
  }

  /// The inputs of one value.
  fileprivate static func items(of value: SandboxFixtures.Value?, _ name: String) -> [QueryItem] {
    switch value {
    case nil: return []
    case .text(let text): return [QueryItem(name, text)]
    case .option(let value, _, _): return [QueryItem(name, value)]
    case .options(let options): return options.map { QueryItem(name, $0.value) }
    case .location:
      return ["lat", "lng", "radius", "address"].compactMap { key in
        let part = value?.json[key]
        return (part?.string ?? part?.number?.text).map { QueryItem("\(name).\(key)", $0) }
      }
    }
  }
}

extension SandboxFixtures.UserFeature {
  /// The feature with the ids of the stored one, because triggers are known by them, and with the stored form of each
  /// value that the form did not change: it does not show all of a value.
  fileprivate func continuing(_ stored: [SandboxFixtures.UserFeature]) -> SandboxFixtures.UserFeature {
    guard let old = stored.first(where: { $0.feature.id == feature.id }) else { return self }
    var kept = SandboxFixtures.UserFeature(
      id: old.id, feature: feature, values: Self.values(values, stored: old.values, of: feature.fields))
    for kind in StepKind.allCases {
      let oldSteps = old[keyPath: kind.ofUser]
      kept[keyPath: kind.ofUser] = zip(feature[keyPath: kind.ofFeature], self[keyPath: kind.ofUser]).enumerated().map {
        number, pair in
        guard let step = pair.1, oldSteps.indices.contains(number), let oldStep = oldSteps[number] else {
          return pair.1
        }
        return SandboxFixtures.UserStep(
          oldStep.id, values: Self.values(step.values, stored: oldStep.values, of: pair.0.fields))
      }
    }
    return kept
  }

  private static func values(
    _ new: [SandboxFixtures.Value?], stored: [SandboxFixtures.Value?], of fields: [SandboxFixtures.Field]
  ) -> [SandboxFixtures.Value?] {
    new.enumerated().map { index, value in
      guard stored.indices.contains(index), fields.indices.contains(index) else { return value }
      let isKept = fields[index].isHidden || inputs(value) == inputs(stored[index])
      return isKept ? stored[index] : value
    }
  }

  /// What the form shows of a value.
  private static func inputs(_ value: SandboxFixtures.Value?) -> [String] {
    ConfigurationScreenForm.items(of: value, "").map { "\($0.name)=\(HTML.visible($0.value))" }
  }
}

extension WebPages {
  func editPage(_ visit: Visit, _ user: SandboxFixtures.User, errors: [String: String]) -> WebPage {
    let saved: HTML? = visit.value("saved") != nil && errors.isEmpty ? "<p><strong>Saved.</strong></p>" : nil
    return WebPage(
      title: visit.subject.connection.name,
      body: """
        <section class="card">\(heading(visit.subject.connection))\
        <p>\(.name(user.name ?? user.login)) (\(.name(user.id)))</p></section>
        <section class="card">\(saved)<form method="post" action="\(visit.target)">\
        \(FormInputs(visit: visit, errors: errors).all)<div class="go"><button id="go">Save</button></div></form></section>
        """)
  }
}
