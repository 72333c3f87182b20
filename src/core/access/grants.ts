import { requireWholeWorkspace } from './authorize.js';
import type { Caller } from './caller.js';

/** Sections of the API in which a key with a grant may write. */
const WRITABLE: ReadonlySet<string> = new Set([
  'Agents',
  'Calls',
  'Conversations',
  'Deliveries',
  'Messages',
  'Translations',
]);

/** Sections that it may also read. All other sections, such as contacts, belong to the whole workspace. */
const READABLE: ReadonlySet<string> = new Set([
  ...WRITABLE,
  'Connections',
  'Events',
  'Platforms',
  'Status',
  'Television',
  'Templates',
]);

/** Operations that would reach outside the conversations of the grant. */
const OUTSIDE: ReadonlySet<string> = new Set([
  'GET /openapi/rtc',
  'POST /openapi/conversations',
  'POST /openapi/conversations/{id}/links',
  'POST /openapi/conversations/{id}/participants',
]);

/** Operations of other sections that it may use: only those on its own user. */
const INSIDE: ReadonlySet<string> = new Set(['GET /openapi/users/me']);

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
}

/** Whether the grant of the caller's key allows the operation, regardless of scopes. True for callers without a grant. */
export function isInGrant(caller: Caller, { method, path, tag }: Operation): boolean {
  if (caller.restriction?.by !== 'grant') return true;
  const name = `${method} ${path}`;
  if (INSIDE.has(name)) return true;
  const reads = method === 'GET' || method === 'HEAD';
  return (reads ? READABLE : WRITABLE).has(tag) && !OUTSIDE.has(name);
}

/** Throws `access_denied` for operations that a key with a grant may not perform. */
export function requireInGrant(caller: Caller, operation: Operation): void {
  if (!isInGrant(caller, operation)) requireWholeWorkspace(caller);
}
