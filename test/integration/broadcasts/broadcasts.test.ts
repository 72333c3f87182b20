import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { Audiences } from '../../../src/core/broadcasts/audience.js';
import type { NewBroadcast, RenderedText } from '../../../src/core/broadcasts/ports.js';
import { broadcastProgress } from '../../../src/core/broadcasts/record.js';
import { cancelAll, RunBroadcast } from '../../../src/core/broadcasts/run.js';
import { PostgresBroadcasts } from '../../../src/store/broadcasts/broadcasts.js';
import { PostgresBroadcastWork } from '../../../src/store/broadcasts/recipients.js';
import { PostgresUsers } from '../../../src/store/people/users.js';
import { PostgresSegments } from '../../../src/store/segments/segments.js';
import { PostgresTemplates } from '../../../src/store/templates/templates.js';
import { wholeSchedule } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { duringUncommitted } from '../../support/lock-waiters.js';
import { eventsOf, makeContact, makeWorld, values, type World } from '../../support/people.js';

let pool: Pool;
let world: World;
let broadcasts: PostgresBroadcasts;
let work: PostgresBroadcastWork;
let users: PostgresUsers;
let run: RunBroadcast;

beforeEachOn(async (database) => {
  pool = database.pool;
  world = await makeWorld(pool);
  broadcasts = new PostgresBroadcasts(pool);
  work = new PostgresBroadcastWork(pool);
  users = new PostgresUsers(pool);
  run = new RunBroadcast(work, new Audiences(new PostgresSegments(pool)));
});

const to = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    platform: 'sms',
    address: `+49${100_000 + index}`,
    variables: {},
  }));

function draft(fields: Partial<NewBroadcast> = {}): NewBroadcast {
  return {
    id: uuidv7(),
    workspace_id: world.workspaceId,
    created_by: world.memberId,
    text: 'Hello',
    draft: false,
    audience: { recipients: to(20) },
    ...fields,
    ...('schedule' in fields && { schedule: wholeSchedule(fields.schedule) }),
  };
}

async function begin(fields: Partial<NewBroadcast> = {}): Promise<string> {
  const { id } = await broadcasts.create(draft(fields));
  await run.execute(id);
  return id;
}

/** The events, each with the previous state of its broadcast. */
const told = async (types = 'broadcast.%') =>
  (await eventsOf(pool, world.workspaceId, types)).map(({ type, extra }) => [type, extra?.previous]);

const get = async (id: string) => (await broadcasts.find(world.workspaceId, id))!;

/** Acts as the deliverer: sends every queued delivery. */
async function deliver(status = 'sent'): Promise<number> {
  const [moved] = await values<number>(
    pool,
    `SELECT cardinality(move_deliveries(coalesce((SELECT jsonb_agg(jsonb_build_object('id', id,
       'from', '["queued"]'::jsonb, 'to', $2::text, 'attempt_count', 1)) FROM deliveries
       WHERE workspace_id = $1 AND status = 'queued'), '[]')))`,
    [world.workspaceId, status],
  );
  return moved ?? 0;
}

function addsUp(counts: Record<string, number>): boolean {
  const { total, ...parts } = counts;
  return Object.values(parts).reduce((sum, part) => sum + part, 0) === total;
}

/** Whether the counts match the recipients' rows. */
async function countsAgree(id: string): Promise<boolean> {
  const [agree] = await values<boolean>(
    pool,
    `SELECT bool_and((b.counts->>k)::int = (SELECT count(*) FROM broadcast_recipients r WHERE r.broadcast_id = b.id
        AND (k = 'total' OR recipient_count_field(r.status) = k)))
     FROM broadcasts b, jsonb_object_keys(b.counts) k WHERE b.id = $1`,
    [id],
  );
  return agree === true;
}

describe('the audience of a broadcast', () => {
  it('contains only existing records: otherwise nothing is stored', async () => {
    for (const [audience, field] of [
      [{ user_ids: [uuidv7()] }, 'audience.user_ids'],
      [{ segment_ids: [uuidv7()] }, 'audience.segment_ids'],
    ] as const) {
      const input = draft({ audience });
      await expect(broadcasts.create(input)).rejects.toMatchObject({ code: 'not_found', details: { field } });
      expect(await broadcasts.find(world.workspaceId, input.id)).toBeUndefined();
    }
    await expect(broadcasts.create(draft({ template_id: uuidv7() }))).rejects.toMatchObject({
      details: { field: 'template_id' },
    });
  });

  it('receives the text of a template that is deleted at the same time', async () => {
    const template = { id: uuidv7(), workspace_id: world.workspaceId, name: 'Gone', text: 'Still said' };
    const templates = new PostgresTemplates(pool);
    await templates.create({ ...template, content_type: 'text', attachments: [], metadata: {} });
    const { text: _, ...input } = { ...draft(), template_id: template.id };
    const create = { text: 'SELECT create_broadcast($1)', values: [JSON.stringify(input)] };
    await duringUncommitted(pool, create, () => templates.delete(world.workspaceId, template.id));
    expect(await values(pool, 'SELECT template_text FROM broadcasts WHERE id = $1', [input.id])).toEqual([
      'Still said',
    ]);
  });

  it('is frozen once per person, with the reason for each skipped recipient', async () => {
    const contact = (address: string, platform?: string) =>
      makeContact(pool, world.workspaceId, address, platform);
    const [known, denied, blocked, unreachable, excluded] = [
      await contact('+1'),
      await contact('+2'),
      await contact('+3'),
      await contact('x', 'fax'),
      await contact('+4'),
    ];
    await users.change(world.workspaceId, denied, { consent: { marketing: 'denied' } });
    await users.change(world.workspaceId, blocked, { status: 'blocked' });
    const id = await begin({
      text: 'Dear {{name}}',
      audience: {
        user_ids: [known, denied, blocked, unreachable, excluded],
        recipients: [
          { platform: 'sms', address: '+1', variables: { name: 'Ann' } },
          { platform: 'sms', address: '+5', variables: { name: 'Bob' } },
          { platform: 'sms', address: '+6', variables: {} },
          { platform: 'sms', address: '\u0007', variables: { name: 'Bell' } },
        ],
        exclude: { user_ids: [excluded] },
      },
    });
    const { status, counts, skip_reasons: reasons } = await get(id);
    expect(status).toBe('sending');
    expect(counts).toMatchObject({ total: 8, pending: 2, skipped: 6 });
    expect(reasons).toEqual({
      opted_out: 1,
      blocked: 1,
      no_route: 1,
      missing_variable: 1,
      invalid_address: 1,
      duplicate: 1,
    });
    expect(await countsAgree(id)).toBe(true);
  });

  it('is omitted from the progress of the broadcast, together with the contents', async () => {
    const id = await begin();
    const progress = (await broadcasts.findProgress(world.workspaceId, id))!;
    expect(progress).toMatchObject({ status: 'sending', progress: 0, counts: { total: 20, sent: 0 } });
    expect(await get(id)).toMatchObject(progress);
    expect(Object.keys(progress).sort()).toEqual(Object.keys(broadcastProgress.shape).sort());
    expect(await broadcasts.findProgress(uuidv7(), id)).toBeUndefined();
  });

  it('skips invalid addresses of a platform', async () => {
    const audiences = new Audiences(new PostgresSegments(pool), { sms: '^[+][0-9]{3,}$' });
    const { id } = await broadcasts.create(
      draft({
        audience: {
          recipients: ['+123', '123', '+12a'].map((address) => ({ platform: 'sms', address, variables: {} })),
        },
      }),
    );
    await new RunBroadcast(work, audiences).execute(id);
    expect(await get(id)).toMatchObject({ counts: { pending: 1 }, skip_reasons: { invalid_address: 2 } });
  });

  it('fails when no recipient can be reached', async () => {
    const id = await begin({
      audience: { user_ids: [await makeContact(pool, world.workspaceId, 'x', 'fax')] },
    });
    expect(await get(id)).toMatchObject({ status: 'failed', error: { code: 'no_route' } });
    expect(await eventsOf(pool, world.workspaceId, 'broadcast.failed')).toHaveLength(1);
  });

  it('can be a filter over contacts', async () => {
    await makeContact(pool, world.workspaceId, '+71');
    const marked = await makeContact(pool, world.workspaceId, '+72');
    await users.change(world.workspaceId, marked, { metadata: { plan: 'gold' } });
    const id = await begin({ audience: { filter: 'metadata.plan:gold,platform:sms' } });
    expect(
      await values(pool, 'SELECT user_id FROM broadcast_recipients WHERE broadcast_id = $1', [id]),
    ).toEqual([marked]);
  });
});

describe('sending a broadcast', () => {
  it('writes to each recipient once in a direct conversation, rendered, and completes when all is sent', async () => {
    const known = await makeContact(pool, world.workspaceId, '+800');
    await users.change(world.workspaceId, known, { display_name: 'Ann {{name}}' });
    const id = await begin({
      text: '{{greeting}} {{user.display_name}} {{ name }}',
      variables: { greeting: 'Hi', name: 'all' },
      audience: {
        recipients: [
          { platform: 'sms', address: '+800', variables: {} },
          { platform: 'sms', address: '+801', variables: { name: 'own' } },
        ],
      },
    });
    await run.execute(id);
    const sent = await values<string>(
      pool,
      'SELECT text FROM messages WHERE broadcast_id = $1 ORDER BY text',
      [id],
    );
    expect(sent).toEqual(['Hi +801 own', 'Hi Ann {{name}} all']);
    expect((await get(id)).counts).toMatchObject({ total: 2, pending: 2 });
    expect(await deliver()).toBe(2);
    expect(await get(id)).toMatchObject({
      status: 'completed',
      counts: { pending: 0, sent: 2 },
      progress: 1,
    });
    expect(await told()).toEqual([
      ['broadcast.started', { status: 'preparing' }],
      ['broadcast.completed', { status: 'sending' }],
    ]);
    const again = await begin({ audience: { user_ids: [known] } });
    await run.execute(again);
    const rooms = await values(
      pool,
      `SELECT DISTINCT m.conversation_id FROM messages m JOIN broadcast_recipients r ON r.message_id = m.id WHERE r.user_id = $1`,
      [known],
    );
    expect(rooms).toHaveLength(1);
  });

  it('never writes to a recipient twice, however many workers share the work, and its counts add up at all times', async () => {
    const id = await begin({ audience: { recipients: to(400) } });
    let done = false;
    const samples: boolean[] = [];
    const sampler = (async () => {
      while (!done) samples.push(addsUp((await get(id)).counts), await countsAgree(id));
    })();
    const worker = async () => {
      for (let idle = 0; idle < 3; ) idle = (await work.sendChunk(id, 37)).sent === 0 ? idle + 1 : 0;
    };
    await Promise.all([worker(), worker(), worker(), deliver(), worker()]);
    await deliver();
    done = true;
    await sampler;
    const [doubled] = await values<number>(
      pool,
      `SELECT count(*)::int FROM (SELECT r.user_id FROM messages m JOIN participants p USING (conversation_id)
         JOIN broadcast_recipients r ON r.user_id = p.user_id AND r.broadcast_id = m.broadcast_id
         WHERE m.broadcast_id = $1 GROUP BY 1 HAVING count(*) > 1) x`,
      [id],
    );
    const [written] = await values<number>(
      pool,
      'SELECT count(*)::int FROM messages WHERE broadcast_id = $1',
      [id],
    );
    expect([written, doubled]).toEqual([400, 0]);
    expect(samples.length).toBeGreaterThan(4);
    expect(samples.every(Boolean)).toBe(true);
    expect(await get(id)).toMatchObject({ status: 'completed', counts: { total: 400, sent: 400 } });
  });

  it('uses one conversation per contact when two broadcasts run at once', async () => {
    const ids = await Promise.all([begin({ draft: true }), begin({ draft: true })]);
    for (const id of ids) await broadcasts.move(world.workspaceId, id, 'start');
    for (const id of ids) await run.execute(id);
    await Promise.all(ids.map((id) => run.execute(id)));
    const [rooms] = await values<number>(
      pool,
      'SELECT count(DISTINCT conversation_id)::int FROM messages WHERE workspace_id = $1',
      [world.workspaceId],
    );
    expect(rooms).toBe(20);
  });

  it('skips recipients who opted out after the audience was frozen', async () => {
    const contact = await makeContact(pool, world.workspaceId, '+900');
    const id = await begin({
      audience: { user_ids: [contact, await makeContact(pool, world.workspaceId, '+901')] },
    });
    await users.change(world.workspaceId, contact, { consent: { marketing: 'denied' } });
    await run.execute(id);
    expect(await get(id)).toMatchObject({
      counts: { total: 2, pending: 1, skipped: 1 },
      skip_reasons: { opted_out: 1 },
    });
    expect(await countsAgree(id)).toBe(true);
  });

  it('continues from step to step without a job for each, and stops when its process does', async () => {
    const { id } = await broadcasts.create(draft({ audience: { recipients: to(620) } }));
    await run.run(id, AbortSignal.abort());
    expect((await get(id)).status).toBe('preparing');
    const { signal } = new AbortController();
    const both = [run.run(id, signal), run.run(id, signal)];
    expect(run.isRunning(id)).toBe(true);
    await Promise.all(both);
    expect(run.isRunning(id)).toBe(false);
    const queued = await values<number>(
      pool,
      `SELECT count(*)::int FROM broadcast_recipients WHERE broadcast_id = $1 AND status = 'queued' GROUP BY queued_at ORDER BY queued_at`,
      [id],
    );
    expect(queued).toEqual([100, 500, 20]);
    expect(await countsAgree(id)).toBe(true);
  });

  it('stays only a limited number ahead of the platforms, and within the throttle', async () => {
    const id = await begin({ throttle: { per_minute: 7 } });
    await run.execute(id);
    await run.execute(id);
    const [queued] = await values<number>(
      pool,
      `SELECT count(*)::int FROM broadcast_recipients WHERE broadcast_id = $1 AND status = 'queued'`,
      [id],
    );
    expect(queued).toBe(7);
    const other = await begin();
    await values(pool, 'SELECT send_broadcast_chunk($1, 500, 5)', [other]);
    await values(pool, 'SELECT send_broadcast_chunk($1, 500, 5)', [other]);
    const [ahead] = await values<number>(
      pool,
      `SELECT count(*)::int FROM broadcast_recipients WHERE broadcast_id = $1 AND status = 'queued'`,
      [other],
    );
    expect(ahead).toBe(5);
  });

  it('sends five broadcasts of a workspace at once; the sixth waits', async () => {
    const ids: string[] = [];
    for (let index = 0; index < 6; index += 1) ids.push(await begin());
    expect((await Promise.all(ids.map(get))).map((one) => one.status)).toEqual([
      ...Array.from({ length: 5 }, () => 'sending'),
      'preparing',
    ]);
    await broadcasts.cancel(world.workspaceId, ids[0]!);
    await run.execute(ids[5]!);
    expect((await get(ids[5]!)).status).toBe('sending');
  });

  it('pauses in quiet hours', async () => {
    const day = { from: '00:00', to: '00:00', timezone: 'Europe/Berlin' };
    const id = await begin({ schedule: { quiet_hours: day } });
    await run.execute(id);
    expect(await get(id)).toMatchObject({ status: 'on_hold', counts: { pending: 20 } });
    await pool.query('UPDATE broadcasts SET schedule = NULL WHERE id = $1', [id]);
    await run.execute(id);
    expect(await told()).toEqual([
      ['broadcast.started', { status: 'preparing' }],
      ['broadcast.paused', { status: 'sending' }],
      ['broadcast.resumed', { status: 'on_hold' }],
    ]);
  });

  it('ends at its end time and expires the remaining recipients', async () => {
    const id = await begin({ schedule: { expires_at: new Date(Date.now() + 60_000).toISOString() } });
    await pool.query(
      `UPDATE broadcasts SET schedule = jsonb_set(schedule, '{expires_at}', to_jsonb(wire_time(now()))) WHERE id = $1`,
      [id],
    );
    await run.execute(id);
    expect(await get(id)).toMatchObject({
      status: 'expired',
      counts: { total: 20, pending: 0, expired: 20 },
    });
  });
});

describe('controlling a broadcast', () => {
  it('keeps a draft until it is started, and a scheduled one until its time', async () => {
    const { id } = await broadcasts.create(draft({ draft: true }));
    await run.execute(id);
    expect((await get(id)).status).toBe('draft');
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await broadcasts.change(world.workspaceId, id, { schedule: wholeSchedule({ at }) });
    expect(await broadcasts.move(world.workspaceId, id, 'start')).toMatchObject({
      status: 'scheduled',
      scheduled_at: at,
    });
    await run.execute(id);
    expect((await get(id)).status).toBe('scheduled');
    await pool.query(`UPDATE broadcasts SET scheduled_at = now() - interval '1 ms' WHERE id = $1`, [id]);
    await run.execute(id);
    expect((await get(id)).status).toBe('sending');
    await expect(broadcasts.change(world.workspaceId, id, { name: 'late' })).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'sending' },
    });
  });

  it('pauses and resumes, and one of several parallel pauses takes effect', async () => {
    const id = await begin();
    const pauses = await Promise.allSettled(
      Array.from({ length: 4 }, () => broadcasts.move(world.workspaceId, id, 'pause')),
    );
    expect(pauses.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
    expect((await work.sendChunk(id, 500)).sent).toBe(0);
    await broadcasts.move(world.workspaceId, id, 'resume');
    expect((await work.sendChunk(id, 500)).sent).toBe(20);
  });

  it('cancels during sending: pending recipients receive nothing, sent messages stay, and the counts agree', async () => {
    const id = await begin({ audience: { recipients: to(300) } });
    await work.sendChunk(id, 100);
    await deliver();
    const racing = Promise.all(Array.from({ length: 5 }, () => work.sendChunk(id, 20)));
    await broadcasts.cancel(world.workspaceId, id);
    await cancelAll(work, id);
    await racing;
    await cancelAll(work, id);
    const { status, counts } = await get(id);
    expect(status).toBe('canceled');
    expect(counts).toMatchObject({ total: 300, sent: 100, pending: 0, canceled: 200 });
    expect(await countsAgree(id)).toBe(true);
    expect(await deliver()).toBe(0);
    expect((await work.sendChunk(id, 100)).sent).toBe(0);
    expect(await told('broadcast.canceled')).toEqual([['broadcast.canceled', { status: 'canceling' }]]);
    await expect(broadcasts.cancel(world.workspaceId, id)).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'canceled' },
    });
  });

  it('sends the existing messages again to failed recipients', async () => {
    const id = await begin();
    await expect(broadcasts.retry(world.workspaceId, id)).rejects.toMatchObject({
      details: { reason: 'invalid_state' },
    });
    await run.execute(id);
    await deliver('failed');
    expect(await get(id)).toMatchObject({ status: 'completed', counts: { failed: 20 } });
    expect(await broadcasts.retry(world.workspaceId, id)).toMatchObject({
      status: 'sending',
      completed_at: null,
      counts: { failed: 0, pending: 20 },
    });
    await run.execute(id);
    await deliver();
    expect(await get(id)).toMatchObject({ status: 'completed', counts: { sent: 20 } });
    const [written] = await values<number>(
      pool,
      'SELECT count(*)::int FROM messages WHERE broadcast_id = $1',
      [id],
    );
    expect(written).toBe(20);
    await expect(broadcasts.retry(world.workspaceId, id)).rejects.toMatchObject({
      details: { reason: 'nothing_to_retry' },
    });
  });

  it('runs a dry run without leaving anything behind', async () => {
    const input = draft({ text: 'Hi {{user.display_name}}' });
    const texts: RenderedText[] = [];
    const found = await broadcasts.rehearse(
      input,
      { included: [], excluded: [], addressForms: {}, cap: null },
      (some) => texts.push(...some),
    );
    expect(found).toMatchObject({ content_type: 'text', skips: {} });
    expect(texts.map(({ times }) => times)).toEqual(Array.from({ length: 20 }, () => 1));
    expect(found.samples).toHaveLength(5);
    expect(found.samples[0]?.text).toMatch(/^Hi \+49/);
    expect(await broadcasts.find(world.workspaceId, input.id)).toBeUndefined();
    expect(await eventsOf(pool, world.workspaceId)).toEqual([]);
  });

  it('adds a new job for broadcasts whose job was lost', async () => {
    const id = await begin();
    await pool.query(`DELETE FROM outbox WHERE topic = 'broadcast'`);
    await work.requeue();
    expect(
      await values(pool, `SELECT payload->>'broadcast_id' FROM outbox WHERE topic = 'broadcast'`),
    ).toContain(id);
  });
});
