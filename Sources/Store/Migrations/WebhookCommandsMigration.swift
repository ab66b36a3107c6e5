extension Migration {
  /// The state of the command that `service listen --exec` runs for each webhook, so that a later run continues after a
  /// crash. The state of earlier webhooks is null: nothing is known of their commands, so none is run for them.
  static let webhookCommands = Migration(
    name: "webhook commands",
    sql: """
      ALTER TABLE webhook ADD COLUMN exec_state TEXT CHECK (exec_state IN ('waiting', 'succeeded', 'failed'));
      ALTER TABLE webhook ADD COLUMN exec_status INTEGER;
      CREATE INDEX webhook_command ON webhook (profile, number) WHERE exec_state = 'waiting';
      """)
}
