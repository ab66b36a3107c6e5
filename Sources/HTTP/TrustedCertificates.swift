import Text
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The location of the trusted certificates, found as curl finds them.
///
/// `CURL_CA_BUNDLE` names a file. Without it, `SSL_CERT_FILE` names a file and `SSL_CERT_DIR` a folder (both apply
/// since curl 8.3). A location without a variable stays as libcurl was built. A certificate in either location is
/// trusted.
///
/// Reading a system's whole bundle takes longer than most requests. In a folder with hash links, OpenSSL finds the
/// one certificate it needs. If there is such a folder and the file is large, the folder is used first, alone. The
/// file is added only if the folder is not sufficient (see ``CurlTransport``). Both are trusted in any case, so the
/// verdict is the same.
struct TrustedCertificates: Sendable, Equatable {
  var file: String?
  var folder: String?

  /// - Parameter builtIn: libcurl's built-in defaults.
  init(environment: Environment, builtIn: (file: String?, folder: String?)) {
    func value(_ variable: EnvironmentVariable) -> String? { environment[variable].flatMap { $0.isEmpty ? nil : $0 } }
    (file, folder) = builtIn
    if let bundle = value(.certificateBundle) {
      file = bundle
    } else {
      file = value(.certificateFile) ?? file
      folder = value(.certificateFolder) ?? folder
    }
  }

  /// Whether to try the folder alone first. A small file is read faster than a second handshake takes, and an
  /// unreadable file is a mistake to report.
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

  /// A name such as `9d66eef0.0`: eight hexadecimal digits of the subject's hash, and a number.
  private static func isHashLink(_ name: UnsafePointer<CChar>) -> Bool {
    strlen(name) >= 10 && name[8] == CChar(UInt8(ascii: ".")) && UInt8(bitPattern: name[9]).isDigit
      && (0..<8).allSatisfy { UInt8(bitPattern: name[$0]).hexadecimal != nil }
  }
}
