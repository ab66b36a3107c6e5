package import HTTP
import Text

/// A registered client and its service: complete settings.
package struct GrabClient: Sendable {
  package let settings: GrabSettings
  package let id: String
  package let discoveryURL: WebURL
  /// The pinned issuer, which the service's metadata and every token must name.
  package let issuer: String
  package let scope: Scope

  init(_ settings: GrabSettings) throws(GrabError) {
    guard let id = settings.clientID, !id.isEmpty else {
      throw GrabError(
        .noClientID, "no client id is set",
        hint:
          "Pass --client-id, set IFTTT_GRAB_CLIENT_ID, or read it from an app with --from-plist or --from-manifest.",
        in: .loadConfiguration)
    }
    // VSCHAR of RFC 6749 Appendix A.1.
    guard id.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw GrabError(.badSetting, "the client id contains an invalid character")
    }
    let text = settings.discoveryURL ?? GrabEnvironment.production.discoveryURL
    do { discoveryURL = try WebURL(parsing: text) } catch {
      throw GrabError(
        .badDiscoveryURL, "the discovery URL cannot be used: \(error)",
        hint: "Pass --discovery-url or --environment production|staging.", in: .serviceDiscovery)
    }
    guard let issuer = settings.issuer ?? GrabEnvironment.issuer(of: text), !issuer.isEmpty else {
      throw GrabError(
        .badSetting, "no issuer is known for this discovery URL",
        hint: "Pass --issuer with the exact issuer of the service's tokens.")
    }
    self.id = id
    self.issuer = issuer
    scope = settings.scope ?? .standard
    self.settings = settings
  }

  /// `production`, `staging`, or the host of another service.
  package var environmentName: String { GrabEnvironment.named(by: discoveryURL.wire)?.rawValue ?? discoveryURL.host }

  package var algorithms: Set<SignatureAlgorithm> {
    SignatureAlgorithm.allowedByDefault.union(settings.moreAlgorithms)
  }

  package var allowance: Duration {
    min(.seconds(settings.clockAllowance ?? 60), IDTokenRules.longestAllowance)
  }
}
