import Store
import Testing
import World

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
    for text in ["a", "b", "c"] { try database.run("INSERT INTO line (text) VALUES (:text)", [":text": text]) }
    let select = "SELECT text FROM line ORDER BY number"
    var seen: [String] = []
    let outer = try database.prepare(select)
    while try outer.step() {
      seen.append(outer["text"])
      let inner = try database.prepare(select)
      while try inner.step() { seen.append(inner["text"]) }
    }
    #expect(seen.joined() == "aabcbabccabc")
  }

  @Test func reusedStatementHasNoValuesOfTheLastUse() throws {
    let database = try database()
    let select = "SELECT :value AS value"
    #expect(try database.text(select, [":value": "secret"]) == "secret")
    let again = try database.prepare(select)
    let (hasRow, value) = (try again.step(), again["value"] as String?)
    #expect(hasRow && value == nil)
  }

  @Test func statementThatFailedCanBeRunAgain() throws {
    let database = try database()
    let insert = "INSERT INTO line (text) VALUES (:text)"
    try database.run(insert, [":text": "a"])
    #expect(failure { try database.run(insert, [":text": "a"]) } != nil)
    try database.run(insert, [":text": "b"])
    #expect(try database.integer("SELECT count(*) FROM line") == 2)
  }

  @Test func valuesAreBoundAndReadByName() throws {
    let (time, bytes) = (Timestamp(milliseconds: -1), [0, 0xff] as [UInt8])
    let statement = try database().prepare(
      """
      SELECT :text AS text, :number AS number, :real AS real, :yes AS yes, :no AS no, :bytes AS bytes, :time AS time,
        :none AS none, :text || :number AS both
      """)
    try statement.bind([
      ":none": nil as Timestamp?, ":time": time, ":bytes": bytes, ":no": false, ":yes": true, ":real": 0.5,
      ":number": Int64.max, ":text": "ü",
    ])
    let hasRow = try statement.step()
    let (text, both): (String, String?) = (statement["text"], statement["BOTH"])
    let (number, real): (Int64, Double) = (statement["number"], statement["real"])
    let (yes, no): (Bool, Bool?) = (statement["yes"], statement["no"])
    let (readBytes, readTime): ([UInt8], Timestamp?) = (statement["bytes"], statement["time"])
    let (none, zero): (Timestamp?, Int) = (statement["none"], statement["none"])
    #expect(hasRow && text == "ü" && both == "ü\(Int64.max)" && number == .max && real == 0.5)
    #expect(yes && no == false && readBytes == bytes && readTime == time && none == nil && zero == 0)
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
