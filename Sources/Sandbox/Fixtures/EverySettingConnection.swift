extension SandboxFixtures {
  /// A connection with a field of every type, and two instances of one feature.
  static let everySetting: Connection = {
    let rooms = SandboxFixtures.arrivalFeature
    let weather = SandboxFixtures.weatherFeature
    let kitchen = UserFeature(
      id: "1f5c2a7e-88d0-4b36-9c14-e7a3d5096b42", feature: rooms,
      values: [.text("Küche, warm"), .text("2700 K\n40 %")],
      triggers: [
        UserStep(
          "9b0e4d68-31f7-42ca-a5d8-0c6f27b1e983",
          .location(
            38.736946, -9.142685, radius: 349.2418372528667, address: "Rua Invented 9, Lisboa", description: "Home",
            zoom: 16))
      ],
      actions: [
        UserStep(
          "4d82f6b0-c719-4e5a-b603-5a1e98d7c2f4", .option("sc_02", label: "Kitchen, bright", group: "Ground floor"),
          .options([(value: "l_1", label: "Ceiling"), (value: "l_4", label: "Über dem Herd")]))
      ])
    let hall = UserFeature(
      id: "a6d93c15-0e7b-4f82-8b4d-92c0f1e56a37", feature: rooms, isEnabled: false,
      values: [.text("Hall"), .text("")],
      triggers: [
        UserStep(
          "c3f7a1e4-65b8-4d09-97e2-8d4b0a6c5f12",
          .location(38.7223, -9.1393, radius: 150, address: "Praça Invented 2, Lisboa", description: "Work", zoom: nil))
      ],
      actions: [
        UserStep(
          "70e1b9d5-2a4c-4683-af07-b6d8e3c95124", .option("sc_07", label: "Hall, dim", group: nil), .options([]))
      ])
    let sky = UserFeature(
      id: "e84b0f29-d613-47a5-8c92-1a7f5e0d3b6c", feature: weather,
      triggers: [
        UserStep(
          "52a9c7f0-b3e6-4d18-9405-f8c1e7d2a69b",
          .location(38.6979, -9.4215, address: "Cascais", description: "The harbour", zoom: 12), .text("12.5")),
        UserStep(
          "08d6e3b1-4f92-4c7a-b5e0-27a9f1c8d364",
          .location(38.7, -9.3, radius: 25_000, address: "Lisboa – Cascais", description: "The coast 🌊", zoom: 9)),
        UserStep(
          "bd15f8a2-97c0-4e63-81d4-3e6b0c9a7f25",
          .location(38.7369, -9.1427, radius: 500, address: "Rua Invented 9, Lisboa", description: "Home", zoom: 15)),
        UserStep(
          "f94c2e60-1ad7-45b8-a3f6-6c0d8e5b1927",
          .location(
            38.7369, -9.1427, radius: 120, address: "Rua Invented 9, Lisboa", description: "Front door", zoom: 17)),
      ],
      queries: [UserStep("6be07d31-fc58-4a24-90b9-d1e5a3f8c740", .option("u_c", label: "°C"))],
      actions: [UserStep("23c8a5f7-e0b4-4916-8d7e-a9f60b1c3d52", .text("Wind & waves: {{Speed}} < \"gale\""))])
    return Connection(
      id: "Fq3Lw8Zt", name: "Every lamp, every room",
      description: "Lights for coming home, for going out, and for the weather on the way.",
      services: [.lampost, .location, .skyglass, .letterbox], enabledCount: 1_307,
      publishedAt: OffsetTime(2023, 11, 20, 18, 5, 40, offset: 0), cover: "https://images.lampost.test/rooms-",
      features: [rooms, weather],
      users: [
        "u-5521": UserConnection(
          status: .enabled, lastRunAt: OffsetTime(2026, 1, 30, 22, 14, 9), features: [kitchen, hall, sky])
      ])
  }()

  /// The scenes. One was relabeled and moved to another group after a user selected it.
  private static let scenes = [
    Option("sc_01", "Evening", group: "All"), Option("sc_05", "Everything off", group: "All"),
    Option("sc_02", "Kitchen, bright", group: "Ground floor"), Option("sc_07", "Hall, dimmed", group: "Ground floor"),
    Option("sc_09", "Attic", group: "Upstairs"), Option("sc_10", "Evening", group: "Upstairs"),
  ]
  private static let lamps = [
    Option("l_1", "Ceiling"), Option("l_2", "Table"), Option("l_3", "Reading"), Option("l_4", "Über dem Herd"),
  ]

  private static let arrivalFeature = Feature(
    id: "r2pzk8ydqn", title: "Come home to light", description: "One for each room you like.", icon: "home",
    fields: [
      Field("label", "What do you call it?", .textField, preset: .text("Living room")),
      Field("remarks", "Remarks", .textArea, preset: .text(""), required: false),
    ],
    triggers: [
      Step(
        "t1xh5mqvrc", .location, "enter_region_location", "You enter an area",
        [Field("location", "Area", .locationEnter)])
    ],
    actions: [
      Step(
        "a9wn3jebtk", .lampost, "set_scene", "Set a scene",
        [
          Field(
            "scene", "Scene", .doubleCollectionSelect, preset: .option("sc_01", label: "Evening", group: "All"),
            options: scenes),
          Field(
            "lamps", "Lamps", .checkboxMulti, preset: .options([(value: "l_1", label: "Ceiling")]), required: false,
            options: lamps),
        ])
    ])

  private static let weatherFeature = Feature(
    id: "v6gs4cfuxm", title: "Weather lamps", description: "Colours for wind, rain and your way out.", icon: "weather",
    triggers: [
      Step(
        "t3dk9zwpla", .skyglass, "wind_at_point", "Wind at a place",
        [Field("place", "Place", .locationPoint), Field("speed", "Metres a second", .textField, preset: .text("10"))]),
      Step("t7ru2ynfbe", .skyglass, "rain_in_area", "Rain in an area", [Field("area", "Area", .locationRadius)]),
      Step(
        "t4qj8hsxmo", .location, "exit_region_location", "You exit an area",
        [Field("location", "Area", .locationExit)]),
      Step(
        "t6cv1gtiwd", .location, "enter_or_exit_region_location", "You enter or exit an area",
        [
          Field(
            "location", "Area", .locationEnterOrExit,
            preset: .location(0, 0, radius: 100, address: "", description: "", zoom: 2))
        ]),
    ],
    queries: [
      Step(
        "q8fy5bopkz", .skyglass, "forecast", "Forecast",
        [
          Field(
            "unit", "Unit", .collectionSelect, preset: .option("u_c", label: "°C"),
            options: [Option("u_c", "°C"), Option("u_f", "°F"), Option("u;k=1+2&/~%", "K")])
        ], rows: forecast)
    ],
    actions: [
      Step("a5lm7xdgrh", .letterbox, "send_me_mail", "Send me a mail", [Field("subject", "Subject", .textField)])
    ])
}
