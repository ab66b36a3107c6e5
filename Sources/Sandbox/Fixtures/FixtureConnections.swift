extension SandboxFixtures {
  /// The example of docs/api/connect.md §8: enabled for the first user, disabled for the second.
  static let tideLamps: Connection = {
    let dark = Feature(
      id: "mw4tq9hzjc", title: "Leave and the lamps go dark", icon: "bulb",
      fields: [
        Field(
          "scene", "Scene", .collectionSelect, preset: .option("sc_01", label: "Evening"),
          options: [Option("sc_01", "Evening"), Option("sc_03", "Low tide"), Option("sc_04", "Night")])
      ],
      triggers: [
        Step(
          "t8kd2vpyna", .location, "exit_region_location", "You exit an area",
          [
            Field(
              "location", "Area", .locationExit,
              preset: .location(38.7, -9.1, radius: 300, address: "Lisboa", description: "Lisboa", zoom: 14))
          ])
      ],
      queries: [Step("q5bn7xrwme", .tidebook, "list_tides", "List tides", rows: tides)],
      actions: [
        Step(
          "a3ch6zlgus", .tidebook, "add_entry", "Add an entry",
          [
            Field(
              "calendar", "Which calendar?", .collectionSelect,
              options: [Option("cal_a", "Garden"), Option("cal_b", "Boat", group: "Shared")]),
            Field("note", "Note", .textArea, preset: .text(""), required: false, hidden: true),
          ])
      ])
    let kai = UserFeature(
      id: "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326", feature: dark, values: [.option("sc_04", label: "Night")],
      triggers: [
        UserStep(
          "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54",
          .location(
            38.7369, -9.1427, radius: 220.5, address: "Rua Invented 9, Lisboa", description: "Home", zoom: 15))
      ],
      queries: [UserStep("0b5d7c22-9e61-4f3a-8a17-6d4c2e9f8b10")],
      actions: [
        UserStep(
          "c91f3e57-24ab-4d08-b6d5-1f7a0c8e3b62", .option("cal_b", label: "Boat", group: "Shared"), .text(""))
      ])
    let mira = UserFeature(
      id: "5e1d90b7-73c4-4f2e-9a68-d0c3b5f71e24", feature: dark, values: [.option("sc_01", label: "Evening")],
      triggers: [
        UserStep(
          "7a44f0d9-12be-4c57-8d3e-96f1a0c2b785",
          .location(41.1496, -8.611, radius: 400, address: "Rua Invented 120, Porto", description: "Casa", zoom: 14))
      ],
      queries: [UserStep("3c8e2b16-f905-47ad-b1d2-40e7a9c65f38")],
      actions: [UserStep("e60b7f13-58d2-4a9c-83f4-2b1c9d7e0a56", .option("cal_a", label: "Garden"), .text("maré"))])
    return Connection(
      id: "Kd7Rn2Qx", name: "Lamps that follow the tide",
      description: "Dims the garden lamps when the tide turns and switches them off when you leave.",
      services: [.lampost, .tidebook, .location], enabledCount: 48,
      publishedAt: OffsetTime(2024, 5, 6, 9, 30, offset: 1), cover: "https://images.lampost.test/",
      listsLegacyActions: true, features: [dark],
      users: [
        "u-5521": UserConnection(status: .enabled, features: [kai]),
        "u-7304": UserConnection(status: .disabled, features: [mira]),
      ])
  }()

  /// A connection with combining marks instead of precomposed letters; disabled.
  static let openingHours: Connection = {
    let open = Feature(
      id: "b8tw1jgcyv", title: "Cafe\u{301} lamps at opening time", icon: "cup",
      triggers: [
        Step("t4ea6mzxkp", .tidebook, "every_day_at", "Every day at", [Field("time", "Time", .textField)])
      ])
    return Connection(
      id: "Xe2Gf9Ln", name: "Cafe\u{301} Zu\u{308}rich: N\u{303}andu\u{301}, x\u{302}\u{323} & o\u{308}ffnen",
      description: "Lights the sign of the cafe\u{301} in the morning.", services: [.lampost, .tidebook],
      enabledCount: 7, publishedAt: OffsetTime(2021, 1, 4, 6, 0, offset: 1), features: [open],
      users: [
        "u-5521": UserConnection(
          status: .disabled,
          features: [
            UserFeature(
              id: "b1a60e5d-c497-4f38-8be2-60d9f7c3a514", feature: open,
              triggers: [UserStep("97f2d8c4-0ae3-46b1-95c7-f4b8e01d6a29", .text("06:45"))])
          ])
      ])
  }()

  /// A connection with emoji of several code points, which no seeded user ever enabled.
  static let stormWarning = Connection(
    id: "Ud6Jn1Gs", name: "Storm warning 🌩️ → red lamps 🚨👩🏽‍🚒",
    description: "Turns every lamp red when a storm warning is out. 🇵🇹", services: [.lampost, .skyglass],
    enabledCount: 0, publishedAt: OffsetTime(2025, 10, 9, 23, 30, offset: 5),
    cover: "https://images.lampost.test/storm-",
    features: [
      Feature(
        id: "w9dn5hyzkt", title: "Red lamps", description: nil, icon: "alert",
        fields: [
          Field(
            "scene", "Scene", .collectionSelect, preset: .option("sc_31", label: "Red 🔴"),
            options: [Option("sc_31", "Red 🔴"), Option("sc_32", "Amber 🟠")])
        ],
        triggers: [
          Step(
            "t8sp2bvqjl", .skyglass, "storm_warning", "Storm warning",
            [
              Field(
                "area", "Area", .locationRadius,
                preset: .location(38.7, -9.1, radius: 5_000, address: "Lisboa", description: "Lisboa", zoom: nil))
            ])
        ])
    ],
    users: ["u-5521": UserConnection(status: .neverEnabled)])

  /// A connection that was enabled with its configuration skipped: enabled, with no feature configured
  /// (docs/api/connect.md U4).
  static let mailBlink = Connection(
    id: "Yb8Cz3Ve", name: "New mail blinks the desk lamp ✉️", description: "Blinks once for each new mail.",
    services: [.lampost, .letterbox], enabledCount: 561, publishedAt: OffsetTime(2024, 2, 29, 11, 11, 11),
    features: [
      Feature(
        id: "c4xr8ofmiu", title: "Blink for mail", description: "Choose the sender and the lamp.", icon: "mail",
        triggers: [
          Step(
            "t1lg7wkzdc", .letterbox, "new_mail_from", "New mail from",
            [Field("sender", "Sender", .textField, required: false)])
        ],
        actions: [
          Step(
            "a2yh9pvten", .lampost, "blink", "Blink",
            [
              Field(
                "lamp", "Lamp", .collectionSelect,
                options: [Option("l_desk", "Desk lamp"), Option("l_hall", "Hall lamp"), Option("l_porch", "Porch")])
            ])
        ])
    ],
    users: [
      "u-5521": UserConnection(status: .enabled, isPending: true),
      "u-7304": UserConnection(status: .disabled, isPending: true),
    ])

  /// An unpublished connection, which only the invite code or the service key reveals.
  static let lanternParty = Connection(
    id: "Mh4Ts7Aq", name: "Lantern party (beta) 🏮", description: "Lanterns that dance to the music.",
    services: [.lampost, .hibiki], enabledCount: 2,
    features: [
      Feature(
        id: "e6jf0qscbz", title: "Dance", icon: "music",
        triggers: [Step("t6mx3ahrwo", .hibiki, "song_starts", "A song starts")])
    ],
    users: [:])

  /// A connection of the other partner service.
  static let rainSkip = Connection(
    id: foreignConnectionID, name: "Rain stops the sprinklers",
    description: "Skips a round when rain is coming.", services: [.orchard, .skyglass], enabledCount: 1_804,
    publishedAt: OffsetTime(2020, 4, 17, 10, 0, offset: -5),
    features: [
      Feature(
        id: "y2kv6dtnlg", title: "Skip a round", icon: "rain",
        triggers: [Step("t7qb5ocueh", .skyglass, "rain_expected", "Rain expected")])
    ],
    users: ["90210": UserConnection(status: .enabled)])
}
