/// The reason a request is rejected. The connection is closed after the response.
package struct RequestRejection: Error, Equatable {
  package let status: Int
  package let words: String

  init(status: Int, words: String) { (self.status, self.words) = (status, words) }

  /// A violation of the syntax of HTTP.
  static func syntax(_ reason: String) -> RequestRejection {
    RequestRejection(status: 400, words: "This is not HTTP/1.1: \(reason)")
  }

  static func tooLong(bodyLimit: Int) -> RequestRejection {
    RequestRejection(status: 413, words: "The body is longer than \(bodyLimit) bytes")
  }
}
