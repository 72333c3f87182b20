import { CommanderError } from 'commander';
import { ConfigurationError } from '../config.js';
import { BootstrapError } from '../core/workspaces/bootstrap.js';
import {
  DatabaseInUseError,
  DatabaseUnreachableError,
  DatabaseUnsupportedError,
  EmbeddedDatabaseError,
} from '../store/errors.js';
import {
  FormerMasterKeyNeededError,
  MasterKeyInvalidError,
  MasterKeyMismatchError,
} from '../store/secrets/errors.js';
import { buildProgram, commandLineOf, isAnswered } from './program.js';
import { UsageError } from './usage-error.js';

const SUCCESS = 0;
const FAILURE = 1;
const USAGE_CODE = 2;
const DATABASE_CODE = 3;

/**
 * Runs one command and resolves with its exit code: 0 success, 1 failure, 2 wrong usage or configuration, 3 database
 * unavailable.
 */
export async function run(args: string[]): Promise<number> {
  let code = SUCCESS;
  const program = buildProgram((ended) => {
    code = ended;
  });
  const words = withDefaultCommand(args);
  try {
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    if (isAnswered(error)) return SUCCESS;
    process.stderr.write(`trunkline: ${describe(error)}\n`);
    if (isUsage(error))
      process.stderr.write(`Run "${commandLineOf(program, words)} --help" for its options.\n`);
    return codeOf(error);
  }
}

/** Adds `start` if there is no command, or if there are only options of `start`. */
function withDefaultCommand(args: string[]): string[] {
  const [first] = args;
  if (first === '--version') return ['version'];
  const isHelp = first === '--help' || first === '-h';
  return first === undefined || (first.startsWith('-') && !isHelp) ? ['start', ...args] : args;
}

function describe(error: unknown): string {
  // For a command without its subcommand, commander throws only the help text.
  if (error instanceof CommanderError && error.code === 'commander.help') return 'A command is missing.';
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof CommanderError ? sentence(message.replace(/^error: /, '')) : message;
}

function sentence(text: string): string {
  const closed = text.endsWith('.') || text.endsWith(')') ? text : `${text}.`;
  return closed.charAt(0).toUpperCase() + closed.slice(1);
}

function isUsage(error: unknown): boolean {
  return error instanceof UsageError || error instanceof CommanderError;
}

function codeOf(error: unknown): number {
  const wrong =
    isUsage(error) ||
    error instanceof ConfigurationError ||
    error instanceof BootstrapError ||
    error instanceof MasterKeyInvalidError ||
    error instanceof MasterKeyMismatchError ||
    error instanceof FormerMasterKeyNeededError;
  if (wrong) return USAGE_CODE;
  const database =
    error instanceof DatabaseUnreachableError ||
    error instanceof DatabaseUnsupportedError ||
    error instanceof DatabaseInUseError ||
    error instanceof EmbeddedDatabaseError;
  return database ? DATABASE_CODE : FAILURE;
}
