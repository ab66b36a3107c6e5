/// The number of colors a terminal shows.
package enum TerminalColors: Sendable {
  case none
  /// xterm's 256 colors, of which the cube and the grays are the same everywhere.
  case indexed
  case direct

  /// The SGR parameters for a foreground or background color (ECMA-48, 8.3.117; ISO 8613-6). Empty without colors.
  func parameters(_ color: RGB, ground: Bool) -> String {
    let kind = ground ? "48" : "38"
    switch self {
    case .none: return ""
    case .indexed: return "\(kind);5;\(color.index)"
    case .direct: return "\(kind);2;\(color.red);\(color.green);\(color.blue)"
    }
  }
}

extension RGB {
  /// The nearest of the 240 colors that no theme changes: a cube of six levels per channel, and 24 grays.
  var index: Int {
    let levels = [0, 95, 135, 175, 215, 255]
    let channels = [Int(red), Int(green), Int(blue)]
    let cube = channels.map { channel in
      levels.indices.min { abs(levels[$0] - channel) < abs(levels[$1] - channel) } ?? 0
    }
    let gray = min(max((channels.reduce(0, +) / 3 - 3) / 10, 0), 23)
    func distance(_ other: [Int]) -> Int { zip(channels, other).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } }
    let grayLevel = 8 + gray * 10
    if distance([grayLevel, grayLevel, grayLevel]) < distance(cube.map { levels[$0] }) { return 232 + gray }
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
  }
}
