package import HTTP

/// A webhook that IFTTT would POST to a partner's service. The emulator has no URL for the service; its host displays
/// or sends the webhook.
package struct Webhook: Sendable, Equatable {
  /// The slug of the receiving service.
  package let service: String
  /// The path below the service's API URL prefix.
  package let path: String
  package let headers: [Header]
  package let body: [UInt8]
}
