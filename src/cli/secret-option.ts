import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './usage-error.js';

/**
 * Reads a secret from a file, from the command line or from the environment, in this order. Every user of the machine can read
 * the arguments of a process, so a secret in an argument causes a warning.
 */
export async function secretFrom(
  name: string,
  given: string | undefined,
  file: string | undefined,
  environment: string | undefined,
): Promise<string | undefined> {
  if (file !== undefined && given !== undefined)
    throw new UsageError(`Give --${name}-file or --${name}, not both.`);
  if (file !== undefined) return (await contentOf(name, file)).trim();
  if (given !== undefined)
    process.stderr.write(
      `trunkline: --${name} is visible to every user of this machine. Use --${name}-file or the environment.\n`,
    );
  return given ?? environment;
}

async function contentOf(name: string, file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new UsageError(`--${name}-file can't be read (${code}): ${file}`);
  }
}
