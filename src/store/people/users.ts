import type { Pool } from 'pg';
import type { ClaimKey } from '../../core/common/idempotency.js';
import type { FilterClause, ListPage, ListQuery } from '../../core/listing/list-spec.js';
import type { ChangeMeBody, ChangeUserBody } from '../../core/users/bodies.js';
import type { ConsentCause, NewContact, Presence, UserStore } from '../../core/users/ports.js';
import {
  type ConsentChangeRecord,
  consentChangeList,
  type UserRecord,
  userList,
} from '../../core/users/record.js';
import {
  consentChangeRecordSql,
  createContact,
  deleteContact,
  expirePresence,
  mergeContacts,
  recordPresenceHeartbeat,
  updateUser,
  userRecordSql,
} from '../calls.gen.js';
import { readIn } from '../connection/workspace-reads.js';
import { filterSql, Parameters } from '../listing/filter.js';
import { type ListField, type ListSource, listRecords } from '../listing/list-records.js';

const fields: Readonly<Record<string, string | ListField>> = {
  id: 'id',
  created_at: 'created_at',
  updated_at: 'updated_at',
  display_name: { sql: 'display_name', type: 'string' },
  last_seen_at: { sql: 'last_seen_at', type: 'timestamp', nullable: true },
  status: 'status',
  kind: 'kind',
  presence: 'presence',
  username: 'username',
  email: 'email',
  phone: 'phone',
  platform: {
    sql: 'id',
    contains: `EXISTS (SELECT 1 FROM identities i WHERE i.workspace_id = users.workspace_id AND i.user_id = users.id AND i.platform = $1)`,
  },
  'identities.address': {
    sql: 'id',
    contains: 'EXISTS (SELECT 1 FROM identities i WHERE i.user_id = users.id AND i.external_id = $1)',
    implies: impliedByAddress,
  },
  metadata: 'metadata',
};

/** Few users have an address, so they are looked up by it first. */
function impliedByAddress({ negated, values }: FilterClause, parameters: Parameters): string | undefined {
  if (negated) return undefined;
  const wanted = parameters.value(values.map(({ value }) => value));
  return `id = ANY (ARRAY(SELECT i.user_id FROM identities i WHERE i.external_id = ANY (${wanted}::text[])))`;
}

const WHAT = 'The user';

/** Maximum number of contacts of a filter. An audience by a filter is no larger than one by a list. */
const MAX_BY_FILTER = 1_000_000;

/** All users of a workspace: the counted ones, plus the later ones, minus the deleted ones. */
const ALL_USERS = `
  WITH counted AS (SELECT coalesce(max(users), 0) AS users, coalesce(max(users_until), '-infinity') AS until
    FROM list_progress WHERE workspace_id = $1::uuid)
  SELECT (users + (SELECT count(*) FROM users WHERE workspace_id = $1::uuid AND created_at >= counted.until)
    - (SELECT count(*) FROM users WHERE workspace_id = $1::uuid AND deleted_at IS NOT NULL))::int AS total FROM counted`;

const userSource: ListSource = {
  table: 'users',
  record: userRecordSql('users'),
  where: 'deleted_at IS NULL',
  fields,
  searched: { list: 'users', fields: ['username', 'display_name', 'email', 'phone'] },
  total: (workspaceId, filter) =>
    filter.length === 0 ? { text: ALL_USERS, values: [workspaceId] } : undefined,
};

const consentSource: ListSource = {
  table: 'consent_changes',
  record: consentChangeRecordSql('consent_changes'),
  fields: { id: 'id', created_at: 'created_at', category: 'category' },
};

/** Condition that `$1` is the user or takes part in a conversation with them. */
const KNOWN_TO = `users.id = $1::uuid OR EXISTS (
  SELECT 1 FROM participants mine JOIN participants theirs USING (conversation_id)
    JOIN conversations c ON c.id = conversation_id AND c.deleted_at IS NULL
  WHERE mine.user_id = $1::uuid AND mine.left_at IS NULL AND theirs.user_id = users.id AND theirs.left_at IS NULL)`;

/** Users in PostgreSQL. */
export class PostgresUsers implements UserStore {
  constructor(private readonly pool: Pool) {}

  async find(workspaceId: string, id: string, viewerId?: string): Promise<UserRecord | undefined> {
    const visible = viewerId === undefined ? 'true' : KNOWN_TO.replaceAll('$1', '$3');
    const { rows } = await readIn<{ record: UserRecord }>(this.pool, workspaceId, {
      text: `SELECT ${userRecordSql('users')} AS record FROM users
       WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL AND (${visible})`,
      values: [id, workspaceId, ...(viewerId === undefined ? [] : [viewerId])],
    });
    return rows[0]?.record;
  }

  list(workspaceId: string, query: ListQuery, viewerId?: string): Promise<ListPage<UserRecord>> {
    const conditions = viewerId === undefined ? [] : [{ sql: KNOWN_TO, values: [viewerId] }];
    return listRecords(this.pool, userSource, userList, workspaceId, query, conditions);
  }

  async create(contact: NewContact): Promise<UserRecord> {
    return (await createContact(this.pool, contact, WHAT)).record;
  }

  async change(
    workspaceId: string,
    id: string,
    patch: ChangeUserBody | ChangeMeBody,
    only?: 'contact',
    cause?: ConsentCause,
  ): Promise<UserRecord> {
    const input = {
      workspace_id: workspaceId,
      id,
      patch,
      ...(only && { kind: only }),
      ...(cause && { cause }),
    };
    return (await updateUser(this.pool, input, WHAT)).record;
  }

  async delete(workspaceId: string, id: string): Promise<void> {
    await deleteContact(this.pool, { workspace_id: workspaceId, id }, WHAT);
  }

  async merge(
    workspaceId: string,
    id: string,
    sourceId: string,
    claim?: ClaimKey,
    cause?: ConsentCause,
  ): Promise<UserRecord> {
    const input = { workspace_id: workspaceId, id, source_id: sourceId, claim, cause };
    return (await mergeContacts(this.pool, input, WHAT)).record;
  }

  listConsentChanges(
    workspaceId: string,
    id: string,
    query: ListQuery,
  ): Promise<ListPage<ConsentChangeRecord>> {
    const own = { sql: 'user_id = $1::uuid', values: [id] };
    return listRecords(this.pool, consentSource, consentChangeList, workspaceId, query, [own]);
  }

  async countContacts(workspaceId: string, filters: readonly (readonly FilterClause[])[]): Promise<number[]> {
    if (filters.length === 0) return [];
    const parameters = new Parameters();
    const counts = filters.map(
      (filter) => `(SELECT count(*)::int FROM (${contactsSql(workspaceId, filter, parameters)}) c)`,
    );
    const { rows } = await readIn<{ counts: number[] }>(this.pool, workspaceId, {
      text: `SELECT ARRAY[${counts.join(', ')}] AS counts`,
      values: parameters.values,
    });
    return rows[0]?.counts ?? [];
  }
}

/** A query for the ids of the contacts that match all clauses. */
export function contactsSql(
  workspaceId: string,
  filter: readonly FilterClause[],
  parameters: Parameters,
): string {
  const conditions = filter.map((clause) => filterSql(clause, fieldOf(clause.field, parameters), parameters));
  const workspace = `workspace_id = ${parameters.value(workspaceId)}::uuid`;
  return `SELECT id FROM users WHERE ${[workspace, ...conditions].join(' AND ')} AND kind = 'contact'
    AND deleted_at IS NULL ORDER BY id LIMIT ${MAX_BY_FILTER}`;
}

/** Presence of users, from heartbeats, in PostgreSQL. */
export class PostgresPresence implements Presence {
  constructor(private readonly pool: Pool) {}

  beat(userIds: readonly string[]): Promise<void> {
    return recordPresenceHeartbeat(this.pool, userIds);
  }

  expire(): Promise<void> {
    return expirePresence(this.pool);
  }
}

function fieldOf(name: string, parameters: Parameters) {
  if (name.startsWith('metadata.')) {
    const key = parameters.value(name.slice('metadata.'.length));
    return { sql: `metadata->>${key}`, type: 'string' as const };
  }
  const field = fields[name];
  const type = userList.filter[name]?.type ?? 'string';
  return typeof field === 'object' ? { ...field, type } : { sql: field ?? name, type };
}
