package import HTTP
import JSON

/// The request that sends usage events to IFTTT (reference: events-and-privacy.md, section 1).
package struct UsageUpload {
  /// The maximum number of events per request, as on iOS.
  package static let most = 10

  private let base: WebURL
  private let identity: SDKIdentity

  /// - Parameter base: the base URL of the Connect API, without the version segment.
  package init(base: WebURL, identity: SDKIdentity) { (self.base, self.identity) = (base, identity) }

  /// POST /v2/sdk/events, without credentials.
  /// - Parameter events: each a JSON object, the oldest first.
  package func request(_ events: [[UInt8]]) -> Request {
    let template = RequestTemplate(base: base, authentication: .anonymous, inviteCode: nil, identity: identity)
    var writer = JSONWriter()
    writer.beginObject()
    writer.members("events", events) { event, writer in writer.raw(event) }
    writer.endObject()
    let url = base.appending(ConnectAssumptions.eventsPath)
    return Request(
      .post, url, headers: template.headers + [Header("Content-Type", "application/json")], body: writer.bytes,
      isRepeatable: false)
  }
}
