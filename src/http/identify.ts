import { holdsStill } from '../core/access/authorize.js';
import type { Caller } from '../core/access/caller.js';
import type { Endpoint, Mount } from './endpoint.js';
import type { Exchange } from './exchange.js';

/** The permissions of the caller changed while the body arrived. The request must be checked again from the start. */
export class CallerChanged extends Error {
  constructor() {
    super('The permissions of the caller changed while the body arrived.');
    this.name = 'CallerChanged';
  }
}

/** The caller that the credentials of a request belong to. Undefined if they are refused. */
export async function identify(
  exchange: Exchange,
  mount: Mount,
  endpoint: Endpoint | undefined,
): Promise<Caller | undefined> {
  const credentials = exchange.credentials();
  const own = await endpoint?.route.ownCredential?.(credentials);
  return own ?? (await mount.authenticate(credentials));
}

/** Throws CallerChanged if the body arrived late and the caller no longer has all permissions that were checked before it. */
export async function requireUnchanged(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  const { caller } = exchange;
  if (caller === undefined || !exchange.waitedForBody) return;
  if (!holdsStill(await identify(exchange, endpoint.mount, endpoint), caller)) throw new CallerChanged();
}
