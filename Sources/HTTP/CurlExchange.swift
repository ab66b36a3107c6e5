import CCurl
import Text
import World

/// A libcurl handle and the response that it has received so far. It is reused for the next exchange.
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
  private var origin = ""
  private(set) var usesFolderAlone = false
  private var deadline = Duration.zero
  private var received = ResponseBuilder()
  /// The number of times a connection was ready for the request. libcurl would resend the request if a reused
  /// connection turns out to be closed.
  private var sendCount = 0
  private var observesSending = true
  private var needsStatusAlone = false
  private var certificates: Certificates?
  private var proxy: String?
  private var lines: UnsafeMutablePointer<curl_slist>?
  private let errorBuffer = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  init?() {
    guard let handle = ccurl_easy_new() else { return nil }
    self.handle = handle
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    ccurl_easy_free(handle)
    ccurl_list_free(lines)
    errorBuffer.deallocate()
  }

  static func exchange(of handle: UnsafeMutableRawPointer) -> CurlExchange? {
    ccurl_get_context(handle).map { Unmanaged<CurlExchange>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Begins an exchange with a handle that is new or cleared.
  /// - Parameters:
  ///   - isAlone: whether the request gets a connection of its own.
  ///   - observesSending: whether libcurl reports that it sends the request.
  ///   - certificates: nil if the exchange does not use TLS.
  func prepare(
    _ request: Request, isAlone: Bool, observesSending: Bool, ticket: Int, deadline: Duration, limit: Duration,
    settings: Settings, certificates: Certificates?
  ) {
    (self.ticket, origin) = (ticket, request.url.origin)
    (self.deadline, self.observesSending) = (deadline, observesSending)
    needsStatusAlone = request.needsStatusAlone
    received = ResponseBuilder(limits: settings.limits)
    proxy = settings.proxies.proxy(forScheme: request.url.scheme)
    let options = CurlOptions(handle: handle)
    options.common(settings)
    options.callbacks(
      Unmanaged.passUnretained(self).toOpaque(), errorBuffer: errorBuffer, observesSending: observesSending)
    options.message(request, isAlone: isAlone, bodyLimit: settings.limits.body)
    options.proxy(proxy, except: settings.proxies.exceptions)
    lines = options.headers(of: request)
    ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
    ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(max(1, limit.pollMilliseconds)))
    (self.certificates, usesFolderAlone) = (nil, false)
    if let certificates { trust(certificates) }
  }

  /// Restarts the same request with more trusted certificates.
  func retry(with certificates: Certificates, now: Duration) {
    errorBuffer[0] = 0
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
    (lines, received, sendCount, proxy) = (nil, ResponseBuilder(), 0, nil)
    errorBuffer[0] = 0
  }

  /// The `scheme://host[:port]` of a server that closed a reused connection instead of responding; nil if it did not.
  var closingOrigin: String? { sendCount > 1 ? origin : nil }

  /// Whether a connection was ready for the request, so that part of it may have been sent. An older libcurl does not
  /// tell: then a TLS handshake was completed, or any bytes were sent, which may be those of a request to a proxy.
  private var wasSent: Bool {
    if observesSending { return sendCount > 0 }
    if ccurl_get_number(handle, CURLINFO_HTTP_CONNECTCODE) >= 300 { return false }
    return origin.hasPrefix("https:")
      ? ccurl_get_size(handle, CURLINFO_APPCONNECT_TIME_T) > 0 : ccurl_get_number(handle, CURLINFO_REQUEST_SIZE) > 0
  }

  func result(_ code: CURLcode) -> Result<Response, TransportError> {
    let status = ccurl_get_number(handle, CURLINFO_RESPONSE_CODE)
    // The status of an interim response (1xx) is not a result.
    if code == CURLE_OK || (needsStatusAlone && received.headersAreComplete && status >= 200) {
      return .success(received.response(status: status))
    }
    var result = CurlResult(code: code, libraryMessage: String(cString: errorBuffer))
    if result.libraryMessage.isEmpty { result.libraryMessage = String(cString: ccurl_words(code)) }
    result.wasSent = wasSent
    result.excess = received.excess
    result.certificates = certificates.flatMap { $0.file ?? $0.folder }
    result.proxy = proxy
    result.proxyStatus = ccurl_get_number(handle, CURLINFO_HTTP_CONNECTCODE)
    return .failure(result.failure)
  }

  fileprivate func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool { received.receive(body: bytes) }
  fileprivate func receive(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool { received.receive(headerLine: bytes) }

  /// - Returns: false if the request was sent before. libcurl must not resend it, because every attempt is counted,
  ///   traced and recorded.
  fileprivate func willSend() -> Bool {
    sendCount += 1
    return sendCount == 1
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

func willSend(
  _ context: UnsafeMutableRawPointer?, _ server: UnsafeMutablePointer<CChar>?, _ local: UnsafeMutablePointer<CChar>?,
  _ serverPort: Int32, _ localPort: Int32
) -> Int32 {
  guard let context else { return CURL_PREREQFUNC_ABORT }
  return Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue().willSend()
    ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// A response as received so far, and whether it exceeds a limit.
package struct ResponseBuilder {
  enum Excess { case body(Int), headers(Int) }

  private let limits: CurlTransport.Limits
  private var headers: [HeaderField] = []
  private var headerBytes = 0
  /// Whether the headers of the last response, which may be an interim response (1xx), are complete.
  private(set) var headersAreComplete = false
  private var body: [UInt8] = []
  private(set) var excess: Excess?

  package init(limits: CurlTransport.Limits = CurlTransport.Limits()) { self.limits = limits }

  package func response(status: Int) -> Response { Response(status: status, headers: headers, body: body) }

  /// - Returns: false if the limit is exceeded.
  mutating func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard body.count + bytes.count <= limits.body else {
      excess = .body(limits.body)
      return false
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// Accepts a status line, a field, the empty line after the fields, or a trailer. A trailer is dropped.
  /// - Returns: false if the limit is exceeded.
  package mutating func receive(headerLine bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    headerBytes += bytes.count
    guard headerBytes <= limits.headers else {
      excess = .headers(limits.headers)
      return false
    }
    if bytes.starts(with: "HTTP/".utf8) {
      // Each interim response (1xx) has its own header section.
      (headers, headersAreComplete) = ([], false)
      headers.reserveCapacity(16)
      return true
    }
    guard !headersAreComplete else { return true }
    let line = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
    if line.isEmpty {
      headersAreComplete = true
    } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
      headers.append(HeaderField(text(line[..<colon]), text(line[(colon + 1)...])))
    }
    return true
  }

  private func text(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    String(decoding: HeaderField.trimmed(bytes), as: UTF8.self)
  }
}

/// The end of an exchange without a complete response, as reported by libcurl, and the failure derived from it.
struct CurlResult {
  var code: CURLcode
  var libraryMessage: String
  /// Whether part of the request may have been sent.
  var wasSent = false
  var excess: ResponseBuilder.Excess?
  /// The file or folder of trusted certificates.
  var certificates: String?
  var proxy: String?
  /// The proxy's response status to CONNECT; 0 if there was none.
  var proxyStatus = 0

  var failure: TransportError {
    TransportError(kind: kind, message: message, mayHaveArrived: wasSent)
  }

  private var wasRejectedByProxy: Bool { !wasSent && proxyStatus >= 300 }

  private var kind: TransportError.Kind {
    if excess != nil { return .tooLarge }
    if wasRejectedByProxy { return .proxy }
    switch code {
    case CURLE_OUT_OF_MEMORY: return wasSent ? .tooLarge : .noMemory
    case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: return .proxy
    case CURLE_COULDNT_RESOLVE_HOST: return .resolve
    case CURLE_COULDNT_CONNECT: return .connect
    case CURLE_OPERATION_TIMEDOUT: return .timeout
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_USE_SSL_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      return .tls
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_FAILED_INIT, CURLE_URL_MALFORMAT, CURLE_NOT_BUILT_IN,
      CURLE_UNKNOWN_OPTION:
      // libcurl also reports an HTTP/0.9 response as "unsupported protocol".
      return wasSent ? .broken : .unsupported
    default: return wasSent ? .broken : .connect
    }
  }

  private var message: String {
    switch excess {
    case .body(let limit): return "the response is larger than \(limit >> 20) MiB"
    case .headers(let limit): return "the response's header is larger than \(limit >> 10) KiB"
    case nil: break
    }
    if wasRejectedByProxy { return "the proxy responded with \(proxyStatus)" }
    switch code {
    case CURLE_FILESIZE_EXCEEDED: return "the response is too large"
    // libcurl reports a header line of more than 100 KB this way.
    case CURLE_OUT_OF_MEMORY where wasSent: return "a line of the response's header is too long, or memory has run out"
    case CURLE_ABORTED_BY_CALLBACK: return "the connection was closed before a response arrived"
    case CURLE_SSL_CACERT_BADFILE: return "the certificates in \(certificates ?? "the trust store") cannot be read"
    default:
      let hidden = (proxy.map(ProxySettings.hidden) ?? []).compactMap { Secret(parsing: $0) }
      return Redactor(hidden).redact(libraryMessage)
    }
  }
}

extension TransportError {
  static let noMemory = TransportError(kind: .noMemory, message: "out of memory", mayHaveArrived: false)
}
