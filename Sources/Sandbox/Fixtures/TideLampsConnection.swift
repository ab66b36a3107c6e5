extension SandboxFixtures {
  /// The example from the reference: enabled for the first user, disabled for the second.
  static let tideLamps: SeededConnection = {
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
              preset: .place(38.7, -9.1, radius: 300, address: "Lisboa", description: "Lisboa", zoom: 14))
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
          .place(
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
          .place(41.1496, -8.611, radius: 400, address: "Rua Invented 120, Porto", description: "Casa", zoom: 14))
      ],
      queries: [UserStep("3c8e2b16-f905-47ad-b1d2-40e7a9c65f38")],
      actions: [UserStep("e60b7f13-58d2-4a9c-83f4-2b1c9d7e0a56", .option("cal_a", label: "Garden"), .text("maré"))])
    return SeededConnection(
      Connection(
        id: "Kd7Rn2Qx", name: "Lamps that follow the tide",
        description: "Dims the garden lamps when the tide turns and switches them off when you leave.",
        services: [.lampost, .tidebook, .location], enabledCount: 48,
        publishedAt: OffsetTime(2024, 5, 6, 9, 30, offset: 1), cover: "https://images.lampost.test/",
        listsLegacyActions: true, features: [dark],
        users: [
          "u-5521": UserConnection(status: .enabled, features: [kai]),
          "u-7304": UserConnection(status: .disabled, features: [mira]),
        ]))
  }()
}
