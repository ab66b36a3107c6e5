import Arguments

extension Root {
  static var store: Node {
    .group("store", summary: "Look at the database and check it", heading: "Set-up") {
      [.verb(StoreInfo.self), .verb(StoreCheck.self)]
    }
  }
}
