extension SandboxFixtures {
  /// A connection with a Japanese name; disabled for the first user, enabled for the second.
  static let eveningLights: SeededConnection = {
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
    return SeededConnection(
      Connection(
        id: "pT5vXb2M", name: "夕方になったら灯りをつける", description: "日没に灯りをつけて、音楽を流します。",
        services: [.lampost, .skyglass, .hibiki], enabledCount: 215,
        publishedAt: OffsetTime(2025, 3, 1, 12, 0, offset: 9), features: [dusk],
        users: [
          "u-5521": UserConnection(
            status: .disabled, lastRunAt: OffsetTime(2025, 12, 24, 17, 2, offset: 9), features: [kai]),
          "u-7304": UserConnection(
            status: .enabled, lastRunAt: OffsetTime(2026, 2, 2, 17, 31, 8, offset: 9), features: [mira]),
        ]))
  }()
}
