extension SandboxFixtures {
  /// A connection whose second service has an Arabic name, and whose user selected an option that no longer exists.
  static let neighbourhoodLanterns: SeededConnection = {
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
    return SeededConnection(
      Connection(
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
        ]))
  }()

  /// A connection with markup, quotes, terminal escapes and direction changes in every text.
  static let hostileNames: SeededConnection = {
    let bell = "\u{7}\u{1b}[31m\u{1b}]0;owned\u{7}"
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
    return SeededConnection(
      Connection(
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
        ]))
  }()
}
