import CCurl

/// Sets a libcurl handle's options for one request. The handle has been reset, so all of them are set.
struct CurlOptions {
  let handle: UnsafeMutableRawPointer

  func common(_ settings: CurlExchange.Settings) {
    // All protocols but these are off already, because a WebURL has no other scheme; libcurl before 7.85 does not
    // know the option.
    ccurl_set_text(handle, CURLoption(UInt32(CCURL_OPT_PROTOCOLS_STR)), "http,https")
    // A name that is still being resolved must not hold up Ctrl-C.
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

  func callbacks(_ context: UnsafeMutableRawPointer, words: UnsafeMutablePointer<CChar>) {
    ccurl_set_pointer(handle, CURLOPT_PRIVATE, context)
    ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, words)
    ccurl_set_receiver(handle, CURLOPT_WRITEFUNCTION, receiveBody)
    ccurl_set_pointer(handle, CURLOPT_WRITEDATA, context)
    ccurl_set_receiver(handle, CURLOPT_HEADERFUNCTION, receiveHeaderLine)
    ccurl_set_pointer(handle, CURLOPT_HEADERDATA, context)
    ccurl_set_starter(handle, beginSending)
    ccurl_set_pointer(handle, CURLOPT_PREREQDATA, context)
  }

  func message(_ request: Request, largest: Int) {
    ccurl_set_text(handle, CURLOPT_URL, request.url.wire)
    let isEncrypted = request.url.scheme == "https"
    // A kept connection may just have been closed by the server. A request that must not be repeated would then fail
    // without anyone knowing whether it arrived.
    ccurl_set_number(handle, CURLOPT_FRESH_CONNECT, request.isRepeatable ? 0 : 1)
    ccurl_set_number(
      handle, CURLOPT_HTTP_VERSION, Int(isEncrypted ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    // Waiting to learn whether one connection can carry all is worth a TLS handshake each.
    ccurl_set_number(handle, CURLOPT_PIPEWAIT, isEncrypted ? 1 : 0)
    if request.method == .head {
      ccurl_set_number(handle, CURLOPT_NOBODY, 1)
      return
    }
    // Where the length is told in advance, the answer is refused before its body comes, and before its headers are whole.
    if !request.needsStatusAlone { ccurl_set_size(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(largest)) }
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

  /// Both always set, for otherwise libcurl reads the process's environment.
  func proxy(_ proxy: String?, except hosts: String) {
    ccurl_set_text(handle, CURLOPT_PROXY, proxy ?? "")
    ccurl_set_text(handle, CURLOPT_NOPROXY, hosts)
  }

  /// What is nil stays as libcurl was built, but for a file that is left out on purpose.
  func trust(_ certificates: CurlExchange.Certificates) {
    for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] where certificates.file != nil || certificates.isFolderAlone {
      ccurl_set_text(handle, option, certificates.file)
    }
    guard let folder = certificates.folder else { return }
    for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] { ccurl_set_text(handle, option, folder) }
  }

  /// The request's header lines, to be freed by the caller once the exchange has ended.
  func headers(of request: Request) -> UnsafeMutablePointer<curl_slist>? {
    var lines: UnsafeMutablePointer<curl_slist>?
    func add(_ line: String) { lines = ccurl_list_adding(lines, line) ?? lines }
    for header in request.headers {
      // libcurl takes "Name:" for "leave this one out"; with a semicolon it is sent empty.
      add(header.wire.isEmpty ? "\(header.name);" : "\(header.name): \(header.wire)")
    }
    if request.header("Accept") == nil { add("Accept: application/json") }
    if request.header("Content-Type") == nil { add("Content-Type:") }
    // No server answers "100 Continue" sooner than it would refuse the whole.
    add("Expect:")
    return lines
  }
}

extension CurlExchange {
  /// Why a request cannot be written down: a header that would end its line and begin another.
  static func refusal(of request: Request) -> TransportError? {
    let separators = Array("()<>@,;:\\\"/[]?={} \t".utf8)
    for header in request.headers {
      let isName =
        !header.name.isEmpty
        && header.name.utf8.allSatisfy { (0x21...0x7e).contains($0) && !separators.contains($0) }
      let isValue = header.wire.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == UInt8(ascii: "\t") }
      if !isName || !isValue {
        return TransportError(
          kind: .unsupported,
          message: isName
            ? "the header \(header.name) holds a control character" : "a header's name holds a forbidden character",
          mayHaveArrived: false)
      }
    }
    return nil
  }
}
