import HTTP
import Secrets

/// A redirect never takes a credential to another origin, nor a change anywhere else, nor anything from https to http.
///
/// The input is a `Location`; its first byte picks the request and the status.
enum RedirectProperties {
  private static let secret = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"

  static func problem(in bytes: [UInt8]) -> String? {
    guard let first = bytes.first, let secret = Secret(parsing: Self.secret),
      let url = try? WebURL(parsing: "https://connect.ifttt.com/v2/connections/a/b?access_token=\(Self.secret)&x=1")
    else { return nil }
    var from = url
    from.query[0].isSecret = true
    let method = Method.allCases[Int(first) % Method.allCases.count]
    let statuses = [301, 302, 303, 307, 308, 300, 304]
    let request = Request(
      method, from,
      headers: [
        Header("Accept", "application/json"), Header("Authorization", prefix: "Bearer ", secret: secret),
        Header("Cookie", "plain"), Header("IFTTT-Invite-Code", secret: secret),
      ], isRepeatable: first < 0x80 ? nil : true)
    let location = String(decoding: bytes.dropFirst(), as: UTF8.self)
    let response = Response(
      status: statuses[Int(first >> 3) % statuses.count], headers: [Response.Field("Location", location)])
    let decision = Redirect.decide(request, response, followed: 0)
    guard decision == Redirect.decide(request, response, followed: 0) else {
      return "it is decided otherwise each time"
    }
    if case .refuse(let why) = decision, why.utf8.contains(where: { $0 < 0x20 }) { return "the reason holds a control" }
    guard case .follow(let next) = decision else { return nil }
    if case .follow = Redirect.decide(request, response, followed: Redirect.most) { return "it goes on for ever" }
    guard next.url.scheme == "https" else { return "it leads from https to \(next.url.scheme)" }
    guard next.method == method, next.body == request.body else { return "it is another request" }
    guard (try? WebURL(parsing: next.url.wire))?.wire == next.url.wire else { return "it leads to no URL" }
    if next.url.origin == from.origin {
      return next.url.redacted.utf8.elementsEqual(next.url.wire.utf8) && holds(next.url.query)
        ? "a secret is shown" : nil
    }
    guard method == .get || method == .head else { return "a \(method.rawValue) goes to another host" }
    guard next.secrets.isEmpty, next.header("Authorization") == nil, next.header("Cookie") == nil else {
      return "a credential's header goes to another host"
    }
    return holds(next.url.query) ? "a credential in the query goes to another host" : nil
  }

  private static func holds(_ query: [QueryItem]) -> Bool { query.contains { $0.value == secret } }
}
