package import HTTP

/// What IFTTT would POST to a partner's service. The emulator knows no address of one; whoever runs it shows or sends it.
package struct Webhook: Sendable, Equatable {
  /// The slug of the service it is for.
  package let service: String
  /// Below the service's API URL prefix.
  package let path: String
  package let headers: [Header]
  package let body: [UInt8]
}
