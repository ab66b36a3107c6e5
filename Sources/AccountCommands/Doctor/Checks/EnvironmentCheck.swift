import EnvironmentVariables
import Hints
import World

extension DoctorCheck {
  /// Checks for variables with invalid values.
  static var environment: DoctorCheck {
    DoctorCheck(name: "environment") { examination in
      func value(_ variable: EnvironmentVariable) -> String? {
        examination.world.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
      }
      for name in [EnvironmentVariable.certificateBundle, .certificateFile, .certificateFolder] {
        guard let path = value(name), !examination.exists(path) else { continue }
        return .failure(
          "\(name) is set to \(path), which does not exist", "Unset \(name), or set it to an existing path.")
      }
      for name in [EnvironmentVariable.storeKeyFile, .storePassphraseFile] {
        guard let path = value(name), !examination.exists(path) else { continue }
        return .failure("\(name) is set to \(path), which does not exist", "Unset \(name), or create the file.")
      }
      if let file = value(.tlsKeyLog) {
        return .warning(
          "SSLKEYLOGFILE is set: libcurl writes keys to \(file) that decrypt a recording of the traffic",
          "Unset SSLKEYLOGFILE.")
      }
      for name in [
        EnvironmentVariable.userToken, .serviceKey, .accessToken, .oauthCode, .inviteCode, .webhooksKey,
      ] {
        guard let text = value(name), text.first?.isWhitespace == true || text.last?.isWhitespace == true else {
          continue
        }
        return .warning("\(name) begins or ends with whitespace", "Set it to the secret only.")
      }
      if let home = value(.directory), !home.hasPrefix("/") {
        return .warning(
          "IFTTT_HOME is a relative path, so it depends on the current folder", "Set it to a path that begins with '/'."
        )
      }
      for name in [EnvironmentVariable.configFolder, .dataFolder, .stateFolder, .cacheFolder] {
        guard let path = value(name), !path.hasPrefix("/") else { continue }
        return .warning("\(name) is not an absolute path and is ignored", "Set it to a path that begins with '/'.")
      }
      if value(.httpProxy) != nil, value(.lowercaseHTTPProxy) == nil {
        return .warning(
          "HTTP_PROXY in uppercase is ignored, as in curl", "Set HTTPS_PROXY for IFTTT's hosts, or http_proxy.")
      }
      return .ok("all variables are set to existing paths")
    }
  }
}
