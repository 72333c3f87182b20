import { text } from 'node:stream/consumers';
import { hashPassword } from '../passwords.js';
import { UsageError } from './usage-error.js';

const SHORTEST = 8;
const LONGEST = 256;

/** Reads a password from standard input and resolves with its hash. */
export async function readPasswordHash(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (password.length < SHORTEST || password.length > LONGEST) {
    throw new UsageError(`The password on standard input must have ${SHORTEST} to ${LONGEST} characters.`);
  }
  return hashPassword(password);
}
