package import World

/// The proxy of a request, from the environment variables that curl reads, in curl's order.
///
/// Lower case takes precedence over upper case, and the scheme's own variable over `all_proxy`. `HTTP_PROXY` in upper
/// case is not read, because a CGI server sets it from a request's header. An empty variable is treated as unset. One
/// rule differs from curl: plain http goes only to this machine and to hosts that the user allowed, so it uses a proxy
/// only if the proxy is on this machine too.
package struct ProxySettings: Sendable, Equatable {
  /// The value of the variable. It may contain a user name and a password.
  private let http: String?
  private let https: String?
  /// Hosts that are reached directly, in the format of libcurl's `CURLOPT_NOPROXY`.
  package let exceptions: String

  package init(environment: Environment) {
    func first(_ variables: EnvironmentVariable...) -> String? {
      variables.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let any = first(.lowercaseAllProxy, .allProxy)
    let plain = first(.lowercaseHTTPProxy) ?? any
    http = plain.flatMap { Host.isLoopback(ProxySettings.host(of: $0)) ? $0 : nil }
    https = first(.lowercaseHTTPSProxy, .httpsProxy) ?? any
    exceptions = first(.lowercaseNoProxy, .noProxy) ?? ""
  }

  package func proxy(forScheme scheme: String) -> String? { scheme == "https" ? https : http }

  /// Whether a request with this scheme uses TLS, to the server or to the proxy.
  package func usesTLS(forScheme scheme: String) -> Bool {
    scheme == "https" || proxy(forScheme: scheme)?.lowercased().hasPrefix("https://") == true
  }

  /// The parts of a proxy that must not be shown: the whole value if it contains credentials, and each credential.
  static func hidden(in proxy: String) -> [String] {
    guard let at = proxy.lastIndex(of: "@") else { return [] }
    let credentials = afterScheme(proxy[..<at])
    return [proxy, String(credentials)] + credentials.split(separator: ":", maxSplits: 1).map(String.init)
  }

  /// The proxy as it may be shown: without the user name and password.
  package static func shown(_ proxy: String) -> String {
    guard let at = proxy.lastIndex(of: "@") else { return proxy }
    let authority = afterScheme(proxy[...])
    return proxy[..<authority.startIndex] + "…" + proxy[at...]
  }

  /// The proxy without the user name and password, for another program.
  package static func withoutCredentials(_ proxy: String) -> String {
    guard let at = proxy.utf8.lastIndex(of: UInt8(ascii: "@")) else { return proxy }
    return "\(proxy[..<afterScheme(proxy[...]).startIndex])\(proxy[proxy.utf8.index(after: at)...])"
  }

  private static func host(of proxy: String) -> String {
    var rest = afterScheme(proxy[...])
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    if rest.first == "[" { return rest.prefix { $0 != "]" } + "]" }
    return rest.prefix { $0 != ":" && $0 != "/" }.lowercased()
  }

  private static func afterScheme(_ proxy: Substring) -> Substring {
    guard let colon = proxy.firstIndex(of: ":"), proxy[colon...].hasPrefix("://") else { return proxy }
    return proxy[proxy.index(colon, offsetBy: 3)...]
  }
}
