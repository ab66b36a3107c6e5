extension Migration {
  /// The webhooks that `service listen` has received, and the state of their forwarding.
  ///
  /// `number` is the id that users see; it is never reused, even after all webhooks are removed. `headers` is a JSON
  /// array of pairs without credentials, and `body` has the bytes as received. `forward_due` is the earliest time of
  /// the next attempt.
  static let webhooks = Migration(
    name: "webhooks",
    sql: """
      CREATE TABLE webhook (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        received_at INTEGER NOT NULL,
        type TEXT NOT NULL,
        event TEXT NOT NULL,
        request_id TEXT,
        is_repeated INTEGER NOT NULL DEFAULT 0,
        headers TEXT NOT NULL,
        body BLOB NOT NULL,
        forward_to TEXT,
        forward_state TEXT CHECK (forward_state IN ('waiting', 'delivered', 'rejected')),
        forward_status INTEGER,
        forward_tries INTEGER NOT NULL DEFAULT 0,
        forward_due INTEGER,
        forward_problem TEXT
      ) STRICT;
      CREATE INDEX webhook_order ON webhook (profile, number);
      CREATE INDEX webhook_request ON webhook (profile, request_id) WHERE request_id IS NOT NULL;
      CREATE INDEX webhook_waiting ON webhook (profile, forward_to, number) WHERE forward_state = 'waiting';
      """)
}
