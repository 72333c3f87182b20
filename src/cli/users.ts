import { once } from 'node:events';
import type { Config } from '../config.js';
import { readPasswordHash } from './password.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

/** Where to find the addresses. */
const LISTED = 'The dashboard lists the members under Settings, Members.';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Prints the data about a user, one JSON object per line. */
export async function exportUserData(config: Config, id: string): Promise<number> {
  if (!UUID.test(id)) throw new UsageError('The id of a user is a UUID.');
  const userId = id.toLowerCase();
  return withStore(config, async ({ userExport }) => {
    for await (const known of userExport(userId)) {
      if (!process.stdout.write(`${JSON.stringify(known)}\n`)) await once(process.stdout, 'drain');
    }
    return 0;
  });
}

/** Sets the password of a member to the one on standard input. */
export async function resetPassword(config: Config, email: string): Promise<number> {
  const hash = await readPasswordHash();
  return withStore(config, async ({ workspaces }) => {
    if (!(await workspaces.setPassword(email, hash)))
      throw new Error(`No member signs in with ${email}. ${LISTED}`);
    process.stdout.write('The password was changed.\n');
    return 0;
  });
}

/** Disables two-step sign-in for a member who lost the app and the recovery codes. */
export async function resetTwoStep(config: Config, email: string): Promise<number> {
  return withStore(config, async ({ workspaces }) => {
    if (!(await workspaces.resetSecondStep(email)))
      throw new Error(`No member who signs in with ${email} has two-step sign-in on. ${LISTED}`);
    process.stdout.write('Two-step sign-in is off.\n');
    return 0;
  });
}
