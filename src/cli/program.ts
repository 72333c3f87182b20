import { Command, CommanderError, Help, type Option } from 'commander';
import { auditCommand } from './commands/audit.js';
import { importCommand } from './commands/imports.js';
import { keysCommand } from './commands/keys.js';
import { linksCommand } from './commands/links.js';
import { operateCommands } from './commands/operate.js';
import { peopleCommands } from './commands/people.js';
import { toolCommands } from './commands/tools.js';
import type { Finish } from './finish.js';

const INTRODUCTION = `One message API in front of Telegram, Discord, Slack, SMS and other platforms.

Without a command it starts the service. Settings come from the environment: see docs/configuration.md.
The commands with their pages: docs/commands.md, also printed by "trunkline docs commands".`;

/**
 * Builds the command line. Parsing never ends the process: help and mistakes are thrown as CommanderError, and a command passes
 * its exit code to `finish`.
 */
export function buildProgram(finish: Finish): Command {
  const program = new Command('trunkline').description(INTRODUCTION).option('--version', 'print the version');
  for (const command of [
    ...operateCommands(finish),
    importCommand(finish),
    auditCommand(finish),
    keysCommand(finish),
    linksCommand(finish),
    ...peopleCommands(finish),
    ...toolCommands(finish),
  ])
    program.addCommand(command);
  configure(program);
  return program;
}

/** Errors are printed once, by `run`, with a hint to the help of the command that failed. */
function configure(command: Command): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: false, optionDescription });
  for (const child of command.commands) configure(child);
}

/** Without the defaults `false` and `[]`, which say nothing. */
function optionDescription(option: Option): string {
  const { defaultValue, description } = option;
  const isEmpty = defaultValue === false || (Array.isArray(defaultValue) && defaultValue.length === 0);
  return isEmpty ? description : new Help().optionDescription(option);
}

/** The command that the first words of `args` name, as a user would type it: `trunkline keys create`. */
export function commandLineOf(program: Command, args: readonly string[]): string {
  const words = ['trunkline'];
  let command = program;
  for (const word of args) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) break;
    words.push(word);
    command = child;
  }
  return words.join(' ');
}

/** Whether parsing ended because help or the version was printed on request. */
export function isAnswered(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
