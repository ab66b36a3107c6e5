import Arguments

extension Root {
  static var plugins: Node {
    .group("plugin", summary: "Extend this program with plugins", heading: "Plugins") {
      [
        .verb(PluginTest.self)
      ]
    }
  }
}
