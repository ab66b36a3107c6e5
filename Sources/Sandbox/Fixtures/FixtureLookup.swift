extension SandboxFixtures {
  /// The connections that the sandbox profile tracks from the start, all from its own service.
  package static let connectionIDs = [
    "Kd7Rn2Qx", "Fq3Lw8Zt", "pT5vXb2M", "Rw9Ky4Hc", "Wd5Po8Rk", "Xe2Gf9Ln", "Ud6Jn1Gs", "Yb8Cz3Ve", "Mh4Ts7Aq",
  ]
  /// The connections of its own service that it does not track from the start.
  package static let untrackedConnectionIDs = ["Nb3Fw7Ls", "Hx5Qm9Jd"]
  /// A connection of the other partner service.
  package static let foreignConnectionID = "Or4Ch7Dz"

  /// The connection with this id, built on first use.
  static func connection(_ id: String) -> SeededConnection? {
    switch id {
    case "Kd7Rn2Qx": tideLamps
    case "Fq3Lw8Zt": everySetting
    case "pT5vXb2M": eveningLights
    case "Rw9Ky4Hc": gardenAtSunset
    case "Wd5Po8Rk": leavingHome
    case "Xe2Gf9Ln": openingHours
    case "Ud6Jn1Gs": stormWarning
    case "Yb8Cz3Ve": mailBlink
    case "Mh4Ts7Aq": lanternParty
    case "Nb3Fw7Ls": neighbourhoodLanterns
    case "Hx5Qm9Jd": hostileNames
    case foreignConnectionID: rainSkip
    default: nil
    }
  }

  static func applets(of service: String) -> [SeededApplet]? {
    switch service {
    case serviceID: lampostApplets
    case otherServiceID: orchardApplets
    default: nil
    }
  }

  /// The seeded status: never enabled for users without one, and nil for an id that is not in the fixtures.
  static func seededStatus(of user: String, in id: String) -> SandboxUserStatus? {
    if let seeded = connection(id) { return seeded.connection.users[user]?.status ?? .neverEnabled }
    let applets = lampostApplets + orchardApplets
    return applets.first { $0.applet.id == id }.map { $0.applet.users[user]?.status ?? .neverEnabled }
  }
}
