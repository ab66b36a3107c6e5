package import World

/// Which proxy a request goes through, from the environment variables curl reads and in curl's order.
///
/// Lower case comes before upper case, the scheme's own variable before `all_proxy`; `HTTP_PROXY` in upper case is not
/// read, because a CGI server sets it from a request's header. Empty is the same as unset. One rule is ours: plain http
/// only ever goes to this machine, so it goes through a proxy only where the proxy is on this machine too.
package struct ProxySettings: Sendable, Equatable {
  /// As the variable has it: it may hold a user name and a password.
  private let http: String?
  private let https: String?
  /// Hosts reached directly, as libcurl's `CURLOPT_NOPROXY` reads them.
  package let exceptions: String

  package init(environment: Environment) {
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    }
    let any = first("all_proxy", "ALL_PROXY")
    let plain = first("http_proxy") ?? any
    http = plain.flatMap { Host.isLoopback(ProxySettings.host(of: $0)) ? $0 : nil }
    https = first("https_proxy", "HTTPS_PROXY") ?? any
    exceptions = first("no_proxy", "NO_PROXY") ?? ""
  }

  package func proxy(forScheme scheme: String) -> String? { scheme == "https" ? https : http }

  /// What must not be shown of a proxy: the whole value where it holds credentials, and each of them.
  static func hidden(in proxy: String) -> [String] {
    guard let at = proxy.lastIndex(of: "@") else { return [] }
    let credentials = afterScheme(proxy[..<at])
    return [proxy, String(credentials)] + credentials.split(separator: ":", maxSplits: 1).map(String.init)
  }

  /// The proxy as it may be shown: without a user name and a password.
  package static func shown(_ proxy: String) -> String {
    guard let at = proxy.lastIndex(of: "@") else { return proxy }
    let place = afterScheme(proxy[...])
    return proxy[..<place.startIndex] + "…" + proxy[at...]
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
