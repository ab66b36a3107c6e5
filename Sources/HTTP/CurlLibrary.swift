import CCurl

/// Opens libcurl for the first request, so that a run without requests does not pay for it.
package enum CurlLibrary {
  #if canImport(Glibc)
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    package static let advice = "Install libcurl (Debian, Ubuntu: apt install libcurl4)."
  #else
    static let names = ["/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"]
    package static let advice = "Install libcurl (brew install curl)."
  #endif

  /// Nil if libcurl is available.
  static let failure: TransportError? = open(names)

  /// The version of libcurl, such as `8.5.0`; nil if it cannot be opened. Opens the library.
  package static var version: String? {
    guard failure == nil else { return nil }
    let words = String(cString: ccurl_version()).split(separator: " ").first ?? ""
    return words.split(separator: "/").last.map(String.init)
  }

  /// Tries the libraries in order.
  /// - Returns: nil if one of them could be opened; otherwise why none could be opened.
  package static func open(_ names: [String]) -> TransportError? {
    var problems: [String] = []
    for name in names {
      guard let problem = ccurl_open(name) else { return nil }
      let words = String(cString: problem)
      problems.append(words.hasPrefix(name) ? words : "\(name): \(words)")
    }
    return TransportError(
      kind: .missingLibrary, message: "libcurl 7.80 or newer is needed: \(problems.joined(separator: "; "))",
      mayHaveArrived: false)
  }
}
