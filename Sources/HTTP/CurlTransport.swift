import CCurl
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
  private var underWay: [CurlExchange] = []
  private var idle: [CurlExchange] = []
  /// The results since the last call of `wait`.
  private var ended: [TransportResult] = []

  /// The program must ignore SIGPIPE: libcurl is configured not to change signal handlers, and some TLS libraries
  /// raise SIGPIPE.
  /// - Parameter version: the program's version, for `User-Agent`.
  package init(world: World, version: String, limits: Limits = Limits()) {
    self.world = world
    settings = CurlExchange.Settings(
      userAgent: "ifttt/\(version)", limits: limits, proxies: ProxySettings(environment: world.environment))
  }

  deinit {
    guard let multi else { return }
    for exchange in underWay { ccurl_multi_remove(multi, exchange.handle) }
    (underWay, idle) = ([], [])
    ccurl_multi_free(multi)
  }

  package func start(_ request: Request, as ticket: Int, limit: Duration) {
    if let failure = CurlLibrary.failure { return end(ticket, .failure(failure)) }
    if let failure = CurlExchange.refusal(of: request) { return end(ticket, .failure(failure)) }
    guard let multi = multi ?? ccurl_multi_new(), let exchange = idle.popLast() ?? CurlExchange() else {
      return end(ticket, .failure(.noMemory))
    }
    self.multi = multi
    let needsCertificates = settings.proxies.usesTLS(forScheme: request.url.scheme)
    exchange.prepare(
      request, ticket: ticket, deadline: world.clock.monotonic() + limit, limit: limit, settings: settings,
      certificates: needsCertificates ? currentTrust(exchange.handle).certificates : nil)
    underWay.append(exchange)
    ccurl_multi_add(multi, exchange.handle)
  }

  package func wait(atMost limit: Duration, orReadable descriptor: Int32) -> [TransportResult] {
    let end = world.clock.monotonic() + limit
    guard let multi, !underWay.isEmpty else {
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
    guard let multi, let place = underWay.firstIndex(where: { $0.ticket == ticket }) else { return }
    let exchange = underWay.remove(at: place)
    ccurl_multi_remove(multi, exchange.handle)
    exchange.clear()
    idle.append(exchange)
  }

  package var facts: TransportDescription? {
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
      guard let exchange = CurlExchange.behind(handle) else { continue }
      if code == CURLE_PEER_FAILED_VERIFICATION, exchange.usesFolderAlone {
        // No part of the request has been sent yet, so it can restart with all trusted certificates.
        let widened = currentTrust(handle).widened
        trust = widened
        exchange.widen(to: widened.certificates, now: world.clock.monotonic())
        ccurl_multi_add(multi, handle)
        continue
      }
      underWay.removeAll { $0 === exchange }
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
    func text(_ what: Int) -> String? {
      ccurl_get_text(handle, CURLINFO(UInt32(what))).map { String(cString: $0) }
    }
    let all = TrustedCertificates(
      environment: world.environment, builtIn: (text(CCURL_INFO_CAINFO), text(CCURL_INFO_CAPATH)))
    let found = Trust(all: all, folderAlone: ccurl_has_openssl(handle) != 0 && all.folderIsWorthAskingFirst)
    trust = found
    return found
  }
}

private struct Trust {
  var all: TrustedCertificates
  var folderAlone: Bool
  var widened: Trust { Trust(all: all, folderAlone: false) }
  var certificates: CurlExchange.Certificates {
    CurlExchange.Certificates(
      file: folderAlone ? nil : all.file, folder: all.folder, isFolderAlone: folderAlone)
  }
}
