import IFTTT
import Testing

/// Which texts are e-mail addresses; IFTTT makes the final decision (docs/api/activation.md §8).
struct EmailAddressTests {
  @Test(arguments: [
    "kai@mail.test", "kai+lamps@mail.test", "k.a_i+x@mail.test", "zoë@mail.test", "kai@münchen.test", "k@[127.0.0.1]",
    "k@[2001:db8::1]", "k&i=1@mail.test", "\"@mail.test",
  ])
  func acceptsOneAddress(text: String) { #expect(EmailAddress(parsing: text)?.description == text) }

  @Test func trimsWhiteSpace() {
    #expect(EmailAddress(parsing: " \tkai@mail.test\r\n")?.description == "kai@mail.test")
  }

  @Test(arguments: [
    "", " ", "kai", "@mail.test", "kai@", "kai@mail", "kai@.test", "kai@mail.", "kai@mail..test", "k i@mail.test",
    "kai@ma il.test", "kai@mail.test,zoe@mail.test", "kai@mail.test zoe@mail.test", "Write to kai@mail.test today",
    "kai\u{7}@mail.test", "kai@mail.test\u{1b}[0m", "kai@[]", "kai@[x y]", "kai@mail.test>", "a@b@c.test",
  ])
  func rejectsAnythingElse(text: String) { #expect(EmailAddress(parsing: text) == nil) }

  @Test func lengthIsLimited() {
    let longest = String(repeating: "k", count: 254 - "@mail.test".count) + "@mail.test"
    #expect(EmailAddress(parsing: longest) != nil)
    #expect(EmailAddress(parsing: "k" + longest) == nil)
  }
}
