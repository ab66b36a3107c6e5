/// What a program could write into a backup to mislead its reader. None of the statements touches another file.
struct HostileStatement: Sendable {
  /// The statements for a number and a text of the input.
  let sql: @Sendable (Int, String) -> [String]

  static let list: [HostileStatement] = [
    .init { number, _ in ["PRAGMA user_version = \(number)"] },
    .init { number, _ in ["PRAGMA user_version = \(number & 15)"] },
    .init { number, _ in ["PRAGMA application_id = \(number)"] },
    .init { _, text in ["CREATE TABLE \"\(quoted(text))\" (x)"] },
    .init { _, text in ["CREATE VIEW \"\(quoted(text))\" AS SELECT 1 AS x"] },
    .init { _, _ in ["CREATE TRIGGER t AFTER DELETE ON plugin BEGIN INSERT INTO choice VALUES ('a', 'b'); END"] },
    .init { _, _ in ["CREATE TRIGGER u AFTER INSERT ON profile BEGIN DELETE FROM profile; END"] },
    .init { number, text in ["INSERT INTO choice VALUES ('anonymous_id', '\(text)')", since(number)] },
    .init { number, _ in ["INSERT OR REPLACE INTO choice VALUES ('anonymous_id', 'someone')", since(number)] },
    .init { _, text in [plugin(text), "INSERT INTO plugin_signer VALUES ('x', 'k', 'f', NULL, 0)"] },
    .init { _, text in ["UPDATE profile SET name = '\(text)'"] },
    .init { _, text in ["INSERT INTO profile (name) VALUES ('\(text)')"] },
    .init { _, text in ["UPDATE credential SET profile = '\(text)'"] },
    .init { number, _ in ["UPDATE credential SET sealed = zeroblob(\(number & 0xffff))"] },
    .init { _, text in ["UPDATE data_key SET source = '\(text)'"] },
    .init { number, text in ["UPDATE data_key SET id = '\(text)', salt = zeroblob(\(number & 0xffff))"] },
    .init { _, text in ["INSERT INTO tracked VALUES ('default', '\(text)', 0)"] },
    .init { number, _ in ["PRAGMA page_size = \(512 << (abs(number) % 8))", "VACUUM"] },
    .init { _, _ in ["PRAGMA journal_mode = WAL", "DELETE FROM choice"] },
    .init { _, _ in ["PRAGMA encoding = 'UTF-16'", "PRAGMA auto_vacuum = 1", "VACUUM"] },
    .init { _, text in ["PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET name = '\(text)' WHERE rowid = 3"] },
    .init { _, text in ["PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET sql = '\(text)' WHERE rowid = 4"] },
    .init { number, _ in ["PRAGMA writable_schema = ON", "UPDATE sqlite_schema SET rootpage = \(number & 255)"] },
    .init { _, _ in ["DROP TABLE profile"] },
    .init { _, _ in ["DROP TABLE plugin_signer"] },
  ]

  private static func quoted(_ text: String) -> String { text.filter { $0 != "\"" } }

  private static func since(_ number: Int) -> String {
    "INSERT OR REPLACE INTO choice VALUES ('usage_events_since', '\(number)')"
  }

  private static func plugin(_ text: String) -> String {
    """
    INSERT INTO plugin
    (name, version, kind, sha256, files, origin, installed_at, credentials, environment, capabilities)
    VALUES ('\(text)', '1', 'provider', '', '', '', 0, '["*"]', '[]', '[]')
    """
  }
}
