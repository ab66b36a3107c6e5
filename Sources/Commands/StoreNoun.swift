import CommandLine
package import Session

extension Node {
  package static var store: Node {
    .group("store", summary: "Manage the database: check, back up, restore, change its key", heading: "Setup") {
      [
        .verb(StoreInfo.self),
        .verb(StoreCheck.self),
        .verb(StoreBackup.self),
        .verb(StoreRestore.self),
        .verb(StoreRekey.self),
      ]
    }
  }
}
