import HTTP

/// The paths of the Connect API (docs/api/connect.md §6).
extension Route {
  static let connectPaths = identityPaths + connectionPaths + optionPaths + stepPaths

  private static let identityPaths: [ServedPath<Route>] = [
    ServedPath(
      "/v2/me", .me,
      [
        APIOperation(
          .get, "showIdentity", "Show the service and the user of the credentials", [.documented, .sdk],
          [.none, .serviceKey, .userToken], query: ["user_id"], [.json("Identity")] + .errors(400, 401, 403))
      ]),
    ServedPath(
      "/v2/user_token", .userToken(service: nil),
      [
        APIOperation(
          .post, "exchangeToken", "Exchange a user's access token of the service for a user token", [.sdk],
          [.serviceKey], query: ["user_id", "access_token"], body: .optional("AccessTokenBody"),
          [.json("UserToken")] + .errors(400, 401, 403))
      ]),
    ServedPath(
      "/v2/account/find", .findAccount,
      [
        APIOperation(
          .get, "findAccount", "Check whether an IFTTT account has an email address", [.sdk], [.none],
          query: ["email"], [.empty("The account exists")] + .errors(400, 401, 404))
      ]),
    ServedPath(
      "/v2/provisional_access_code", .provisionalCode,
      [
        APIOperation(
          .post, "createProvisionalAccessCode", "Create a code that stands for an OAuth code of the service",
          [.documented], [.serviceKey], body: .required("OAuthCodeBody"),
          [.json("ProvisionalAccessCode", 201)] + .errors(400, 401, 403))
      ]),
  ]

  private static let connectionPaths: [ServedPath<Route>] = [
    ServedPath(
      "/v2/connections/{connection_id}", { .connection($0[0]) },
      [
        APIOperation(
          .get, "showConnection", "Show a connection", [.documented, .sdk], [.none, .serviceKey, .userToken],
          query: ["user_id"], [.json("Connection")] + .errors(400, 401, 403, 404)),
        APIOperation(
          .post, "updateConnection", "Update the fields of steps (deprecated)", [.documented, .sdk],
          [.serviceKey, .userToken], query: ["user_id"], body: .required("FieldUpdateBody"),
          [.json("Connection")] + .errors(400, 401, 403, 404, 422, 502)),
      ]),
    turnPath(.enable, "Enable a connection that the user has disabled"),
    turnPath(.disable, "Disable a connection"),
    ServedPath(
      "/v2/connections/{connection_id}/user_connection", { .userConnection($0[0]) },
      [
        APIOperation(
          .put, "replaceConfiguration", "Replace the whole configuration of a user", [.documented],
          [.serviceKey, .userToken], query: ["user_id"], body: .required("ConfigurationBody"),
          [.json("Connection")] + .errors(400, 401, 403, 404, 422, 502))
      ]),
    ServedPath(
      "/v2/connections/{connection_id}/user_connection/refresh", { .refresh($0[0]) },
      [
        APIOperation(
          .post, "refreshLabels", "Update the labels of the chosen options", [.documented], [.serviceKey, .userToken],
          query: ["user_id"], [.empty("The labels are current")] + .errors(400, 401, 403, 404, 502))
      ]),
  ]

  private static func turnPath(_ turn: Toggle, _ summary: String) -> ServedPath<Route> {
    // Only enabling fails for a pending connection.
    let errors = turn == .enable ? [400, 401, 403, 404, 422] : [400, 401, 403, 404]
    return ServedPath(
      "/v2/connections/{connection_id}/\(turn.rawValue)", { .turnConnection($0[0], turn) },
      [
        APIOperation(
          .post, "\(turn.rawValue)Connection", summary, [.sdk], [.userToken],
          [.json("Connection")] + .errors(errors))
      ])
  }

  private static let optionPaths: [ServedPath<Route>] =
    [
      optionPath("features/{feature_id}", "Feature", [.documented]) { .fieldOptions($0[0], .feature($0[1])) }
    ]
    + StepKind.allCases.flatMap { kind in
      let step = "\(kind.rawValue)/{\(kind.word)}"
      return [
        optionPath(step, kind.title, [.documented]) { .fieldOptions($0[0], .step(kind, $0[1], in: nil)) },
        optionPath("features/{feature_id}/\(step)", "Feature\(kind.title)", [.sdk]) {
          .fieldOptions($0[0], .step(kind, $0[2], in: $0[1]))
        },
      ]
    }

  private static func optionPath(
    _ owner: String, _ subject: String, _ certainty: [APIOperation.Certainty],
    _ route: @escaping @Sendable ([String]) -> Route
  ) -> ServedPath<Route> {
    ServedPath(
      "/v2/connections/{connection_id}/\(owner)/field_options", route,
      [
        APIOperation(
          .get, "list\(subject)Options", "List the options of all fields", certainty, [.serviceKey, .userToken],
          query: ["user_id"], [.json("FieldOptions")] + .errors(400, 401, 403, 404, 502))
      ])
  }

  private static let stepPaths: [ServedPath<Route>] = [
    ServedPath(
      "/v2/connections/{connection_id}/actions/{action}/run", { .run($0[1], $0[0]) },
      [
        APIOperation(
          .post, "runAction", "Run an action", [.documented], [.serviceKey, .userToken], query: ["user_id"],
          body: .optional("StepBody"), [.empty("The action ran")] + .errors(400, 401, 403, 404, 422, 502))
      ]),
    ServedPath(
      "/v2/connections/{connection_id}/queries/{query}/perform", { .perform($0[1], $0[0]) },
      [
        APIOperation(
          .post, "performQuery", "Perform a query, and return one page of its rows", [.documented],
          [.serviceKey, .userToken], query: ["user_id"], body: .optional("QueryBody"),
          [.json("QueryPage")] + .errors(400, 401, 403, 404, 422, 502))
      ]),
    ServedPath(
      "/v2/connections/{connection_id}/triggers/{trigger}/test", { .test($0[1], $0[0]) },
      [
        APIOperation(
          .post, "testTrigger", "Send the service a webhook of a trigger that fired", [.documented],
          [.serviceKey, .userToken], query: ["user_id"], body: .optional("TriggerBody"),
          [.empty("The webhook is on its way")] + .errors(400, 401, 403, 404, 422))
      ]),
  ]
}

extension StepKind {
  /// The singular with a capital letter.
  var title: String {
    switch self {
    case .triggers: "Trigger"
    case .queries: "Query"
    case .actions: "Action"
    }
  }
}
