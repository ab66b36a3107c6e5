extension Migration {
  /// Profiles, encrypted credentials and tracked connections.
  ///
  /// `profile.generation` changes whenever the set of tracked connections does, so that the cache can detect whether
  /// it still mirrors that set. `data_key` records the id and the source of the key that encrypts the credentials.
  static let storeBeginnings = Migration(
    name: "profiles, credentials and tracked connections",
    sql: """
      CREATE TABLE profile (
        name TEXT NOT NULL PRIMARY KEY,
        generation INTEGER NOT NULL DEFAULT 0
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE profile_setting (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (profile, name)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE choice (
        name TEXT NOT NULL PRIMARY KEY,
        value TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE data_key (
        number INTEGER NOT NULL PRIMARY KEY CHECK (number = 1),
        id TEXT NOT NULL,
        source TEXT NOT NULL,
        salt BLOB NOT NULL,
        made_at INTEGER NOT NULL
      ) STRICT;
      CREATE TABLE credential (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        kind TEXT NOT NULL,
        user_id TEXT NOT NULL,
        key_id TEXT NOT NULL,
        sealed BLOB NOT NULL,
        saved_at INTEGER NOT NULL,
        UNIQUE (profile, kind, user_id)
      ) STRICT;
      CREATE TABLE tracked (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        id TEXT NOT NULL,
        tracked_at INTEGER NOT NULL,
        PRIMARY KEY (profile, id)
      ) STRICT, WITHOUT ROWID;
      """)

  /// The journal of changes: the planned changes of each run at IFTTT, and their progress.
  ///
  /// `turn` increases whenever a run starts or is resumed, so that the run with the highest one was active last, even
  /// if the clock was set back. `lock` names the file that an active run holds a lock on. An item is `sent` from just
  /// before its request may be sent until its outcome is known.
  static let changeJournal = Migration(
    name: "journal of changes",
    sql: """
      CREATE TABLE journal_run (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        turn INTEGER NOT NULL UNIQUE,
        command TEXT NOT NULL,
        words TEXT NOT NULL,
        is_forced INTEGER NOT NULL,
        lock TEXT NOT NULL,
        items INTEGER NOT NULL,
        begun_at INTEGER NOT NULL,
        ended_at INTEGER,
        state TEXT NOT NULL
      ) STRICT;
      CREATE INDEX journal_run_by_turn ON journal_run (profile, turn);
      CREATE TABLE journal_item (
        run INTEGER NOT NULL REFERENCES journal_run (number) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        action TEXT NOT NULL,
        status_before TEXT,
        status_after TEXT,
        state TEXT NOT NULL,
        PRIMARY KEY (run, position)
      ) STRICT, WITHOUT ROWID;
      """)

  /// Connections activated with their configuration screen skipped and not configured since. IFTTT does not
  /// distinguish them from others.
  static let pendingConnections = Migration(
    name: "pending connections",
    sql: """
      CREATE TABLE pending_connection (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        id TEXT NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (profile, id)
      ) STRICT, WITHOUT ROWID;
      """)

  /// The installed plugins: the trusted content and the permissions of each. `files` is the state of its files when
  /// their content was last verified. The lists are JSON.
  static let trustedPlugins = Migration(
    name: "trusted plugins",
    sql: """
      CREATE TABLE plugin (
        name TEXT NOT NULL PRIMARY KEY,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        files TEXT NOT NULL,
        origin TEXT NOT NULL,
        installed_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)

  /// The queue of location events, the remembered inside/outside states of regions, and the choice of location
  /// reporting per connection.
  ///
  /// `location_event` holds the events that IFTTT has not accepted yet, oldest first by `number`; a rejected one waits
  /// for the user. `location_side` holds the last known inside/outside state of each region for a profile's user.
  static let locationEvents = Migration(
    name: "location events",
    sql: """
      CREATE TABLE location_event (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        record_id TEXT NOT NULL UNIQUE,
        region TEXT NOT NULL,
        connection TEXT,
        kind TEXT NOT NULL CHECK (kind IN ('entry', 'exit')),
        occurred_at INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL,
        tries INTEGER NOT NULL DEFAULT 0,
        tried_at INTEGER,
        problem TEXT,
        is_refused INTEGER NOT NULL DEFAULT 0
      ) STRICT;
      CREATE INDEX location_event_order ON location_event (profile, is_refused, number);
      CREATE TABLE location_side (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        region TEXT NOT NULL,
        latitude REAL NOT NULL,
        longitude REAL NOT NULL,
        radius REAL NOT NULL,
        side TEXT NOT NULL,
        seen_at INTEGER,
        PRIMARY KEY (profile, region)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE location_choice (
        profile TEXT NOT NULL REFERENCES profile (name) ON DELETE CASCADE,
        connection TEXT NOT NULL,
        is_on INTEGER NOT NULL,
        since INTEGER NOT NULL,
        PRIMARY KEY (profile, connection)
      ) STRICT, WITHOUT ROWID;
      """)

  /// The owner of each location event, as the fingerprint of the user token it was recorded under. Another user of
  /// the same profile must not send the event. The owner of earlier events is unknown.
  static let locationEventOwners = Migration(
    name: "location event owners", sql: "ALTER TABLE location_event ADD COLUMN owner TEXT")

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

  /// The state of the command that `service listen --exec` runs for each webhook, so that a later run continues after a
  /// crash. The state of earlier webhooks is null: whether a command ran for them is unknown, so none is run.
  static let webhookCommands = Migration(
    name: "webhook commands",
    sql: """
      ALTER TABLE webhook ADD COLUMN exec_state TEXT CHECK (exec_state IN ('waiting', 'succeeded', 'failed'));
      ALTER TABLE webhook ADD COLUMN exec_status INTEGER;
      CREATE INDEX webhook_command ON webhook (profile, number) WHERE exec_state = 'waiting';
      """)

  /// The journal of runs over users. `user_id` is the user of an item; null for the profile's own user. The items
  /// of such a run are added as they are sent, so a resumed run looks them up by their user. `undoes` is the run that an
  /// undo of such a run reverts: when it is resumed, the users that it has not reached are found there.
  /// `shard` is the part of the users, such as `2/4`: concurrent shards resume their own runs.
  static let usersJournal = Migration(
    name: "journal of runs over users",
    sql: """
      ALTER TABLE journal_run ADD COLUMN is_over_users INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE journal_run ADD COLUMN undoes INTEGER;
      ALTER TABLE journal_run ADD COLUMN shard TEXT;
      ALTER TABLE journal_item ADD COLUMN user_id TEXT;
      CREATE INDEX journal_item_by_user ON journal_item (run, user_id, id) WHERE user_id IS NOT NULL;
      """)

  /// Permissions of an installed plugin in addition to credentials and variables: the browser, and paths to read and to
  /// write. The lists are JSON. A plugin that was installed earlier has none of these permissions. A linked plugin runs
  /// from its author's folder.
  static let pluginPermissions = Migration(
    name: "plugin permissions",
    sql: """
      ALTER TABLE plugin ADD COLUMN uses_browser INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE plugin ADD COLUMN read_paths TEXT NOT NULL DEFAULT '[]';
      ALTER TABLE plugin ADD COLUMN write_paths TEXT NOT NULL DEFAULT '[]';
      CREATE TABLE plugin_link (
        name TEXT NOT NULL PRIMARY KEY,
        version TEXT NOT NULL,
        folder TEXT NOT NULL,
        kind TEXT NOT NULL,
        linked_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        uses_browser INTEGER NOT NULL,
        read_paths TEXT NOT NULL,
        write_paths TEXT NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)

  /// The origins of plugins. `plugin.provenance` is JSON: the URL, the commit, the signer. `previous_plugin` has the
  /// trust record of the version that the installed one replaced, and the folder with its files. `plugin_index` has the
  /// indexes as last fetched, `plugin_signer` the keys whose signatures are trusted. `plugin_by_kind` covers the
  /// columns that each list of connections needs, because reading the large rows would take longer.
  static let pluginOrigins = Migration(
    name: "plugin origins",
    sql: """
      ALTER TABLE plugin ADD COLUMN provenance TEXT;
      CREATE INDEX plugin_by_kind ON plugin (kind, name, capabilities, credentials);
      CREATE TABLE previous_plugin (
        name TEXT NOT NULL PRIMARY KEY,
        folder TEXT NOT NULL,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        files TEXT NOT NULL,
        origin TEXT NOT NULL,
        installed_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        uses_browser INTEGER NOT NULL,
        read_paths TEXT NOT NULL,
        write_paths TEXT NOT NULL,
        provenance TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE plugin_index (
        name TEXT NOT NULL PRIMARY KEY,
        location TEXT NOT NULL,
        updated_at INTEGER NOT NULL,
        document BLOB NOT NULL
      ) STRICT;
      CREATE TABLE plugin_signer (
        label TEXT NOT NULL PRIMARY KEY,
        key TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        valid_before INTEGER,
        added_at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      """)

  /// Changes of plugins that survive a kill, and the versions that each origin has offered. `plugin_change` has the
  /// state that the store records once the folders of a plugin are exchanged. `plugin_version` has the content of each
  /// version that was ever installed, and the time when it was rolled back from. `plugin_index.header` records the
  /// source of the header for requests to an index: a file or a command, never the value.
  static let pluginChanges = Migration(
    name: "plugin changes",
    sql: """
      CREATE TABLE plugin_change (
        name TEXT NOT NULL PRIMARY KEY,
        outcome TEXT NOT NULL,
        folder TEXT NOT NULL,
        keeps_credentials INTEGER NOT NULL,
        version TEXT NOT NULL,
        kind TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        files TEXT NOT NULL,
        origin TEXT NOT NULL,
        installed_at INTEGER NOT NULL,
        credentials TEXT NOT NULL,
        environment TEXT NOT NULL,
        capabilities TEXT NOT NULL,
        uses_browser INTEGER NOT NULL,
        read_paths TEXT NOT NULL,
        write_paths TEXT NOT NULL,
        provenance TEXT
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE plugin_version (
        name TEXT NOT NULL,
        source TEXT NOT NULL,
        version TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        rolled_back_at INTEGER,
        PRIMARY KEY (name, source, version)
      ) STRICT, WITHOUT ROWID;
      ALTER TABLE plugin_index ADD COLUMN header TEXT;
      """)

  /// One journal for every change. `provider` is null for a connection of IFTTT, `applets` for an Applet, otherwise the
  /// name of a plugin. `target` is the requested state, `changed` whether the subject differs from its state before the
  /// run, and `error` the error as in an output row. In items of earlier versions, the action determines the meaning of
  /// their states; see `JournalItem`.
  ///
  /// `undoes` is the run that an undo reverts or a redo restores, and `undone_by` the undo of a run that is undone.
  /// Until now, an undo undid the newest run that had changed something, which could be an undo. `service` is the
  /// service of Applets. `users_file` and `targets` are the users and targets that a run over users is resumed with.
  /// `is_confirmed` is whether a run was confirmed, so that it is resumed without a question.
  static let oneJournal = Migration(
    name: "one journal",
    sql: """
      ALTER TABLE journal_run ADD COLUMN undone_by INTEGER;
      ALTER TABLE journal_run ADD COLUMN service TEXT;
      ALTER TABLE journal_run ADD COLUMN users_file TEXT;
      ALTER TABLE journal_run ADD COLUMN targets TEXT;
      ALTER TABLE journal_run ADD COLUMN allows_removal INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE journal_run ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE journal_item ADD COLUMN provider TEXT;
      ALTER TABLE journal_item ADD COLUMN target TEXT;
      ALTER TABLE journal_item ADD COLUMN changed INTEGER;
      ALTER TABLE journal_item ADD COLUMN error TEXT;
      UPDATE journal_item SET changed = state = 'done' AND status_before IS NOT status_after;
      UPDATE journal_run SET is_confirmed = is_over_users OR command = 'connections apply';
      UPDATE journal_run SET allows_removal = is_forced WHERE command IN ('connections apply', 'connections undo');
      UPDATE journal_run SET undoes = (
        SELECT number FROM journal_run AS earlier
        WHERE earlier.profile = journal_run.profile AND earlier.turn < journal_run.turn
          AND earlier.command IN (
            'connections enable', 'connections disable', 'connections apply', 'connections undo', 'configure')
          AND EXISTS (
            SELECT 1 FROM journal_item WHERE run = earlier.number AND (state = 'sent' OR changed))
        ORDER BY turn DESC LIMIT 1)
      WHERE command = 'connections undo' AND undoes IS NULL;
      UPDATE journal_run SET undone_by = (
        SELECT max(number) FROM journal_run AS later
        WHERE later.undoes = journal_run.number AND later.command = 'connections undo' AND later.state = 'done');
      """)
}
