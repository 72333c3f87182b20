import type { Route } from './route.js';

/** Public operations that change what the audit log records; those of messages are not, and are far more. */
const TAGS: ReadonlySet<string> = new Set(['Connections', 'Webhooks']);

/** Whether the changes of a route are attributed to its caller in the audit log. */
export function isAudited({ method, tag, dashboard, path }: Route): boolean {
  if (method === 'GET') return false;
  return dashboard === true || TAGS.has(tag) || (method === 'DELETE' && path.startsWith('/openapi/users/'));
}
