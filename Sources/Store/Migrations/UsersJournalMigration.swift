extension Migration {
  /// The journal of runs over users. `user_id` is the user of an item; null for the profile's own user. The items
  /// of such a run are added as they are sent, so a resumed run looks them up by their user. `undoes` is the run that an
  /// undo of such a run reverts: when it is resumed, the users that it has not reached are found there.
  /// `shard` is the part of the users, such as `2/4`: shards that run side by side resume their own runs.
  static let usersJournal = Migration(
    name: "journal of runs over users",
    sql: """
      ALTER TABLE journal_run ADD COLUMN is_over_users INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE journal_run ADD COLUMN undoes INTEGER;
      ALTER TABLE journal_run ADD COLUMN shard TEXT;
      ALTER TABLE journal_item ADD COLUMN user_id TEXT;
      CREATE INDEX journal_item_by_user ON journal_item (run, user_id, id) WHERE user_id IS NOT NULL;
      """)
}
