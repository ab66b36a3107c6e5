import CCurl
import World

/// One libcurl handle and what it has received for its current exchange. Reused for the next exchange.
final class CurlExchange {
  /// The settings that all requests share.
  struct Settings {
    var userAgent: String
    var limits: CurlTransport.Limits
    var proxies: ProxySettings
  }

  struct Certificates {
    var file: String?
    var folder: String?
    /// Whether the file was omitted and is tried only if the folder is not sufficient.
    var isFolderAlone: Bool
  }

  let handle: UnsafeMutableRawPointer
  private(set) var ticket = 0
  private(set) var usesFolderAlone = false
  private var deadline = Duration.zero
  private var received = ResponseBuilder()
  /// How often a connection was ready for the request. libcurl would resend the request on its own if a reused
  /// connection turns out to be closed.
  private var sendings = 0
  private var needsStatusAlone = false
  private var certificates: Certificates?
  private var proxy: String?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init?() {
    guard let handle = ccurl_easy_new() else { return nil }
    self.handle = handle
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    ccurl_easy_free(handle)
    ccurl_list_free(lines)
    words.deallocate()
  }

  static func behind(_ handle: UnsafeMutableRawPointer) -> CurlExchange? {
    ccurl_get_context(handle).map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Begins an exchange with a handle that is new or cleared.
  /// - Parameter certificates: nil if the exchange does not use TLS.
  func prepare(
    _ request: Request, ticket: Int, deadline: Duration, limit: Duration, settings: Settings,
    certificates: Certificates?
  ) {
    self.ticket = ticket
    self.deadline = deadline
    needsStatusAlone = request.needsStatusAlone
    received = ResponseBuilder(limits: settings.limits)
    proxy = settings.proxies.proxy(forScheme: request.url.scheme)
    let options = CurlOptions(handle: handle)
    options.common(settings)
    options.callbacks(Unmanaged.passUnretained(self).toOpaque(), words: words)
    options.message(request, largest: settings.limits.body)
    options.proxy(proxy, except: settings.proxies.exceptions)
    lines = options.headers(of: request)
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(max(1, limit.pollMilliseconds)))
    (self.certificates, usesFolderAlone) = (nil, false)
    if let certificates { trust(certificates) }
  }

  /// Restarts the same request with more trusted certificates.
  func widen(to certificates: Certificates, now: Duration) {
    words[0] = 0
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(max(1, (deadline - now).pollMilliseconds)))
    trust(certificates)
  }

  private func trust(_ certificates: Certificates) {
    self.certificates = certificates
    usesFolderAlone = certificates.isFolderAlone
    CurlOptions(handle: handle).trust(certificates)
  }

  /// Clears the last exchange, so that an idle handle holds neither a credential nor a body.
  func clear() {
    ccurl_easy_reset(handle)
    ccurl_list_free(lines)
    (lines, received, sendings, proxy) = (nil, ResponseBuilder(), 0, nil)
    words[0] = 0
  }

  func result(_ code: CURLcode) -> Result<Response, TransportError> {
    let status = ccurl_get_number(handle, CURLINFO_RESPONSE_CODE)
    // The status of an interim response (1xx) is not a result.
    if code == CURLE_OK || (needsStatusAlone && received.headersAreComplete && status >= 200) {
      return .success(received.response(status: status))
    }
    var ending = CurlResult(code: code, words: String(cString: words))
    if ending.words.isEmpty { ending.words = String(cString: ccurl_words(code)) }
    ending.wasSent = sendings > 0
    ending.excess = received.excess
    ending.certificates = certificates.flatMap { $0.file ?? $0.folder }
    ending.proxy = proxy
    ending.proxyStatus = ccurl_get_number(handle, CURLINFO_HTTP_CONNECTCODE)
    return .failure(ending.failure)
  }

  fileprivate func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool { received.receive(body: bytes) }
  fileprivate func receive(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool { received.receive(headerLine: bytes) }

  /// - Returns: false if the request was sent before. libcurl must not resend it, because every attempt is counted,
  ///   traced and recorded.
  fileprivate func beginSending() -> Bool {
    sendings += 1
    return sendings == 1
  }
}

// Global functions: a closure literal passed to C from main-actor code would be inferred as main-actor isolated.

func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  receive(bytes, count, context) { $0.receive(body: $1) }
}

func receiveHeaderLine(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  receive(bytes, count, context) { $0.receive(headerLine: $1) }
}

/// libcurl aborts on any return value other than `count`. For an empty chunk, 0 would equal `count`, so an abort
/// returns `count + 1`.
private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ handle: (CurlExchange, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
  guard let context else { return -1 }
  let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
  let piece = UnsafeBufferPointer(start: UnsafeRawPointer(bytes)?.assumingMemoryBound(to: UInt8.self), count: count)
  return handle(exchange, piece) ? count : count + 1
}

func beginSending(
  _ context: UnsafeMutableRawPointer?, _ server: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ serverPort: Int32, _ localPort: Int32
) -> Int32 {
  guard let context else { return CURL_PREREQFUNC_ABORT }
  return Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().beginSending()
    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
