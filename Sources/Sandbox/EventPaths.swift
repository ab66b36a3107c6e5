import HTTP

/// The paths of events that apps report (docs/api/events-and-privacy.md §1, docs/api/location.md §3).
extension Route {
  static let usagePaths: [ServedPath<Route>] = [
    ServedPath(
      "/v2/sdk/events", .events,
      [
        APIOperation(
          .post, "reportUsageEvents", "Report usage events", [.sdk], [.none], body: .required("UsageEvents"),
          [.empty("The events are accepted")] + .errors(400, 401, 422))
      ])
  ]

  static let locationPaths: [ServedPath<Route>] = [
    ServedPath(
      "/v1/location_events", .locationEvents,
      [
        APIOperation(
          .post, "reportLocationEvents", "Report entries to and exits from regions", [.sdk], [.userToken],
          body: .required("LocationEvents"), [.empty("The events are accepted")] + .errors(400, 401, 422))
      ])
  ]
}

/// The paths that partners' servers and other programs call (docs/api/service.md §9 and §11).
extension PartnerRoute {
  static let realtimePaths: [ServedPath<PartnerRoute>] = [
    ServedPath(
      "/v1/notifications", .notifications,
      [
        APIOperation(
          .post, "notify", "Notify IFTTT of users and trigger identities that have new events", [.documented],
          [.serviceKey], body: .required("Notifications"), [.json("Accepted")] + .errors(400, 401))
      ])
  ]

  static let webhookPaths = [webhookPath("", acceptsJSON: false), webhookPath("json/", acceptsJSON: true)]

  private static func webhookPath(_ form: String, acceptsJSON: Bool) -> ServedPath<PartnerRoute> {
    let title = acceptsJSON ? "JSONEvent" : "Event"
    let responses = [
      APIResponse(200, "OK", schema: "Congratulations", mediaType: "text/plain"),
      APIResponse(401, DescribedStatus.unauthorized, schema: "ServiceErrors"),
    ]
    return ServedPath(
      "/trigger/{event}/\(form)with/key/{key}", { .trigger(event: $0[0], key: $0[1], acceptsJSON: acceptsJSON) },
      [
        APIOperation(
          .get, "fire\(title)WithGet", "Fire an event", [.thirdParty], [.none],
          query: acceptsJSON ? [] : ["value1", "value2", "value3"], responses + .errors(400)),
        APIOperation(
          .post, "fire\(title)", "Fire an event with data", [.thirdParty], [.none],
          query: acceptsJSON ? [] : ["value1", "value2", "value3"],
          body: acceptsJSON ? .optional("AnyJSON") : .form("EventValues"), responses + .errors(400)),
      ])
  }
}
