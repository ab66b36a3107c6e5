import CCurl
import Text
package import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Sends requests with libcurl: many at once on the calling thread, over one pool of connections. Uses HTTP/2 if the
/// server offers it, and proxies and certificates as curl does.
package final class CurlTransport: Transport {
  /// The largest response that is accepted.
  package struct Limits: Sendable {
    /// The bytes of a body, after decompression.
    package var body = 32 << 20
    /// The total bytes of all header lines.
    package var headers = 256 << 10
    package init() {}
  }

  private let world: World
  private let settings: CurlExchange.Settings
  private var multi: UnsafeMutableRawPointer?
  private var trust: Trust?
  private var inFlight: [CurlExchange] = []
  private var idle: [CurlExchange] = []
  private let observesSending: Bool?
  /// The `scheme://host[:port]` of servers that closed a connection which a request had just reused. Their requests
  /// that are not idempotent get connections of their own.
  private var closing: Set<String> = []
  /// The results since the last call of `wait`.
  private var ended: [TransportResult] = []

  /// Creates a transport. The program must ignore SIGPIPE: libcurl is configured not to change signal handlers, and
  /// some TLS libraries raise SIGPIPE.
  /// - Parameters:
  ///   - version: the program's version, for `User-Agent`.
  ///   - observesSending: whether libcurl reports that it sends a request; nil to ask the library. If it does not, it
  ///     may send a request again on its own when a reused connection turns out to be closed, so each request that is
  ///     not idempotent gets a connection of its own.
  package init(world: World, version: String, limits: Limits = Limits(), observesSending: Bool? = nil) {
    (self.world, self.observesSending) = (world, observesSending)
    settings = CurlExchange.Settings(
      userAgent: "ifttt/\(version)", limits: limits, proxies: ProxySettings(environment: world.environment))
  }

  deinit {
    guard let multi else { return }
    for exchange in inFlight { ccurl_multi_remove(multi, exchange.handle) }
    (inFlight, idle) = ([], [])
    ccurl_multi_free(multi)
  }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    if let failure = CurlLibrary.failure { return end(ticket, .failure(failure)) }
    if let failure = CurlExchange.problem(with: request) { return end(ticket, .failure(failure)) }
    guard let multi = multi ?? ccurl_multi_new(), let exchange = idle.popLast() ?? CurlExchange() else {
      return end(ticket, .failure(.noMemory))
    }
    self.multi = multi
    let needsCertificates = settings.proxies.usesTLS(forScheme: request.url.scheme)
    let observesSending = observesSending ?? (ccurl_observes_sending() != 0)
    let mayBeClosed = !observesSending || closing.contains(request.url.origin)
    exchange.prepare(
      request, isAlone: request.needsNewConnection || !request.isRepeatable && mayBeClosed,
      observesSending: observesSending, ticket: ticket, deadline: world.clock.monotonic() + limit, limit: limit,
      settings: settings, certificates: needsCertificates ? currentTrust(exchange.handle).certificates : nil)
    inFlight.append(exchange)
    ccurl_multi_add(multi, exchange.handle)
  }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    let end = world.clock.monotonic() + limit
    guard let multi, !inFlight.isEmpty else {
      // This needs no libcurl, which may not have been opened.
      if ended.isEmpty { world.wait(untilReadable: descriptor, atMost: limit) }
      return takeEnded()
    }
    var isReadable = false
    while true {
      ccurl_multi_perform(multi)
      collect(multi)
      let remaining = end - world.clock.monotonic()
      if !ended.isEmpty || isReadable || remaining <= .zero || world.interruption.isInterrupted { return takeEnded() }
      isReadable =
        ccurl_multi_poll(multi, world.interruption.descriptor, descriptor, remaining.pollMilliseconds) != 0
    }
  }

  package func cancel(_ ticket: Int) {
    ended.removeAll { $0.ticket == ticket }
    guard let multi, let index = inFlight.firstIndex(where: { $0.ticket == ticket }) else { return }
    let exchange = inFlight.remove(at: index)
    ccurl_multi_remove(multi, exchange.handle)
    exchange.clear()
    idle.append(exchange)
  }

  package var description: TransportDescription? {
    if let failure = CurlLibrary.failure { return TransportDescription(library: .failure(failure)) }
    guard let exchange = idle.popLast() ?? CurlExchange() else {
      return TransportDescription(library: .failure(.noMemory))
    }
    defer { idle.append(exchange) }
    let trusted = currentTrust(exchange.handle).all
    return TransportDescription(
      library: .success(String(cString: ccurl_version())), certificateFile: trusted.file,
      certificateFolder: trusted.folder)
  }

  private func collect(_ multi: UnsafeMutableRawPointer) {
    var code = CURLE_OK
    while let handle = ccurl_multi_ended(multi, &code) {
      ccurl_multi_remove(multi, handle)
      guard let exchange = CurlExchange.exchange(of: handle) else { continue }
      if code == CURLE_PEER_FAILED_VERIFICATION, exchange.usesFolderAlone {
        // No part of the request has been sent yet, so it can restart with all trusted certificates.
        let withFile = currentTrust(handle).withFile
        trust = withFile
        exchange.retry(with: withFile.certificates, now: world.clock.monotonic())
        ccurl_multi_add(multi, handle)
        continue
      }
      inFlight.removeAll { $0 === exchange }
      if let origin = exchange.closingOrigin { closing.insert(origin) }
      end(exchange.ticket, exchange.result(code))
      exchange.clear()
      idle.append(exchange)
    }
  }

  private func end(_ ticket: Int, _ result: Result<Response, TransportError>) {
    ended.append(TransportResult(ticket: ticket, result: result))
  }

  private func takeEnded() -> [TransportResult] {
    defer { ended = [] }
    return ended
  }

  /// The trusted certificates for the next request, determined at the first request.
  private func currentTrust(_ handle: UnsafeMutableRawPointer) -> Trust {
    if let trust { return trust }
    func text(_ info: Int) -> String? {
      ccurl_get_text(handle, CURLINFO(UInt32(info))).map { String(cString: $0) }
    }
    let all = TrustedCertificates(
      environment: world.environment, builtIn: (text(CCURL_INFO_CAINFO), text(CCURL_INFO_CAPATH)))
    let initial = Trust(all: all, usesFolderAlone: ccurl_has_openssl(handle) != 0 && all.prefersFolder)
    trust = initial
    return initial
  }
}

private struct Trust {
  var all: TrustedCertificates
  var usesFolderAlone: Bool
  var withFile: Trust { Trust(all: all, usesFolderAlone: false) }
  var certificates: CurlExchange.Certificates {
    CurlExchange.Certificates(
      file: usesFolderAlone ? nil : all.file, folder: all.folder, isFolderAlone: usesFolderAlone)
  }
}

/// The library libcurl. It is opened for the first request, so that a run without requests does not load it.
package enum CurlLibrary {
  #if canImport(Glibc)
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #else
    static let names = ["/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"]
  #endif

  /// How to install libcurl on this system.
  package static var advice: String {
    #if canImport(Glibc)
      var bytes = [UInt8](repeating: 0, count: 4096)
      var count = 0
      if let file = fopen("/etc/os-release", "re") {
        count = fread(&bytes, 1, bytes.count, file)
        fclose(file)
      }
      return advice(for: String(decoding: bytes.prefix(count), as: UTF8.self))
    #else
      return "Install libcurl: brew install curl."
    #endif
  }

  /// How to install libcurl on a Linux system.
  /// - Parameter description: the text of its os-release(5).
  package static func advice(for description: String) -> String {
    let words = description.split(separator: "\n").filter { $0.hasPrefix("ID=") || $0.hasPrefix("ID_LIKE=") }
      .flatMap { $0.drop { $0 != "=" }.split { " =\"'".contains($0) } }
    let commands: [(systems: [Substring], command: String)] = [
      (["debian", "ubuntu"], "apt install libcurl4"), (["fedora", "rhel", "centos", "amzn"], "dnf install libcurl"),
      (["suse", "opensuse"], "zypper install libcurl4"), (["arch"], "pacman -S curl"),
    ]
    guard let known = commands.first(where: { $0.systems.contains(where: words.contains) }) else {
      return "Install libcurl with the package manager of this system."
    }
    return "Install libcurl: \(known.command)"
  }

  /// Nil if libcurl is available.
  static let failure: TransportError? = open(names)

  /// The version of libcurl, such as `8.5.0`; nil if it cannot be opened. Opens the library.
  package static var version: String? {
    guard failure == nil else { return nil }
    let name = String(cString: ccurl_version()).split(separator: " ").first ?? ""
    return name.split(separator: "/").last.map(String.init)
  }

  /// Tries the libraries in order.
  /// - Returns: nil if one of them could be opened; otherwise the reason why none could be opened.
  package static func open(_ names: [String]) -> TransportError? {
    var problems: [String] = []
    for name in names {
      guard let problem = ccurl_open(name) else { return nil }
      let message = String(cString: problem)
      problems.append(message.hasPrefix(name) ? message : "\(name): \(message)")
    }
    return TransportError(
      kind: .missingLibrary, message: "libcurl 7.66 or newer is needed: \(problems.joined(separator: "; "))",
      mayHaveArrived: false)
  }
}

/// The location of the trusted certificates, found as curl finds them.
///
/// `CURL_CA_BUNDLE` names a file. Without it, `SSL_CERT_FILE` names a file and `SSL_CERT_DIR` a folder (both apply
/// since curl 8.3). A location without a variable stays as libcurl was built. A certificate in either location is
/// trusted.
///
/// Reading a system's whole bundle takes longer than most requests. In a folder with hash links, OpenSSL finds the
/// one certificate it needs. If there is such a folder and the file is large, the folder is used first, alone. The
/// file is added only if the folder is not sufficient (see ``CurlTransport``). Both are trusted in any case, so the
/// result is the same.
struct TrustedCertificates: Sendable, Equatable {
  var file: String?
  var folder: String?

  /// - Parameter builtIn: libcurl's built-in defaults.
  init(environment: Environment, builtIn: (file: String?, folder: String?)) {
    func value(_ variable: EnvironmentVariable) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
    (file, folder) = builtIn
    if let bundle = value(.certificateBundle) {
      file = bundle
    } else {
      file = value(.certificateFile) ?? file
      folder = value(.certificateFolder) ?? folder
    }
  }

  /// Whether to try the folder alone first. A small file is read faster than a second handshake takes, and an
  /// unreadable file is a mistake to report.
  var prefersFolder: Bool {
    var status = stat()
    guard let file, stat(file, &status) == 0, status.st_size > 50_000, access(file, R_OK) == 0, let folder,
      let stream = opendir(folder)
    else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let isHash = withUnsafePointer(to: &entry.pointee.d_name) { name in
        name.withMemoryRebound(to: CChar.self, capacity: 256) { TrustedCertificates.isHashLink($0) }
      }
      if isHash { return true }
    }
    return false
  }

  /// Whether a name is a hash link, such as `9d66eef0.0`: eight hexadecimal digits of the subject's hash, and a number.
  private static func isHashLink(_ name: UnsafePointer<CChar>) -> Bool {
    strlen(name) >= 10 && name[8] == CChar(UInt8(ascii: ".")) && UInt8(bitPattern: name[9]).isDigit
      && (0..<8).allSatisfy { UInt8(bitPattern: name[$0]).hexadecimal != nil }
  }
}
