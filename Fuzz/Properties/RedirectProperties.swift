import HTTP
import Text

/// A redirect never sends a credential to another origin, never sends a change anywhere else, and never leads from
/// https to http.
///
/// The input is a `Location` header; its first byte selects the request and the status.
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
      status: statuses[Int(first >> 3) % statuses.count], headers: [HeaderField("Location", location)])
    let decision = Redirect.decide(request, response, followed: 0)
    guard decision == Redirect.decide(request, response, followed: 0) else {
      return "the decision differs between calls"
    }
    if case .reject(let why) = decision, why.utf8.contains(where: { $0 < 0x20 }) {
      return "the reason contains a control character"
    }
    guard case .follow(let next) = decision else { return nil }
    if case .follow = Redirect.decide(request, response, followed: Redirect.limit) { return "the redirects never end" }
    guard next.url.scheme == "https" else { return "it leads from https to \(next.url.scheme)" }
    guard next.method == method, next.body == request.body else { return "the method or body changed" }
    guard (try? WebURL(parsing: next.url.wire))?.wire == next.url.wire else { return "the target is not a valid URL" }
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
