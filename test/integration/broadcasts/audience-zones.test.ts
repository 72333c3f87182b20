import { describe, expect, it } from 'vitest';
import { addresses, type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

const TOKYO = 'Asia/Tokyo';
const NOT_FILTERED = 'NULL';
const FILTERED = "ROW('{}', '{}', NULL, NULL)::found_audience";

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
  await pool.query("UPDATE users SET timezone = 'Asia/Tokyo' WHERE workspace_id = $1", [stage.workspaceId]);
});

async function segment(kind: 'static' | 'filter', members: readonly string[] = []): Promise<string> {
  const [id] = await values<string>(
    stage.pool,
    `INSERT INTO segments (id, workspace_id, name, kind, filter) VALUES (uuid7(), $1, $2, $2, $3) RETURNING id`,
    [stage.workspaceId, kind, kind === 'filter' ? 'kind:contact' : null],
  );
  await stage.pool.query(
    'INSERT INTO segment_members (segment_id, workspace_id, user_id) SELECT $1, $2, unnest($3::uuid[])',
    [id, stage.workspaceId, members],
  );
  return id!;
}

async function person(timezone: string): Promise<string> {
  const id = crypto.randomUUID();
  await stage.pool.query(
    `INSERT INTO users (id, workspace_id, kind, username, display_name, timezone)
     VALUES ($1::uuid, $2, 'contact', left($1::text, 8), 'Ann', $3)`,
    [id, stage.workspaceId, timezone],
  );
  return id;
}

const draft = (audience: object) => stage.create({ audience, draft: true } as never);

/** The zones of an audience, and the tables with the number of scans that this took. */
async function zonesOf(id: string, filtered: string) {
  const client = await stage.pool.connect();
  try {
    await client.query('BEGIN');
    const { rows: zones } = await client.query<{ zone: string }>(
      `SELECT zone FROM broadcasts b, audience_time_zones(b, ${filtered}) AS zone WHERE b.id = $1 ORDER BY 1`,
      [id],
    );
    const { rows: scans } = await client.query<{ relname: string; scans: number }>(
      `SELECT relname, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS scans FROM pg_stat_xact_user_tables
       WHERE relname IN ('segment_members', 'identities')`,
    );
    return {
      zones: zones.map(({ zone }) => zone),
      scans: Object.fromEntries(scans.map(({ relname, scans: count }) => [relname, count])),
    };
  } finally {
    client.release(true);
  }
}

describe('the time zones of an audience', () => {
  it('with filters that were not evaluated are those of all users, and its members are not read', async () => {
    const members = await segment('static', [await person('Pacific/Pago_Pago')]);
    await person('Asia/Dubai');
    const id = await draft({ segment_ids: [members], filter: 'kind:contact' });
    const { zones, scans } = await zonesOf(id, NOT_FILTERED);
    expect(zones).toEqual(['Asia/Dubai', TOKYO, 'Pacific/Pago_Pago']);
    expect(scans).toEqual({ segment_members: 0, identities: 0 });
  });

  it('with filters include UTC for an unknown address', async () => {
    const id = await draft({ recipients: addresses('alpha', 1), segment_ids: [await segment('filter')] });
    expect((await zonesOf(id, NOT_FILTERED)).zones).toEqual([TOKYO, 'UTC']);
  });

  it('are those of its members when there are no filters, or when they were evaluated', async () => {
    await person('Asia/Dubai');
    const members = await segment('static', [await person('Pacific/Pago_Pago')]);
    const plain = await zonesOf(await draft({ segment_ids: [members] }), NOT_FILTERED);
    expect(plain.zones).toEqual(['Pacific/Pago_Pago']);
    expect(plain.scans.segment_members).toBeGreaterThan(0);
    const evaluated = await draft({ segment_ids: [members], filter: 'kind:contact' });
    expect((await zonesOf(evaluated, FILTERED)).zones).toEqual(['Pacific/Pago_Pago']);
  });
});
