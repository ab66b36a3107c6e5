import HTTP
import World

extension DoctorCheck {
  /// Which proxy is in effect; whether it works shows with the network.
  static var proxy: DoctorCheck {
    DoctorCheck(name: "proxy") { examination in
      let proxies = ProxySettings(environment: examination.world.environment)
      guard let proxy = proxies.proxy(forScheme: "https") else { return .ok("none") }
      let except = proxies.exceptions.isEmpty ? "" : ", except for \(proxies.exceptions)"
      return .ok("\(ProxySettings.shown(proxy))\(except)")
    }
  }
}
