import HTTP
import World

/// An endpoint of the hosts that are called by partners' servers and by programs, not by clients of the Connect API:
/// the Realtime API and the Webhooks service (reference: service-api.md, sections 9 and 11).
enum PartnerRoute: Equatable {
  case notifications
  /// An event of the Webhooks service, with three values or with any JSON.
  case trigger(event: String, key: String, takesJSON: Bool)

  /// The endpoint for a URL, or nil if the URL belongs to another part of IFTTT.
  init?(of url: WebURL) {
    let (isRealtime, isMaker) = (url.host == "realtime.ifttt.com", url.host == "maker.ifttt.com")
    // Every other name of IFTTT serves something else; any other host serves everything.
    guard isRealtime || isMaker || !(url.host == "ifttt.com" || url.host.hasSuffix(".ifttt.com")) else { return nil }
    if url.path == "/v1/notifications" {
      guard !isMaker else { return nil }
      self = .notifications
      return
    }
    guard !isRealtime, url.path.utf8.starts(with: "/trigger/".utf8), let path = try? pathSegments(of: url) else {
      return nil
    }
    switch path.count {
    case 5 where path[2...3] == ["with", "key"]: self = .trigger(event: path[1], key: path[4], takesJSON: false)
    case 6 where path[2...4] == ["json", "with", "key"]: self = .trigger(event: path[1], key: path[5], takesJSON: true)
    default: return nil
    }
  }

  private var methods: [Method] {
    switch self {
    case .notifications: [.post]
    case .trigger: [.get, .head, .post]
    }
  }

  func check(_ method: Method) throws(ErrorResponse) {
    guard methods.contains(method) else {
      throw .wrongMethod(allowed: methods.map(\.rawValue).joined(separator: ", "))
    }
  }
}

extension Emulator {
  mutating func reply(
    to request: Request, at route: PartnerRoute, _ now: Timestamp
  ) throws(ErrorResponse) -> EmulatorResponse {
    try route.check(request.method)
    switch route {
    case .notifications: return try receive(notifications: request, at: now)
    case .trigger(let event, let key, let takesJSON):
      return try fire(event, key: key, takesJSON: takesJSON, request)
    }
  }
}
