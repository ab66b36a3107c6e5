import CCurl

/// Sets a libcurl handle's options for one request. The handle has been reset, so every option is set.
struct CurlOptions {
  let handle: UnsafeMutableRawPointer

  func common(_ settings: CurlExchange.Settings) {
    // All other protocols are already excluded, because a WebURL has no other scheme. libcurl before 7.85 does not
    // have this option.
    ccurl_set_text(handle, CURLoption(UInt32(CCURL_OPT_PROTOCOLS_STR)), "http,https")
    // A name lookup in progress must not delay Ctrl-C.
    ccurl_set_number(handle, CURLoption(UInt32(CCURL_OPT_QUICK_EXIT)), 1)
    ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0)
    ccurl_set_number(handle, CURLOPT_NETRC, 0)
    ccurl_set_number(handle, CURLOPT_TCP_NODELAY, 1)
    ccurl_set_number(handle, CURLOPT_PATH_AS_IS, 1)
    ccurl_set_number(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    ccurl_set_number(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    ccurl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
    ccurl_set_text(handle, CURLOPT_USERAGENT, settings.userAgent)
  }

  /// - Parameter observesSending: whether libcurl reports that it sends the request.
  func callbacks(
    _ context: UnsafeMutableRawPointer, errorBuffer: UnsafeMutablePointer<CChar>, observesSending: Bool
  ) {
    ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, errorBuffer)
    ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION, receiveBody)
    ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION, receiveHeaderLine)
    ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    ccurl_close_sockets_on_exec(handle)
    guard observesSending else { return }
    ccurl_set_starter(handle, willSend)
    ccurl_set_pointer(handle, CURLOPT_PREREQDATA, context)
  }

  /// - Parameter isAlone: whether the request gets a connection of its own.
  func message(_ request: Request, isAlone: Bool, bodyLimit: Int) {
    ccurl_set_text(handle, CURLOPT_URL, request.url.wire)
    ccurl_set_number(handle, CURLOPT_FRESH_CONNECT, isAlone ? 1 : 0)
    // A server may close an idle connection just when a request is on its way. The failure would leave open whether the
    // request arrived, so a request that is not idempotent reuses a connection only if it was used within about a
    // second: no server closes one so early without saying so. Over HTTP/2, a server that closes the connection refuses
    // the streams that it does not process, and libcurl does not say so.
    if !request.isRepeatable { ccurl_set_number(handle, CURLOPT_MAXAGE_CONN, 1) }
    let mayShare = request.url.scheme == "https" && request.isRepeatable
    ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(mayShare ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    // Waiting to learn whether one connection can carry all requests saves a TLS handshake for each of them.
    ccurl_set_number(handle, CURLOPT_PIPEWAIT, mayShare ? 1 : 0)
    if request.method == .head {
      ccurl_set_number(handle, CURLOPT_NOBODY, 1)
      return
    }
    // If the length is known in advance, the response is rejected before its body is received, and before its headers
    // are complete.
    if !request.needsStatusAlone { ccurl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(bodyLimit)) }
    let needsBody = [.post, .put, .patch].contains(request.method)
    if needsBody || request.body != nil {
      let body = request.body ?? []
      ccurl_set_number(handle, CURLOPT_POST, 1)
      ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
      _ = body.withUnsafeBytes { ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
      if body.isEmpty { ccurl_set_text(handle, CURLOPT_POSTFIELDS, "") }
    }
    if request.method != .get || request.body != nil {
      ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
  }

  /// Always sets both options, because otherwise libcurl reads the process's environment.
  func proxy(_ proxy: String?, except hosts: String) {
    ccurl_set_text(handle, CURLOPT_PROXY, proxy ?? "")
    ccurl_set_text(handle, CURLOPT_NOPROXY, hosts)
  }

  /// A nil value leaves libcurl's built-in default in place, except for a file that is omitted on purpose.
  func trust(_ certificates: CurlExchange.Certificates) {
    for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] where certificates.file != nil || certificates.isFolderAlone {
      ccurl_set_text(handle, option, certificates.file)
    }
    guard let folder = certificates.folder else { return }
    for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { ccurl_set_text(handle, option, folder) }
  }

  /// The request's header lines. The caller frees them after the exchange has ended.
  func headers(of request: Request) -> UnsafeMutablePointer<curl_slist>? {
    var lines: UnsafeMutablePointer<curl_slist>?
    func add(_ line: String) { lines = ccurl_list_adding(lines, line) ?? lines }
    for header in request.headers {
      // libcurl reads "Name:" as "omit this header". With a semicolon, the header is sent with an empty value.
      add(header.wire.isEmpty ? "\(header.name);" : "\(header.name): \(header.wire)")
    }
    if request.header("Accept") == nil { add("Accept: application/json") }
    if request.header("Content-Type") == nil { add("Content-Type:") }
    // Prevent libcurl from waiting for "100 Continue": a server that rejects a request does not respond any sooner.
    add("Expect:")
    return lines
  }
}

extension CurlExchange {
  /// The reason why a request cannot be sent: a forbidden character in a header, such as a line break, which would
  /// start another header. Nil if it can be sent.
  static func problem(with request: Request) -> TransportError? {
    for header in request.headers {
      let isName = HeaderField.isName(header.name.utf8)
      if !isName || !HeaderField.isValue(header.wire.utf8) {
        return TransportError(
          kind: .unsupported,
          message: isName
            ? "the header \(header.name) contains a control character"
            : "a header's name contains a forbidden character",
          mayHaveArrived: false)
      }
    }
    return nil
  }
}
