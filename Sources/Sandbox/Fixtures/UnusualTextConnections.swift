extension SandboxFixtures {
  /// A connection with a Japanese name; disabled for the first user, enabled for the second.
  static let eveningLights: Connection = {
    let dusk = Feature(
      id: "n7xe3kwqbd", title: "日が暮れたら点ける", description: "夕暮れに合わせて灯りをつけます。", icon: "sunset",
      fields: [
        Field(
          "scene", "シーン", .collectionSelect, preset: .option("sc_11", label: "夕焼け", group: "季節"),
          options: [
            Option("sc_11", "夕焼け", group: "季節"), Option("sc_12", "月夜", group: "季節"), Option("sc_13", "読書"),
          ])
      ],
      triggers: [Step("t2ob9rmlcs", .skyglass, "sunset", "日没")],
      actions: [
        Step("a8vt4phyie", .hibiki, "play", "音楽を流す", [Field("playlist", "プレイリスト", .textField)])
      ])
    let kai = UserFeature(
      id: "39f0d7c6-a5e1-4b82-96d3-0e8c7b4f1a25", feature: dusk,
      values: [.option("sc_12", label: "月夜", group: "季節")],
      triggers: [UserStep("d5b8e214-7f09-4c63-a1d7-c80f3e69b52a")],
      actions: [UserStep("87c1f6a3-e04d-45b9-b27e-5d9a0c3f8e16", .text("静かな夜 🌙"))])
    let mira = UserFeature(
      id: "c07a5e9d-3b16-4d8f-82e4-f1b6d9a03c75", feature: dusk,
      values: [.option("sc_11", label: "夕焼け", group: "季節")],
      triggers: [UserStep("2e94b6f8-d1c0-4a57-9f3b-a7e05c8d6142")],
      actions: [UserStep("f6d3a0b9-58e7-4c12-8a46-9b0e7f1d5c83", .text("夏祭り"))])
    return Connection(
      id: "pT5vXb2M", name: "夕方になったら灯りをつける", description: "日没に灯りをつけて、音楽を流します。",
      services: [.lampost, .skyglass, .hibiki], enabledCount: 215,
      publishedAt: OffsetTime(2025, 3, 1, 12, 0, offset: 9), features: [dusk],
      users: [
        "u-5521": UserConnection(
          status: .disabled, lastRunAt: OffsetTime(2025, 12, 24, 17, 2, offset: 9), features: [kai]),
        "u-7304": UserConnection(
          status: .enabled, lastRunAt: OffsetTime(2026, 2, 2, 17, 31, 8, offset: 9), features: [mira]),
      ])
  }()

  /// A connection with an Arabic name; enabled, with one of its two features disabled.
  static let gardenAtSunset: Connection = {
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
    return Connection(
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
      ])
  }()

  /// A connection with a Hebrew name that contains Latin words; enabled, with awkward numbers in its area.
  static let leavingHome: Connection = {
    let leave = Feature(
      id: "z3ql7nadws", title: "כשיוצאים האורות נכבים", icon: "door",
      triggers: [
        Step(
          "t0uk4fvgre", .location, "exit_region_location", "יציאה מאזור", [Field("location", "אזור", .locationExit)])
      ])
    return Connection(
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
                  .location(
                    -0.000012345, 179.999999, radius: 1_000.25, address: "רחוב בדוי 5", description: "הבית", zoom: 18)
                )
              ])
          ])
      ])
  }()

  /// A connection whose second service has an Arabic name, and whose user selected an option that no longer exists.
  static let neighbourhoodLanterns: Connection = {
    let lanterns = Feature(
      id: "g7zo2hmqcw", title: "Lanterns of the neighbourhood", description: "One lantern, or a whole street.",
      icon: "lantern",
      actions: [
        Step(
          "a4nk8vsdyt", .lanterns, "light_lantern", "أضئ فانوسا",
          [
            Field(
              "lantern", "أي فانوس؟", .doubleCollectionSelect,
              options: [
                Option("f_1", "عند الباب", group: "شارع النخيل"), Option("f_2", "عند البئر", group: "شارع النخيل"),
                Option("f_3", "عند الجسر", group: "شارع النهر"),
              ]),
            Field(
              "colours", "الألوان", .checkboxMulti, required: false,
              options: [Option("c_r", "أحمر"), Option("c_g", "أخضر")]),
          ])
      ])
    return Connection(
      id: "Nb3Fw7Ls", name: "Lanterns in the street", description: "Lights a lantern of the neighbourhood.",
      services: [.lampost, .lanterns], enabledCount: 18,
      publishedAt: OffsetTime(2025, 4, 2, 19, 0, offset: 2), features: [lanterns],
      users: [
        "u-5521": UserConnection(
          status: .enabled,
          features: [
            UserFeature(
              id: "b27d90e4-1c5f-4a68-93b7-e8f04d6a2c91", feature: lanterns,
              actions: [
                UserStep(
                  "5fa3c810-7be9-4d26-a0f4-96d1e7b8c35a",
                  .option("f_0", label: "عند السوق", group: "شارع السوق"), .options([]))
              ])
          ])
      ])
  }()

  /// Terminal escapes that ring the bell, color the text and rename the window.
  static let bell = "\u{7}\u{1b}[31m\u{1b}]0;owned\u{7}"

  /// A connection with markup, quotes, terminal escapes and direction changes in every text.
  static let hostileNames: Connection = {
    let feature = Feature(
      id: "j0pd6wkxeu", title: "</h1><script>alert('title')</script>",
      description: "<img src=x onerror=alert(1)>\u{202e} backwards", icon: "bug",
      fields: [
        Field("note", "\"><script>alert(2)</script>", .textArea, preset: .text("</textarea><b>"), required: false)
      ],
      actions: [
        Step(
          "a1qv7bzrhm", .hostile, "shout", "Shout\(bell) & 'say' \"so\"",
          [
            Field(
              "word", "Word\r\nSet-Cookie: a=b", .collectionSelect,
              options: [
                Option("w\"1'<>&", "</option><script>\(bell)", group: "</optgroup>"), Option("w 2", "plain\u{9b}31m"),
              ])
          ])
      ])
    return Connection(
      id: "Hx5Qm9Jd", name: "</title><script>alert(1)</script> \"a\" & 'b' \u{202e}c",
      description: "Line\u{2028}break, <style>*{display:none}</style>\(bell)", services: [.lampost, .hostile],
      enabledCount: 666, publishedAt: OffsetTime(2024, 10, 31, 23, 59, 59), features: [feature],
      users: [
        "u-5521": UserConnection(
          status: .enabled,
          features: [
            UserFeature(
              id: "d80b61f3-4e29-47ca-bd53-0f7a9c1e6824", feature: feature, values: [.text("<i>& \(bell)")],
              actions: [
                UserStep(
                  "e31f0a97-c6d8-4b52-87e4-2a9d5b0c7f18",
                  .option("w 2", label: "plain\u{9b}31m"))
              ])
          ])
      ])
  }()
}
