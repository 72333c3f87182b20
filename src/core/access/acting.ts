import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from './caller.js';
import { seeAs } from './reading.js';

/** The author of a change in the audit log. Without type and id, the request is not authenticated yet. */
export interface Actor {
  readonly type?: 'member' | 'api_key';
  readonly id?: string;
  readonly address: string;
}

const acting = new AsyncLocalStorage<Actor>();

/** Runs work whose changes are attributed to the caller and which sees only records that the caller may see. */
export function actAs<T>(caller: Caller, address: string, work: () => Promise<T>): Promise<T> {
  return seeAs(caller, () => acting.run(actorOf(caller, address), work));
}

function actorOf({ credential, userId }: Caller, address: string): Actor {
  if (credential.kind === 'api_key') return { type: 'api_key', id: credential.id, address };
  return userId === '' ? { address } : { type: 'member', id: userId, address };
}

/** The actor of the current work, or undefined outside of {@link actAs}. */
export function currentActor(): Actor | undefined {
  return acting.getStore();
}
