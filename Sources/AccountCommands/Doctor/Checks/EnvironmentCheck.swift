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
        return .failure("\(name) names \(path), which is not there", "Unset \(name), or let it name what there is.")
      }
      for name in [EnvironmentVariable.storeKeyFile, .storePassphraseFile] {
        guard let path = value(name), !examination.exists(path) else { continue }
        return .failure("\(name) names \(path), which is not there", "Unset \(name), or put the file there.")
      }
      for name in [EnvironmentVariable.userToken, .serviceKey, .accessToken, .inviteCode] {
        guard let text = value(name), text.first?.isWhitespace == true || text.last?.isWhitespace == true else {
          continue
        }
        return .warning("\(name) begins or ends with white space", "Set it to the secret alone.")
      }
      if let home = value(.directory), !home.hasPrefix("/") {
        return .warning("IFTTT_HOME is another folder wherever you stand", "Set it to a path that begins with '/'.")
      }
      for name in [EnvironmentVariable.configFolder, .dataFolder, .stateFolder, .cacheFolder] {
        guard let path = value(name), !path.hasPrefix("/") else { continue }
        return .warning("\(name) is no absolute path and is ignored", "Set it to a path that begins with '/'.")
      }
      if value(.httpProxy) != nil, value(.lowercaseHTTPProxy) == nil {
        return .warning(
          "HTTP_PROXY in capitals is not read, as in curl", "Set http_proxy, or HTTPS_PROXY, which IFTTT's hosts need.")
      }
      return .ok("no variable is set to what is not there")
    }
  }
}
