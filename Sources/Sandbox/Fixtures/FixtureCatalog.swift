extension SandboxFixtures.Service {
  static let lampost = Self(
    slug: "lampost", name: "Lampost Lights", shortName: "Lampost", channel: 7_000_001, color: "#3a7d44")
  static let tidebook = Self(
    slug: "tidebook", name: "Tidebook Calendar", shortName: "Tidebook", channel: 7_000_002, color: "#12507b")
  static let skyglass = Self(
    slug: "skyglass", name: "Skyglass Weather", shortName: "Skyglass", channel: 7_000_003, color: "#4a90d9")
  static let letterbox = Self(
    slug: "letterbox", name: "Letterbox Mail", shortName: "Letterbox", channel: 7_000_004, color: "#b5432f")
  static let hibiki = Self(
    slug: "hibiki", name: "響 Hibiki Sound", shortName: "響 Hibiki", channel: 7_000_005, color: "#6b2d8c")
  static let orchard = Self(
    slug: "orchard", name: "Orchard Irrigation", shortName: "Orchard", channel: 7_000_006, color: "#7a9e1f")
  static let lanterns = Self(
    slug: "fawanees", name: "فوانيس الحي", shortName: "فوانيس", channel: 7_000_009, color: "#c98a00")
  static let hostile = Self(
    slug: "bold_co", name: "<b>Bold</b> & \"Co\" \u{202e}oC\u{202c}", shortName: "<b>Bold</b>", channel: 7_000_010,
    color: "#ffffff")
  static let location = Self(
    slug: "location", name: "Location", shortName: "Location", channel: 941_030_000, color: "#0099ff",
    native: [.ios, .android])
  static let pocketReminders = Self(
    slug: "pocket_reminders", name: "Pocket Reminders", shortName: "Reminders", channel: 7_000_007, color: "#ff9500",
    native: [.ios])
  static let ringer = Self(
    slug: "ringer", name: "Ringer Volume", shortName: "Ringer", channel: 7_000_008, color: "#3ddc84",
    native: [.android])

  static let all = [
    lampost, tidebook, skyglass, letterbox, hibiki, orchard, location, pocketReminders, ringer,
    lanterns, hostile,
  ]
}

extension SandboxFixtures {
  /// The partner service of the sandbox profile, by its slug in the older API.
  package static let serviceID = "lampost"
  package static let serviceKey = "sandbox-key-lampost-7hQ2xV9mTz4LcB1n"
  /// The invite code that reveals the service's unpublished connections and Applets.
  package static let inviteCode = "lantern-4417"
  /// The id of the first user of the partner service.
  package static let userID = "u-5521"
  package static let userToken = "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk"
  package static let accessToken = "at_7f20c1"
  /// The key of the Webhooks service. It belongs to an IFTTT account, not to a partner service.
  package static let webhooksKey = "sandbox-webhooks-Jd4Rt8Xw2Mn6PqKv9Yb3"

  /// A second partner service, whose connections the first may not use.
  package static let otherServiceID = "orchard"
  package static let otherServiceKey = "sandbox-key-orchard-Ku5wRp8sYd3EjG6f"

  /// All users who connected a partner service to an IFTTT account.
  package static let users = [
    User(
      id: userID, service: serviceID, login: "kai_lamps", email: "kai@mail.test", userToken: userToken,
      accessToken: accessToken),
    User(
      id: "u-7304", service: serviceID, login: "mira_o", email: "mira.o+lamps@mail.test",
      userToken: "h4NcWb-Q9sUe1XkTf_6RzMj7PyLgA2vD0oHiB8xCqS3tVuEn", accessToken: "at_c93e58"),
    User(
      id: "90210", service: otherServiceID, login: "wen_orchard", email: "wen@orchard.test",
      userToken: "B7mKx2_VgTq-5eLzPw9RdYc4NjHuS1aF8oXiQ0tCvGk6bEyM", accessToken: "oa-1188-40"),
  ]

  /// The services with a service key.
  static let partners = [
    Partner(service: serviceID, key: serviceKey, inviteCode: inviteCode),
    Partner(service: otherServiceID, key: otherServiceKey, inviteCode: nil),
  ]

  /// The email addresses of all IFTTT accounts, whether connected to a partner service or not.
  static let accounts = ["kai@mail.test", "mira.o+lamps@mail.test", "wen@orchard.test", "noor@mail.test"]

  /// The Applets of the partner service. The first one is the example of docs/api/applets.md §2; the last one is
  /// unpublished.
  static let lampostApplets = [
    Connection(
      id: "mB3xWq7T", name: "Lamps on at dusk", description: "Turns the garden lamps on when the sun goes down.",
      services: [.lampost], enabledCount: 1_204, publishedAt: OffsetTime(2017, 9, 12, 8, 15, offset: 1),
      isApplet: true,
      users: [
        "u-5521": UserConnection(status: .enabled, lastRunAt: OffsetTime(2018, 2, 3, 18, 2, 11)),
        "u-7304": UserConnection(status: .disabled, lastRunAt: OffsetTime(2017, 12, 1, 17, 0, 3)),
      ]),
    Connection(
      id: "cH8nRt5K", name: "Blink when a letter comes", description: "Blinks the hall lamp for each new mail.",
      services: [.lampost, .letterbox], enabledCount: 310, publishedAt: OffsetTime(2018, 1, 20, 16, 40, offset: -5),
      isApplet: true, users: [:]),
    Connection(
      id: "vL2sJy9D", name: "雨の日は青い灯り", description: "雨が降りそうな朝は灯りを青くします。",
      services: [.lampost, .skyglass], enabledCount: 87, publishedAt: OffsetTime(2018, 5, 7, 0, 30, offset: 9),
      isApplet: true,
      users: [
        "u-5521": UserConnection(status: .disabled, lastRunAt: OffsetTime(2018, 6, 11, 6, 58, offset: 9)),
        "u-7304": UserConnection(status: .enabled),
      ]),
    Connection(
      id: "gZ6pFw4X", name: "A reminder is due, the lamp blinks", description: "For what you must not forget.",
      services: [.lampost, .pocketReminders], enabledCount: 2_950,
      publishedAt: OffsetTime(2018, 5, 6, 21, 0, offset: 2),
      isApplet: true, users: ["u-5521": UserConnection(status: .enabled)]),
    Connection(
      id: "kQ7eUb3N", name: "Lights off, phone silent 🔕",
      description: "Silences the phone when you are home and the last lamp is off.",
      services: [.lampost, .ringer, .location], enabledCount: 640,
      publishedAt: OffsetTime(2017, 11, 3, 9, 5, offset: 0),
      isApplet: true, users: [:]),
    Connection(
      id: "tN9aVc6P", name: "Porch light when you come home", description: "Greets you at the door.",
      services: [.lampost, .location], enabledCount: 4_411, publishedAt: OffsetTime(2018, 3, 15, 13, 22, 45),
      isApplet: true, users: ["u-7304": UserConnection(status: .enabled)]),
    Connection(
      id: "zD4hMr8S", name: "Cafe\u{301} ☕️ warm light", description: "Warm light while the coffee brews.",
      services: [.lampost, .tidebook], enabledCount: 0, publishedAt: nil, isApplet: true, users: [:]),
  ]

  static let orchardApplets = [
    Connection(
      id: "bW5yKj2L", name: "Water at sunrise", description: "Opens the valves for ten minutes.",
      services: [.orchard, .skyglass], enabledCount: 58, publishedAt: OffsetTime(2018, 4, 2, 5, 45, offset: -7),
      isApplet: true, users: ["90210": UserConnection(status: .enabled)])
  ]

  /// A connection of the catalog, which is built on first use.
  private typealias ConnectionEntry = (id: String, connection: @Sendable () -> Connection)

  private static let trackedConnections: [ConnectionEntry] = [
    ("Kd7Rn2Qx", { tideLamps }), ("Fq3Lw8Zt", { everySetting }), ("pT5vXb2M", { eveningLights }),
    ("Rw9Ky4Hc", { gardenAtSunset }), ("Wd5Po8Rk", { leavingHome }), ("Xe2Gf9Ln", { openingHours }),
    ("Ud6Jn1Gs", { stormWarning }), ("Yb8Cz3Ve", { mailBlink }), ("Mh4Ts7Aq", { lanternParty }),
  ]
  private static let untrackedConnections: [ConnectionEntry] = [
    ("Nb3Fw7Ls", { neighbourhoodLanterns }), ("Hx5Qm9Jd", { hostileNames }),
  ]
  private static let foreignConnection: ConnectionEntry = (foreignConnectionID, { rainSkip })
  private static let allConnections = trackedConnections + untrackedConnections + [foreignConnection]

  /// The connections that the sandbox profile tracks from the start, all from its own service.
  package static let connectionIDs = trackedConnections.map(\.id)
  /// A connection of the other partner service.
  package static let foreignConnectionID = "Or4Ch7Dz"
  static let allConnectionIDs = allConnections.map(\.id)

  static func connection(_ id: String) -> Connection? { allConnections.first { $0.id == id }?.connection() }

  static func applets(of service: String) -> [Connection]? {
    switch service {
    case serviceID: lampostApplets
    case otherServiceID: orchardApplets
    default: nil
    }
  }

  /// The seeded status: never enabled for users without one, and nil for an id that is not in the fixtures.
  static func seededStatus(of user: String, in id: String) -> SandboxUserStatus? {
    let found = connection(id) ?? (lampostApplets + orchardApplets).first { $0.id == id }
    return found.map { $0.users[user]?.status ?? .neverEnabled }
  }
}
