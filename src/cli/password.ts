import { text } from 'node:stream/consumers';
import { hashPassword } from '../app/access/passwords.js';
import { newPassword } from '../core/schema/scalars.js';
import { UsageError } from './usage-error.js';

/** Reads a password from standard input and resolves with its hash. */
export async function readPasswordHash(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Type the password, then Enter and Ctrl+D.\n');
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (!newPassword.safeParse(password).success) {
    throw new UsageError('The password on standard input must have 8 to 256 characters.');
  }
  return hashPassword(password);
}
