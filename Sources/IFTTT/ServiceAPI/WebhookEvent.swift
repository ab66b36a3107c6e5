package import HTTP
import JSON
package import Text

/// The name of an event of the Webhooks service: letters, digits and underscores (docs/api/service.md §11).
package struct WebhookEventName: Sendable, Hashable, CustomStringConvertible {
  package let description: String

  package init?(parsing text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }) else { return nil }
    description = text
  }
}

/// An event of the Webhooks service, and the data that its Applets receive.
package struct WebhookEvent: Sendable {
  /// The two kinds of triggers. An event of one kind does not run Applets with a trigger of the other kind.
  package enum Kind: String, Sendable, CaseIterable { case values, json }

  package enum Content: Sendable {
    /// The ingredients Value1 to Value3; nil for a value that is not sent.
    case values([String?])
    /// Any JSON document, sent unchanged.
    case json([UInt8])
  }

  package let name: WebhookEventName
  package let content: Content

  package init(_ name: WebhookEventName, _ content: Content) { (self.name, self.content) = (name, content) }

  package var kind: Kind { if case .json = content { .json } else { .values } }

  /// The request that fires the event. It must never be sent twice: each accepted request is one event.
  package func request(to base: WebURL, key: Secret) -> Request {
    let event = base.appending("trigger", name.description)
    let url = (kind == .json ? event.appending("json") : event).appending("with", "key").appending(secret: key)
    let body = self.body
    var request = Request(
      .post, url, headers: body.isEmpty ? [] : [Header("Content-Type", "application/json")], body: body,
      isRepeatable: false)
    request.bodySecrets = [key]
    request.needsStatusAlone = true
    return request
  }

  /// Empty if there are no values, so that the request has no body.
  private var body: [UInt8] {
    switch content {
    case .json(let document): return document
    case .values(let values):
      let members = values.enumerated().compactMap { index, value in
        value.map { (key: "value\(index + 1)", value: JSONValue.string($0)) }
      }
      return members.isEmpty ? [] : JSONValue.object(JSONObject(members: members)).bytes
    }
  }
}
