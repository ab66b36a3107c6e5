#!/usr/bin/env node
/**
 * Prints a greeting: 'ifttt @NAME@' runs this program.
 *
 * ifttt checks the arguments against plugin.json in the same folder and passes them on. Stdin, stdout and stderr are
 * the user's, and the exit status is also the exit status of ifttt. The environment contains IFTTT_PROFILE and
 * IFTTT_OUTPUT (the profile and the output format), a few common variables, and those under "environment" in
 * plugin.json.
 */
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ options: { loud: { type: "boolean" } }, allowPositionals: true });

const greeting = `Hello, ${positionals.join(" ") || process.env.IFTTT_PROFILE}.`;
console.log(values.loud ? greeting.toUpperCase() : greeting);
