extension PluginTemplate {
  var shellManifest: String {
    named(
      #"""
      {
        "schema_version": 1,
        "name": "@NAME@",
        "version": "0.1.0",
        "summary": "Say hello",
        "kind": "command",
        "hosts": [],
        "environment": [],
        "commands": {
          "name": "@NAME@",
          "summary": "Say hello",
          "options": [{ "name": "loud", "help": "Say it in capitals" }],
          "arguments": [
            { "help": "Whom to greet", "required": false, "repeatable": true, "value": { "placeholder": "WHO" } }
          ],
          "examples": [{ "arguments": "@NAME@ world --loud", "purpose": "for everybody" }]
        }
      }

      """#)
  }

  var shell: String {
    named(
      #"""
      #!/bin/sh
      # 'ifttt @NAME@': the words behind its name come as arguments, checked against plugin.json beside this file. Standard
      # input, output and error are the user's, and the exit status is that of ifttt.
      # In the environment: IFTTT_PROFILE and IFTTT_OUTPUT (the profile and the format asked for), IFTTT_PLUGIN_DIR (the
      # folder of this file), and besides the usual few only what "environment" in plugin.json names.
      set -eu

      loud=
      who=
      options=yes
      for word do
        case "$options $word" in
          'yes --loud') loud=yes ;;
          'yes --') options= ;; # What follows is a name, whatever it begins with.
          *) who="${who:+$who }$word" ;;
        esac
      done

      greeting="Hello, ${who:-$IFTTT_PROFILE}."
      [ -z "$loud" ] || greeting=$(printf '%s' "$greeting" | tr '[:lower:]' '[:upper:]')
      printf '%s\n' "$greeting"

      """#)
  }
}
