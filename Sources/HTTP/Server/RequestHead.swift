/// The request line and the fields of a request.
package struct RequestHead: Equatable {
  /// How the end of the body is found (RFC 9112, section 6.3).
  package enum Framing: Equatable {
    case length(Int)
    case chunked
  }

  package var line: RequestLine
  /// The digit after `HTTP/1.`.
  package var minorVersion: Int
  package var fields: [HeaderField]
  package var framing: Framing
  package var keepsAlive: Bool
}
