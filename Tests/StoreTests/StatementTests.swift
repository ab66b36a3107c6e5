import Store
import Testing

/// A database keeps compiled statements for the next use of the same SQL.
@Suite struct StatementTests {
  private let home = TestHome()

  /// A database with an empty table.
  private func database() throws -> Database {
    try home.store().save(Profile(name: "work"))
    let database = try home.database()
    try database.execute("CREATE TEMP TABLE line (number INTEGER PRIMARY KEY, text TEXT UNIQUE)")
    return database
  }

  @Test func statementInUseIsNotSharedWithTheNext() throws {
    let database = try database()
    for text in ["a", "b", "c"] { try database.run("INSERT INTO line (text) VALUES (?)", .text(text)) }
    let select = "SELECT text FROM line ORDER BY number"
    var seen: [String] = []
    let outer = try database.prepare(select)
    while try outer.step() {
      seen.append(outer.text(0))
      let inner = try database.prepare(select)
      while try inner.step() { seen.append(inner.text(0)) }
    }
    #expect(seen.joined() == "aabcbabccabc")
  }

  @Test func reusedStatementHasNoValuesOfTheLastUse() throws {
    let database = try database()
    #expect(try database.text("SELECT ?", .text("secret")) == "secret")
    let again = try database.prepare("SELECT ?")
    let (hasRow, isNull) = (try again.step(), again.isNull(0))
    #expect(hasRow && isNull)
  }

  @Test func statementThatFailedCanBeRunAgain() throws {
    let database = try database()
    let insert = "INSERT INTO line (text) VALUES (?)"
    try database.run(insert, .text("a"))
    #expect(failure { try database.run(insert, .text("a")) } != nil)
    try database.run(insert, .text("b"))
    #expect(try database.integer("SELECT count(*) FROM line") == 2)
  }

  @Test func endedStatementReadsNothingMore() throws {
    let database = try database()
    try database.run("INSERT INTO line (text) VALUES ('a'), ('b')")
    #expect(try database.text("SELECT text FROM line ORDER BY number") == "a")
    // A statement that is not at its end would keep the table in use.
    try database.execute("DROP TABLE line")
  }

  @Test func schemaMayChangeBetweenTwoUses() throws {
    let database = try database()
    let select = "SELECT count(*) FROM line WHERE text IS NULL"
    #expect(try database.integer(select) == 0)
    try database.execute("DROP TABLE line; CREATE TEMP TABLE line (text TEXT); INSERT INTO line VALUES (NULL)")
    #expect(try database.integer(select) == 1)
  }

  @Test func manyDifferentStatementsCanBeUsedAgain() throws {
    let database = try database()
    for number in 0..<100 { #expect(try database.integer("SELECT \(number)") == Int64(number)) }
    for number in 0..<100 { #expect(try database.integer("SELECT \(number)") == Int64(number)) }
  }
}
