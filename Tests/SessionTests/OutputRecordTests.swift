import JSON
import Output
import Testing

@testable import Session

/// Everything that is printed about a record follows from its fields.
@Suite struct OutputRecordTests {
  private struct Book: OutputRecord {
    enum Shelf: String, CaseIterable, OutputValue { case sea, land }
    struct Author: OutputRecord {
      let name: String
      static let fields: Fields = [Field("name", "The name", column: "AUTHOR", style: .foreign) { $0.name }]
    }

    var shelf: Shelf?
    var author: Author?
    var labels: [String: String] = [:]

    static let fields: Fields = [
      Field("title", "The title", column: "Title", overflow: .keep) { _ in "Tides" },
      Field("pages", "The number of pages", column: "Pages", style: .number, columnNumber: 1) { _ in 12 },
      Field("shelf", "The shelf") { $0.shelf },
      Field("author", "The author") { $0.author },
      Field("tags", "Tags") { _ in ["a", "b"] },
      Field("labels", "Labels") { OutputMap($0.labels.map { ($0.key, $0.value) }) },
      Field("lost", "Whether it is lost", column: "Lost", isInDataOnly: true) { _ in false },
      Field("weight", "The weight") { _ in 0.5 },
    ]
  }

  @Test func jsonHasEveryKey() {
    let full = Book(shelf: .sea, author: Book.Author(name: "Kai"), labels: ["a": "b"])
    #expect(
      full.json.text == #"{"title":"Tides","pages":12,"shelf":"sea","author":{"name":"Kai"},"tags":["a","b"],"#
        + #""labels":{"a":"b"},"lost":false,"weight":0.5}"#)
    #expect(
      Book().json.text == #"{"title":"Tides","pages":12,"shelf":null,"author":null,"tags":["a","b"],"labels":{},"#
        + #""lost":false,"weight":0.5}"#)
  }

  @Test(
    arguments: [
      ("title", #"{"description":"The title","type":"string"}"#),
      ("pages", #"{"description":"The number of pages","type":"integer"}"#),
      ("shelf", #"{"description":"The shelf","enum":["sea","land",null]}"#),
      (
        "author",
        #"{"description":"The author","anyOf":[{"type":"object","properties":{"name":{"description":"The name","#
          + #""type":"string"}},"required":["name"],"additionalProperties":false},{"type":"null"}]}"#
      ),
      ("tags", #"{"description":"Tags","type":"array","items":{"type":"string"}}"#),
      ("labels", #"{"description":"Labels","type":"object","additionalProperties":{"type":"string"}}"#),
      ("lost", #"{"description":"Whether it is lost","type":"boolean"}"#),
      ("weight", #"{"description":"The weight","type":"number"}"#),
    ]) func typesFollowFromTheValues(key: String, schema: String)
  {
    #expect(Book.schema["properties"]?[key]?.text == schema)
  }

  @Test func optionalTextMayBeNull() {
    #expect(JSONValue.object(String?.schema).text == #"{"type":["string","null"]}"#)
    #expect(JSONValue.object(JSONValue.schema).text == "{}")
  }

  @Test func documentsFollowTheForm() {
    let one = OutputSchema.one(Book.Author.self)
    #expect(one.document(named: "author")["type"] == "object")
    #expect(one.document(named: "author")["required"] == ["name"])
    #expect(one.document(named: "author")["title"] == "author")
    let many = OutputSchema.many(Book.Author.self)
    #expect(many.document(named: "authors")["items"] == .object(Book.Author.schema))
    #expect(many.singleForOne.document(named: "authors")["anyOf"]?.array?.count == 2)
    #expect(many.single.form == .one)
  }

  @Test func fieldsAreThePathsOfTheSchema() {
    let paths = ["title", "pages", "shelf", "author.name", "tags", "labels.*", "lost", "weight"]
    #expect(Set(OutputSchema.many(Book.self).fields).isSuperset(of: paths))
  }

  @Test func columnsHaveTheirPlacesAndPaths() {
    let columns = OutputSchema.many(Book.self).columns
    #expect(columns.map(\.title) == ["PAGES", "TITLE", "AUTHOR", "LOST"])
    #expect(columns.map(\.path) == ["pages", "title", "author.name", "lost"])
    #expect(columns.map(\.style) == [.number, .plain, .foreign, .plain])
    #expect(columns.map(\.overflow) == [.truncate, .keep, .truncate, .truncate])
    #expect(columns.map(\.isInDataOnly) == [false, false, false, true])
  }
}
