package import IFTTT
import Sandbox
import Store
import Text

extension Session {
  /// The given service, or else the profile's; the sandbox has a built-in one.
  /// - Throws: `credentials_missing` if no service is given.
  package func serviceSlug(_ given: String?, for purpose: String) throws -> ServiceSlug {
    let kept = try profile.settings[.service]
    let sandbox = try profileName.isSandbox ? SandboxFixtures.serviceID : nil
    guard let text = given ?? kept ?? sandbox else {
      throw Problem(
        .credentialsMissing, "\(purpose) needs a service",
        hint:
          "Pass --service SLUG, set IFTTT_SERVICE, or store it: \(ifttt: "profile create \(try profileName) --update --service SLUG")"
      )
    }
    guard let slug = ServiceSlug(parsing: text) else {
      throw Problem(.usage, "'\(text)' is not a service slug", hint: "It is the last part of https://ifttt.com/SLUG.")
    }
    return slug
  }
}
