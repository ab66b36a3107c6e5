package import HTTP
import JSON
import Text
package import World

/// The requests that a person lets a user or the service send to the emulator. Each is an ordinary request, so that the
/// endpoints have one implementation.
extension Emulator {
  /// `POST /v2/connections/{id}/enable` or `/disable` with the user's token. The response says whether it worked.
  package func toggleRequest(
    enables isEnabled: Bool, connection id: String, of userID: String
  ) throws(InspectionError) -> Request {
    let user = try inspectedUser(userID)
    var headers = [user.bearer]
    // An unpublished connection is visible only with the invite code.
    if let code = seed.inviteCode(of: user.service), seed.connection(id)?.connection.isPublished == false {
      headers.append(Header("IFTTT-Invite-Code", code))
    }
    return Self.post("/v2/connections/\(Percent.encode(id))/\(isEnabled ? "enable" : "disable")", headers)
  }

  /// `POST /v1/location_events` with an entry or an exit of the region of a trigger.
  package mutating func transitionRequest(
    isEntry: Bool, of selection: TriggerSelection, at now: Timestamp
  ) throws(InspectionError) -> Request {
    let trigger = try selectedTrigger(selection)
    guard let event = trigger.step.regionEvent else { throw .refused("This trigger has no region") }
    guard event.includes(isEntry: isEntry) else {
      throw .refused(isEntry ? "This trigger reports only exits" : "This trigger reports only entries")
    }
    let body: JSONValue = [
      [
        "record_id": .string(state.makeUUID()), "region_type": "geo", "occurred_at": .string(now.rfc3339),
        "event_type": isEntry ? "entry" : "exit", "channel_id": "941030000",
        "trigger_subscription_id": .string(trigger.configured.id), "installation_id": "sandbox",
      ]
    ]
    return Self.post("/v1/location_events", [trigger.user.bearer], body)
  }

  /// `POST /v1/notifications` with the key of the user's service, or of the first service.
  package func notificationRequest(about subject: PartnerNotification) throws(InspectionError) -> Request {
    let (item, service): (JSONValue, String?) =
      switch subject {
      case .user(let id): (["user_id": .string(id)], allUsers.first { $0.id == id }?.service)
      case .trigger(let identity): (["trigger_identity": .string(identity)], nil)
      }
    guard let partner = seed.partners.first(where: { $0.service == service }) ?? seed.partners.first else {
      throw .refused("No service of the fixtures has a key")
    }
    return Self.post(
      "/v1/notifications", [Header("IFTTT-Service-Key", partner.key)], ["data": .array([item])])
  }

  private static func post(_ path: String, _ headers: [Header], _ body: JSONValue? = nil) -> Request {
    let url = WebURL(scheme: "http", host: "127.0.0.1", port: nil, path: path, query: [])
    let type = body == nil ? [] : [Header("Content-Type", "application/json")]
    return Request(.post, url, headers: headers + type, body: body?.bytes)
  }
}

extension SandboxFixtures.User {
  fileprivate var bearer: Header { Header("Authorization", "Bearer \(userToken)") }
}

extension ReceivedRequest {
  /// The request as a server receives it, to respond to it and to record it.
  package init(_ request: Request) {
    let target = request.url.wire.utf8.dropFirst(request.url.origin.utf8.count)
    self.init(
      method: request.method.rawValue, target: String(Substring(target)),
      fields: request.headers.map { HeaderField($0.name, $0.wire) }, body: request.body ?? [])
  }
}
