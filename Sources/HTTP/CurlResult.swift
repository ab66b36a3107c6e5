import CCurl
import Text

/// The end of an exchange without a complete response, as reported by libcurl, and the failure derived from it.
struct CurlResult {
  var code: CURLcode
  var words: String
  /// Whether a connection was ready for the request, so that part of it may have been sent.
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

  private var refusedByProxy: Bool { !wasSent && proxyStatus >= 300 }

  private var kind: TransportError.Kind {
    if excess != nil { return .tooLarge }
    if refusedByProxy { return .proxy }
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
    if refusedByProxy { return "the proxy responded with \(proxyStatus)" }
    switch code {
    case CURLE_FILESIZE_EXCEEDED: return "the response is too large"
    // libcurl reports a header line of more than 100 KB this way.
    case CURLE_OUT_OF_MEMORY where wasSent: return "a line of the response's header is too long, or memory has run out"
    case CURLE_ABORTED_BY_CALLBACK: return "the connection was closed before a response arrived"
    case CURLE_SSL_CACERT_BADFILE: return "the certificates in \(certificates ?? "the trust store") cannot be read"
    default:
      let hidden = (proxy.map(ProxySettings.hidden) ?? []).compactMap { Secret(parsing: $0) }
      return Redactor(hidden).redact(words)
    }
  }
}

extension TransportError {
  static let noMemory = TransportError(kind: .noMemory, message: "out of memory", mayHaveArrived: false)
}
