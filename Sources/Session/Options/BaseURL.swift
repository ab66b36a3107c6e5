package import CommandLine
package import HTTP
package import Store
package import World

/// One of the hosts that the program connects to, without the version part of its paths.
package enum BaseURL: String, CaseIterable {
  case connect, location, api, web, realtime, webhooks

  package var standard: String {
    switch self {
    case .connect: "https://connect.ifttt.com"
    case .location: "https://connectapi.ifttt.com"
    case .api: "https://api.ifttt.com"
    case .web: "https://ifttt.com"
    case .realtime: "https://realtime.ifttt.com"
    case .webhooks: "https://maker.ifttt.com"
    }
  }

  package var variable: EnvironmentVariable {
    switch self {
    case .connect: .connectURL
    case .location: .locationURL
    case .api: .apiURL
    case .web: .webURL
    case .realtime: .realtimeURL
    case .webhooks: .webhooksURL
    }
  }

  package var setting: Profile.Setting {
    switch self {
    case .connect: .connectURL
    case .location: .locationURL
    case .api: .apiURL
    case .web: .webURL
    case .realtime: .realtimeURL
    case .webhooks: .webhooksURL
    }
  }
}

extension WebURL {
  /// The text with `http://` if it is a host and port on this machine: `localhost:3000`.
  package static func completed(_ text: String) -> String {
    ["localhost:", "127.0.0.1:", "[::1]:"].contains { text.hasPrefix($0) } ? "http://" + text : text
  }

  /// This URL, if it can be a base URL, to which paths are added.
  /// - Throws: ``WebURLError`` for a URL with a query.
  package var asBase: WebURL {
    get throws(WebURLError) {
      guard query.isEmpty else { throw WebURLError("it has a query (?)") }
      return self
    }
  }

  /// Parses a URL before the hosts for which plain http is allowed are known. Nothing must be sent to it before
  /// ``PlainHTTP`` has accepted its text.
  package static func beforeHostCheck(_ text: String) throws(WebURLError) -> WebURL {
    do throws(WebURLError) { return try WebURL(parsing: text) } catch {
      guard let host = error.plainHost else { throw error }
      return try WebURL(parsing: text, allowing: [host])
    }
  }

  /// Checks the text of a base URL, except for the host.
  package static func checkBase(_ text: String) throws(ValueError) {
    do throws(WebURLError) { _ = try beforeHostCheck(text).asBase } catch { throw ValueError(error.description) }
  }
}

extension ValueKind<String> {
  package static var baseURL: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL")) { (text: String) throws(ValueError) in
      guard !text.isEmpty else { return text }
      let text = WebURL.completed(text)
      try WebURL.checkBase(text)
      return text
    }
  }
}
