import HTTP

/// The paths of the older API (docs/api/applets.md §1).
extension Route {
  static let appletPaths: [ServedPath<Route>] = [
    ServedPath(
      "/v1/services/{service_id}/applets", { .applets(of: $0[0]) },
      [
        APIOperation(
          .get, "listApplets", "List the Applets of a service", [.sdk], [.none, .serviceKey, .userToken],
          query: ["order", "platform", "user_id"], [.json("AppletList")] + .olderErrors(400, 401, 403, 404))
      ]),
    ServedPath(
      "/v1/services/{service_id}/applets/{applet_id}", { .applet($0[1], of: $0[0]) },
      [
        APIOperation(
          .get, "showApplet", "Show an Applet", [.sdk], [.none, .serviceKey, .userToken], query: ["user_id"],
          [.json("Applet")] + .olderErrors(400, 401, 403, 404))
      ]),
    turnPath(.enable, "Enable an Applet that the user has disabled"),
    turnPath(.disable, "Disable an Applet"),
    ServedPath(
      "/v1/services/{service_id}/user_token", { .userToken(service: $0[0]) },
      [
        APIOperation(
          .post, "exchangeServiceToken", "Exchange a user's access token of the service for a user token",
          [.sdk, .published], [.serviceKey], body: .required("TokenExchangeBody"),
          [.json("UserToken")] + .olderErrors(400, 401, 403))
      ]),
    ServedPath(
      "/v1/me", .me,
      [
        APIOperation(
          .get, "showAppletIdentity", "Show the service and the user of the credentials", [.sdk],
          [.none, .serviceKey, .userToken], query: ["user_id"],
          [.json("AppletIdentity")] + .olderErrors(400, 401, 403))
      ]),
    ServedPath(
      "/v1/account/find", .findAccount,
      [
        APIOperation(
          .get, "findAppletAccount", "Check whether an IFTTT account has an email address", [.sdk], [.none],
          query: ["email"], [.empty("The account exists")] + .olderErrors(400, 401, 404))
      ]),
  ]

  private static func turnPath(_ turn: Toggle, _ summary: String) -> ServedPath<Route> {
    ServedPath(
      "/v1/services/{service_id}/applets/{applet_id}/\(turn.rawValue)", { .turnApplet($0[1], of: $0[0], turn) },
      [
        APIOperation(
          .post, "\(turn.rawValue)Applet", summary, [.sdk], [.serviceKey, .userToken], body: .optional("UserBody"),
          [.json("Applet")] + .olderErrors(400, 401, 403, 404))
      ])
  }
}
