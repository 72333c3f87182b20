import { infiniteQueryOptions } from '@tanstack/react-query';
import { api, must } from '../../api/client';
import type { AuditEntry } from '../../api/session-paths';

const PAGE = 50;
/** The maximum page size. */
const EXPORTED_PAGE = 100;

/** The actions that the service records, in the order of the filter's options. */
export const ACTIONS = [
  'session.opened',
  'sign_in.failed',
  'second_step.failed',
  'password.changed',
  'second_step.enabled',
  'second_step.disabled',
  'recovery_codes.renewed',
  'recovery_code.used',
  'member.invited',
  'member.created',
  'invitation.accepted',
  'member.role_changed',
  'member.suspended',
  'member.restricted',
  'member.unrestricted',
  'member.admitted',
  'member.removed',
  'team.created',
  'team.changed',
  'team.deleted',
  'contact.erased',
  'api_key.created',
  'api_key.changed',
  'api_key.grant_changed',
  'api_key.revoked',
  'oauth_app.created',
  'oauth_app.changed',
  'oauth_app.secret_rotated',
  'oauth_app.deleted',
  'oauth_grant.given',
  'oauth_grant.revoked',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'connection.created',
  'connection.changed',
  'connection.deleted',
  'workspace.changed',
  'proposal.made',
  'proposal.approved',
  'proposal.refused',
  'chat.linked',
  'chat.unlinked',
  'agent.called',
  'agent.refused',
  'agent.released',
] as const;
export type Action = (typeof ACTIONS)[number];

export const isAction = (text: string): text is Action => (ACTIONS as readonly string[]).includes(text);

/** The actor of changes made by neither a member nor a key. */
export const SYSTEM = 'system';

export interface AuditFilter {
  /** The id of a member or a key, or `SYSTEM`. */
  readonly actor: string;
  readonly action: Action | '';
  /** Values of date fields. Empty means no limit. */
  readonly since: string;
  readonly until: string;
}

export const EVERYTHING: AuditFilter = { actor: '', action: '', since: '', until: '' };

export function clausesOf({ actor, action, since, until }: AuditFilter): string[] {
  return [
    ...(actor === '' ? [] : [actor === SYSTEM ? `actor_type:${SYSTEM}` : `actor_id:${actor}`]),
    ...(action === '' ? [] : [`action:${action}`]),
    ...(since === '' ? [] : [`created_at:>=${startOf(since).toISOString()}`]),
    ...(until === '' ? [] : [`created_at:<${startOf(until, 1).toISOString()}`]),
  ];
}

/** The start of a day in the browser's time zone, plus `later` days. */
function startOf(day: string, later = 0): Date {
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + later);
  return start;
}

const read = (filter: AuditFilter, limit: number, cursor: string, signal?: AbortSignal) =>
  must(
    api.GET('/audit-log', {
      params: { query: { filter: clausesOf(filter), limit, cursor } },
      ...(signal && { signal }),
    }),
  );

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit-log', filter],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => read(filter, PAGE, pageParam, signal),
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  });

/** All entries of a filter as CSV (RFC 4180), newest first, with the hashes that `trunkline audit verify` checks. */
export async function auditCsv(filter: AuditFilter): Promise<string> {
  const lines = [
    lineOf([
      ...['time', 'actor_type', 'actor_id', 'actor', 'action', 'object_type', 'object_id', 'address'],
      ...['id', 'workspace_id', 'number', 'previous_hash', 'hash'],
    ]),
  ];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof read>> = await read(filter, EXPORTED_PAGE, cursor);
    lines.push(...page.data.map(entryLine));
    cursor = page.pagination.nextCursor;
  }
  return lines.join('');
}

function entryLine({ id, created_at: at, actor, action, object, address, chain }: AuditEntry): string {
  return lineOf([
    ...[at, actor.type, actor.id, actor.name, action, object.type, object.id, address],
    ...[id, chain?.workspace_id ?? null, chain === null ? null : String(chain.number)],
    ...[chain?.previous_hash ?? null, chain?.hash ?? null],
  ]);
}

function lineOf(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => quoted(cell ?? '')).join(',')}\r\n`;
}

/** Members choose their names, so a spreadsheet must not interpret one as a formula. */
function quoted(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
