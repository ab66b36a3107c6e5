import HTTP
package import JSON

extension Emulator {
  /// The description of what the emulator serves to programs, in OpenAPI 3.1. Its examples are responses of an emulator
  /// with the same seed.
  ///
  /// - Parameter version: The version of the program.
  package func description(version: String) -> JSONValue {
    let groups = Self.describedGroups
    return APIDocument(
      title: "IFTTT, as the sandbox emulates it", description: Self.notes, version: version, groups,
      components: Self.components,
      examples: DescriptionExamples(Emulator(state: emptyState, seed: seed)).all(of: groups)
    ).json
  }

  private var emptyState: SandboxState { SandboxState(state.builtInSeed) }

  /// The paths that the routes are found by, in groups.
  static var describedGroups: [APIDocument.Group] {
    func group<Route>(_ name: String, _ summary: String, _ host: String, _ paths: [ServedPath<Route>])
      -> APIDocument.Group
    {
      APIDocument.Group(name, summary, server: "https://\(host)", paths.map(\.description))
    }
    return [
      group("Connect API", "Connections and users (version 2)", "connect.ifttt.com", Route.connectPaths),
      group("Usage events", "Events of the Connect Button", "connect.ifttt.com", Route.usagePaths),
      group("Location events", "Entries to and exits from regions", "connectapi.ifttt.com", Route.locationPaths),
      group("Applets API", "The older API (version 1)", "api.ifttt.com", Route.appletPaths),
      group("Realtime API", "Notifications of new events", "realtime.ifttt.com", PartnerRoute.realtimePaths),
      group("Webhooks", "Events of the Webhooks service", "maker.ifttt.com", PartnerRoute.webhookPaths),
    ]
  }

  private static let notes = """
    The endpoints of IFTTT that the sandbox serves, with its own responses as examples. If the real response is not \
    known, a response has the header `X-Emulator-Assumption`. Each operation has its certainty in `x-certainty`: SDK \
    (an official client does it), DOC (IFTTT's documentation), REPO (other code that IFTTT published), 3P (other \
    sources), or DECISION (of the emulator). Each GET also answers HEAD. Any other method gets 405. IFTTT \
    adds members to objects at any time, so ignore those that you do not know.
    """

  private static var components: JSONObject {
    [
      "securitySchemes": APIDocument.parsed(MessageSchemas.securitySchemes),
      "parameters": APIParameter.components(MessageSchemas.parameters),
      "responses": APIDocument.parsed(MessageSchemas.serverResponses),
      "schemas": .object(
        JSONObject(
          members: [
            ConnectionSchemas.document, MessageSchemas.responses, RequestSchemas.document, EventSchemas.document,
          ].flatMap { APIDocument.parsed($0).object?.members ?? [] })),
    ]
  }
}

/// Parts of the description that are written as JSON.
enum ComponentText {
  /// The elements of a JSON array.
  static func elements(_ names: [String]) -> String {
    names.map { JSONValue.string($0).text }.joined(separator: ", ")
  }
}
