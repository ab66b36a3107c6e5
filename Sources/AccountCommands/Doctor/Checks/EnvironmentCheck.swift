import Hints
import World

extension DoctorCheck {
  /// Checks for variables with invalid values.
  static var environment: DoctorCheck {
    DoctorCheck(name: "environment") { examination in
      func value(_ name: String) -> String? { examination.world.environment[name].flatMap { $0.isEmpty ? nil : $0 } }
      for name in ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"] {
        guard let path = value(name), !examination.exists(path) else { continue }
        return .failure(
          "\(name) is set to \(path), which does not exist", "Unset \(name), or set it to an existing path.")
      }
      for name in ["IFTTT_STORE_KEY_FILE", "IFTTT_STORE_PASSPHRASE_FILE"] {
        guard let path = value(name), !examination.exists(path) else { continue }
        return .failure("\(name) is set to \(path), which does not exist", "Unset \(name), or create the file.")
      }
      for name in ["IFTTT_USER_TOKEN", "IFTTT_SERVICE_KEY", "IFTTT_ACCESS_TOKEN", "IFTTT_INVITE_CODE"] {
        guard let text = value(name), text.first?.isWhitespace == true || text.last?.isWhitespace == true else {
          continue
        }
        return .warning("\(name) begins or ends with whitespace", "Set it to the secret only.")
      }
      if let home = value("IFTTT_HOME"), !home.hasPrefix("/") {
        return .warning(
          "IFTTT_HOME is a relative path, so it depends on the current folder", "Set it to a path that begins with '/'."
        )
      }
      for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        guard let path = value(name), !path.hasPrefix("/") else { continue }
        return .warning("\(name) is not an absolute path and is ignored", "Set it to a path that begins with '/'.")
      }
      if value("HTTP_PROXY") != nil, value("http_proxy") == nil {
        return .warning(
          "HTTP_PROXY in uppercase is ignored, as in curl", "Set HTTPS_PROXY for IFTTT's hosts, or http_proxy.")
      }
      return .ok("all variables are set to existing paths")
    }
  }
}
