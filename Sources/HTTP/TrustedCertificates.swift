import Encoding
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the certificates stand that a server's is checked against, found as curl finds them.
///
/// `CURL_CA_BUNDLE` names a file; without it `SSL_CERT_FILE` names a file and `SSL_CERT_DIR` a folder (both at once as
/// since curl 8.3). What no variable names stays as libcurl was built. A certificate in either place is trusted.
///
/// Reading a system's whole bundle takes longer than most requests. OpenSSL finds the one certificate it needs in a
/// folder with hash links, so where there is such a folder and the file is large, the folder is asked first and alone,
/// and the file joins it only when the folder did not do (see ``CurlTransport``). As both are trusted in any case, the
/// verdict is the same.
struct TrustedCertificates: Sendable, Equatable {
  var file: String?
  var folder: String?

  /// - Parameter builtIn: what libcurl itself would use.
  init(environment: Environment, builtIn: (file: String?, folder: String?)) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    (file, folder) = builtIn
    if let bundle = value("CURL_CA_BUNDLE") {
      file = bundle
    } else {
      file = value("SSL_CERT_FILE") ?? file
      folder = value("SSL_CERT_DIR") ?? folder
    }
  }

  /// Whether the folder alone is worth asking first: a small file is read at once in less time than a second handshake
  /// takes, and one that cannot be read is a mistake to be reported.
  var folderIsWorthAskingFirst: Bool {
    var facts = stat()
    guard let file, stat(file, &facts) == 0, facts.st_size > 50_000, access(file, R_OK) == 0, let folder,
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

  /// `9d66eef0.0`: eight hexadecimal digits of the subject's hash, and a number.
  private static func isHashLink(_ name: UnsafePointer<CChar>) -> Bool {
    strlen(name) >= 10 && name[8] == CChar(UInt8(ascii: ".")) && UInt8(bitPattern: name[9]).isDigit
      && (0..<8).allSatisfy { UInt8(bitPattern: name[$0]).hexadecimal != nil }
  }
}
