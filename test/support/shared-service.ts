import { randomBytes } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { inject } from 'vitest';
import { ApiClient } from './api-client.js';
import { loadDescriptions } from './api-description.js';
import type {} from './global-service.js';
import { type Account, KeyMaker } from './keys.js';
import { runCommand, type Service } from './service.js';
import { OWNER_EMAIL, OWNER_PASSWORD } from './service-process.js';

export interface SharedService extends Pick<Service, 'url' | 'key' | 'createKey' | 'client' | 'run'> {
  /** The owner of the workspace. */
  readonly owner: Account;
  /** The log of the process since the workspace was made, parsed. It has lines of other workspaces as well. */
  readonly log: Record<string, unknown>[];
}

/**
 * A new workspace in the shared service. A process for each test file would take longer than most of them run. Tests that need
 * the process, its settings or an empty installation use `startService`.
 */
export async function shareService(options: { readonly test?: boolean } = {}): Promise<SharedService> {
  const url = inject('serviceUrl');
  const operator = new KeyMaker(url, { email: OWNER_EMAIL, password: OWNER_PASSWORD });
  const name = randomBytes(6).toString('hex');
  const owner = { email: `owner.${name}@example.test`, password: `password of ${name}` };
  await operator.createWorkspace(name, owner);
  const keys = new KeyMaker(url, owner);
  const log = inject('serviceLog');
  const start = statSync(log).size;
  const [key, descriptions] = await Promise.all([keys.make(options), loadDescriptions(url)]);
  return {
    url,
    key,
    owner,
    createKey: (wanted) => keys.make(wanted),
    client: (own = key) => new ApiClient(url, own, descriptions),
    run: (...args) => runCommand(inject('serviceEnv'), args),
    get log() {
      return linesFrom(log, start);
    },
  };
}

/** The complete lines after a position. */
function linesFrom(path: string, start: number): Record<string, unknown>[] {
  const text = readFileSync(path).subarray(start).toString('utf8');
  const complete = text.slice(text.indexOf('{'), text.lastIndexOf('\n') + 1);
  return complete
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
