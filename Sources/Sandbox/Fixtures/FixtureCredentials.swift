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
}
