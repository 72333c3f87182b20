import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './caller.js';

/** The author of a change in the audit log. Without type and id, the request is not authenticated yet. */
export interface Actor {
  readonly type?: 'member' | 'api_key';
  readonly id?: string;
  readonly address: string;
}

const acting = new AsyncLocalStorage<Actor>();

/** Runs work whose changes are attributed to the caller. */
export function actAs<T>(
  { credential, userId }: Caller,
  address: string,
  work: () => Promise<T>,
): Promise<T> {
  if (credential.kind === 'api_key') return acting.run({ type: 'api_key', id: credential.id, address }, work);
  return acting.run(userId === '' ? { address } : { type: 'member', id: userId, address }, work);
}

/** The actor of what runs now; undefined outside of {@link actAs}. */
export function currentActor(): Actor | undefined {
  return acting.getStore();
}
