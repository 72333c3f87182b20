import { expect, it } from 'vitest';
import type { Envelope } from '../../../src/contract/index.js';
import { Receive } from '../../../src/core/inbound/receive.js';
import { purgeHistory } from '../../../src/store/calls.gen.js';
import { PostgresConnectionRuntime } from '../../../src/store/platforms/connection-runtime.js';
import { type BridgeStage, bridgeStage, NOW } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { problemsOfEvent } from '../../support/event-check.js';
import { recordingLog } from '../../support/log.js';
import { values } from '../../support/people.js';

interface Gap {
  readonly type: 'gap';
  readonly since: string;
  readonly reason: string;
}

let stage: BridgeStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  const health = { code: 'ok', message: 'Connected.', fix: null, since: NOW };
  await pool.query('UPDATE connections SET health = $2 WHERE id = $1', [connection, health]);
});

const REASON = 'The channel has more messages than are fetched.';
const gapSince = (since: string, reason = REASON): Gap => ({ type: 'gap', since, reason });
const envelope = (dedupeKey: string): Envelope => ({ dedupeKey, lane: 'gateway', payload: {} });
const reporting = (...gaps: readonly Gap[]) =>
  new Receive(stage.inbound, { decode: async () => gaps }, recordingLog());

const events = async () =>
  (
    await stage.pool.query(
      `SELECT data, extra, position FROM events WHERE workspace_id = $1 AND type = 'platform.gap' ORDER BY position`,
      [stage.workspaceId],
    )
  ).rows;
const record = async () =>
  (
    await values<{ gaps: readonly object[]; health: object }>(
      stage.pool,
      'SELECT connection_record(c) FROM connections c WHERE id = $1',
      [connection],
    )
  )[0];

it('A gap is one event of its connection with period and reason, as the description of the API says.', async () => {
  await reporting(gapSince(NOW)).envelope(connection, envelope('gap'));
  const [event, ...more] = await events();
  expect(more).toEqual([]);
  const gap = { since: NOW, until: expect.any(String), reason: REASON };
  expect(event).toMatchObject({ data: { id: connection }, extra: { gap } });
  expect(await record()).toMatchObject({ gaps: [gap] });
  expect((await record())?.health).not.toHaveProperty('gaps');
  expect(
    problemsOfEvent({
      id: 'whk_01KDVDNA000123456789ABCDEF',
      event: 'platform.gap',
      timestamp: NOW,
      data: { ...event.data, ...event.extra, sequence: Number(event.position) },
    }),
  ).toEqual([]);
});

it('A gap that is reported again, at the same time or in another envelope, is no further event.', async () => {
  const receive = reporting(gapSince(NOW));
  await Promise.all(['a', 'b', 'c', 'c'].map((key) => receive.envelope(connection, envelope(key))));
  await receive.envelope(connection, envelope('d'));
  expect(await events()).toHaveLength(1);
  await reporting(gapSince(NOW, 'Discord refused to list the missed messages.')).envelope(
    connection,
    envelope('e'),
  );
  expect(await events()).toHaveLength(2);
});

it('A postponed envelope reports its gap when it is applied.', async () => {
  const broken = { decode: async () => Promise.reject(new Error('The decoder broke.')) };
  await new Receive(stage.inbound, broken, recordingLog()).envelope(connection, envelope('gap'));
  expect(await events()).toEqual([]);
  const [id] = await values<string>(stage.pool, 'SELECT id FROM envelopes WHERE connection_id = $1', [
    connection,
  ]);
  await reporting(gapSince(NOW)).retry(id ?? '');
  expect(await events()).toHaveLength(1);
});

it('A connection shows its last ten gaps, newest first, and keeps them when its health changes.', async () => {
  const times = Array.from({ length: 12 }, (_, hour) => new Date(Date.UTC(2026, 0, 1, hour)).toISOString());
  for (const time of times) await reporting(gapSince(time)).envelope(connection, envelope(time));
  const runtime = new PostgresConnectionRuntime(stage.pool, undefined as never);
  const [status] = await values<'connected'>(stage.pool, 'SELECT status FROM connections WHERE id = $1', [
    connection,
  ]);
  const health = { code: 'transient', message: 'It does not answer.', fix: null } as const;
  await runtime.move({ id: connection, generation: 1 }, [status ?? 'connected'], 'degraded', health);
  expect(await record()).toMatchObject({
    health: { code: 'transient' },
    gaps: times
      .slice(2)
      .reverse()
      .map((since) => ({ since })),
  });
});

it('The key of a gap is removed when its event is.', async () => {
  await reporting(gapSince(NOW)).envelope(connection, envelope('a'));
  const keys = () =>
    values<string>(stage.pool, 'SELECT fault FROM service_faults WHERE fault LIKE $1', [`%${connection}%`]);
  await purgeHistory(stage.pool, 100);
  expect(await keys()).toHaveLength(1);
  await stage.pool.query(`UPDATE service_faults SET reported_at = now() - interval '46 days'`);
  await purgeHistory(stage.pool, 100);
  expect(await keys()).toEqual([]);
});
