package import HTTP
import Store
import Text
import World

extension Network {
  /// The URL from the environment, the profile, or IFTTT's default. The sandbox's URL is fixed.
  package func base(_ base: Base) throws -> WebURL {
    let text: String
    let origin: String
    if try storage.profileName.isSandbox {
      (text, origin) = (base.standard, "sandbox")
    } else if let given = world.environment[base.variable], !given.isEmpty {
      (text, origin) = (given, base.variable.name)
    } else if let kept = try storage.profile.settings[base.setting] {
      (text, origin) = (kept, "profile '\(try storage.profileName)', \(base.setting.rawValue)")
    } else {
      (text, origin) = (base.standard, "built in")
    }
    do throws(WebURLError) {
      return try WebURL(parsingBase: text)
    } catch {
      throw Problem(
        .usage, "\(origin): not a usable base URL", reason: error.description,
        hint: "It should look like \(base.standard); plain http is accepted only for a loopback address.")
    }
  }
}
