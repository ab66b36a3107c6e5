import HTTP
import World

extension DoctorCheck {
  /// Reports the proxy in effect. The network check shows whether it works.
  static var proxy: DoctorCheck {
    DoctorCheck(name: "proxy") { examination in
      let proxies = ProxySettings(environment: examination.world.environment)
      guard let proxy = proxies.proxy(forScheme: "https") else { return .ok("none") }
      let except = proxies.exceptions.isEmpty ? "" : ", except for \(proxies.exceptions)"
      return .ok("\(ProxySettings.shown(proxy))\(except)")
    }
  }
}
