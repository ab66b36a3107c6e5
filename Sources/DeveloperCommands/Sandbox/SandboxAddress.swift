import CommandLine
import HTTP
import Session
import Text
import World

/// The options that select the address of a sandbox server, and the hosts that requests may name.
struct SandboxAddress: Sendable {
  var host = BindAddress.loopback
  var port = 0
  var allowedHosts: [HostName] = []

  static var flags: [Flag<SandboxAddress>] {
    [
      .value(
        "port", .integer(in: 0...65_535, placeholder: "PORT"), into: \.port, defaultText: "0, any free port",
        help: "Port to listen on"),
      .value(
        "host", .bindAddress, into: \.host, defaultText: "127.0.0.1",
        help: "IP address to listen on; an address that is not loopback needs --allow-host"),
      .repeatedList(
        "allow-host", .hostName, into: \.allowedHosts, environment: EnvironmentVariable.sandboxAllowHost.name,
        isAdvanced: true,
        help: "Host name, without a port, under which other machines or containers reach the server"),
    ]
  }

  /// - Throws: `usage` for an address that other machines can reach, without a host that they may name.
  func check() throws {
    guard !host.isLoopback, allowedHosts.isEmpty else { return }
    throw Problem(
      .usage, "--host \(host) needs --allow-host",
      reason: "requests name the server in 'Host', and only known names protect it from web pages",
      hint: """
        Pass the name under which other machines reach it, or set \(EnvironmentVariable.sandboxAllowHost): \
        \(ifttt: "sandbox start --host \(host.description) --allow-host NAME")
        """)
  }

  var settings: ListenerSettings {
    var settings = ListenerSettings(address: LoopbackAddress(host.isIPv6 ? .v6 : .v4, port: port))
    settings.interface = host
    settings.allowedHosts = Set(allowedHosts + (host.isLoopback ? [] : [host.host]))
    settings.targetsForAnyHost = [SandboxControl.healthPath]
    return settings
  }

  /// The URL for clients. No request can be sent to the address that stands for all addresses, so its URL has the first
  /// allowed host: the name that clients on other machines use, because those on this machine need no such address.
  func url(port: Int) -> String {
    guard host.isWildcard, let name = allowedHosts.first else { return host.url(port: port) }
    return "http://\(name):\(port)"
  }

  /// The URL for programs on this machine. An allowed host may lead elsewhere from here, or nowhere.
  func localURL(port: Int) -> String {
    host.isWildcard ? LoopbackAddress(host.isIPv6 ? .v6 : .v4, port: port).url : host.url(port: port)
  }

  /// Warns about an address that other machines can reach.
  func warn(in session: Session) {
    guard !host.isLoopback else { return }
    session.console.note(
      """
      Warning: other machines can reach the server at \(host), and its plain http can be read in transit. Use it only \
      in a network that you trust.
      """)
  }
}

extension ValueKind<HostName> {
  /// A name or an address, without a port.
  static var hostName: ValueKind {
    ValueKind(ValueSchema(placeholder: "NAME", completion: .none)) { (text: String) throws(ValueError) in
      do throws(WebURLError) { return try HostName(parsing: text) } catch { throw ValueError(error.description) }
    }
  }
}
