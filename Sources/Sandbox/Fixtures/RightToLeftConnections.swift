extension SandboxFixtures {
  /// A connection with an Arabic name; enabled, with one of its two features disabled.
  static let gardenAtSunset: SeededConnection = {
    let on = Feature(
      id: "h5yc2vuxgo", title: "تشغيل المصابيح عند الغروب", icon: "bulb",
      fields: [
        Field(
          "scene", "المشهد", .collectionSelect, preset: .option("sc_21", label: "هادئ"),
          options: [Option("sc_21", "هادئ"), Option("sc_22", "دافئ"), Option("sc_23", "ساطع")])
      ],
      triggers: [Step("t5zg8kdnqe", .skyglass, "sunset", "غروب الشمس")])
    let off = Feature(
      id: "k1mb6slrfj", title: "إطفاء المصابيح عند منتصف الليل", icon: "moon",
      triggers: [
        Step("t9iw3xptha", .tidebook, "every_day_at", "كل يوم في", [Field("time", "الوقت", .textField)])
      ])
    return SeededConnection(
      Connection(
        id: "Rw9Ky4Hc", name: "مصابيح الحديقة عند الغروب",
        description: "تضيء مصابيح الحديقة عند الغروب وتطفئها ليلا.",
        services: [.lampost, .skyglass, .tidebook], enabledCount: 92,
        publishedAt: OffsetTime(2025, 6, 14, 20, 45, offset: 3), features: [on, off],
        users: [
          "u-5521": UserConnection(
            status: .enabled, lastRunAt: OffsetTime(2026, 1, 31, 15, 2, 11),
            features: [
              UserFeature(
                id: "6c2fe8d1-90b7-4a35-bd04-e1f7c5a83962", feature: on, values: [.option("sc_22", label: "دافئ")],
                triggers: [UserStep("ae57b093-4cd1-4f86-92e8-0b6d3c7f1a54")]),
              UserFeature(
                id: "15d8a4c7-be62-4039-8f91-7a0c6e5d2bf3", feature: off, isEnabled: false,
                triggers: [UserStep("80f3c6e9-2b75-4da1-a46c-d9e7b1058f32", .text("٢٣:٣٠"))]),
            ])
        ]))
  }()

  /// A connection with a Hebrew name that contains Latin words; enabled, with awkward numbers in its area.
  static let leavingHome: SeededConnection = {
    let leave = Feature(
      id: "z3ql7nadws", title: "כשיוצאים האורות נכבים", icon: "door",
      triggers: [
        Step(
          "t0uk4fvgre", .location, "exit_region_location", "יציאה מאזור", [Field("location", "אזור", .locationExit)])
      ])
    return SeededConnection(
      Connection(
        id: "Wd5Po8Rk", name: "כשיוצאים מהבית Lampost נכבה", description: "מכבה את כל האורות כשיוצאים מהבית.",
        services: [.lampost, .location], enabledCount: 33,
        publishedAt: OffsetTime(2022, 8, 30, 7, 59, 59, offset: -8), cover: "https://images.lampost.test/door-",
        features: [leave],
        users: [
          "u-5521": UserConnection(
            status: .enabled,
            features: [
              UserFeature(
                id: "d9b4f07e-618c-4e23-a5f0-3c7d8b1e96a4", feature: leave,
                triggers: [
                  UserStep(
                    "4e70a9c8-f3d2-4b15-8c6e-b05f9d1a7e63",
                    .place(
                      -0.000012345, 179.999999, radius: 1_000.25, address: "רחוב בדוי 5", description: "הבית", zoom: 18)
                  )
                ])
            ])
        ]))
  }()
}
