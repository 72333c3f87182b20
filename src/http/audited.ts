import type { Route } from './route.js';

/**
 * Tags of public operations that change audited data. Operations on messages are not audited, because there are far more of
 * them.
 */
const TAGS: ReadonlySet<string> = new Set(['Connections', 'Webhooks']);

/** Whether the changes of a route are attributed to its caller in the audit log. */
export function isAudited({ method, tag, dashboard, path }: Route): boolean {
  if (method === 'GET') return false;
  return dashboard === true || TAGS.has(tag) || (method === 'DELETE' && path.startsWith('/openapi/users/'));
}
