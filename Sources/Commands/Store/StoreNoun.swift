import Arguments

extension Root {
  static var store: CommandNode<Action> {
    .group("store", summary: "The database", heading: "Set-up") {
      [.verb(StoreInfo.self), .verb(StoreCheck.self)]
    }
  }
}
