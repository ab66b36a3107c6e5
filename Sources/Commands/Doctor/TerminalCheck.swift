import Text
import World

extension DoctorCheck {
  /// Checks that the terminal and the locale can display the output.
  static var terminal: DoctorCheck {
    DoctorCheck(name: "terminal") { examination in
      let world = examination.world
      if world.terminal.outputIsTerminal {
        switch world.environment[.terminal] ?? "" {
        case "": return .warning("TERM is not set", "Set it to the terminal's name, such as xterm-256color.")
        case "dumb":
          return .warning(
            "TERM is dumb: no color, and nothing is redrawn", "Set TERM to the terminal's name if it supports more.")
        default: break
        }
      }
      let variables: [EnvironmentVariable] = [.localeAll, .localeCharacters, .locale]
      guard let name = variables.first(where: { world.environment[$0]?.isEmpty == false }),
        let locale = world.environment[name]
      else {
        return .warning(
          "no locale is set, so the terminal may not expect UTF-8", "Set LC_ALL to C.UTF-8 or to your locale.")
      }
      let encoding = locale.lowercased().filter { $0 != "-" }
      guard encoding.holds("utf8") else {
        return .warning(
          "\(name)=\(locale) is not UTF-8", "Set LC_ALL=C.UTF-8; otherwise names may be shown incorrectly.")
      }
      return .ok("\(name)=\(locale)")
    }
  }
}
