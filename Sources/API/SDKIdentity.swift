package import HTTP
package import Secrets

/// What a client of IFTTT's may say of itself with every call: its version, what it runs on, and a random id of the
/// installation (reference: connect-api.md, section 4).
///
/// Nothing needs it (C27), so it is sent only while the user has usage events switched on.
package struct SDKIdentity: Sendable, Equatable {
  package let version: String
  /// A secret, though it opens nothing: so it is masked in traces and stays behind at a redirect to another host.
  package let anonymousID: Secret

  package init(version: String, anonymousID: Secret) {
    (self.version, self.anonymousID) = (version, anonymousID)
  }

  /// Of this program, wherever it names one.
  package static var platform: String { APIAssumptions.platform }

  package var headers: [Header] {
    [
      Header("IFTTT-SDK-Version", version), Header("IFTTT-SDK-Platform", Self.platform),
      Header("IFTTT-SDK-Anonymous-Id", secret: anonymousID),
    ]
  }
}
