import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { Receive } from '../../../src/core/inbound/receive.js';
import { type BridgeStage, bridgeStage, NOW, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
});

const countMessages = async () =>
  (
    await values<number>(stage.pool, 'SELECT count(*)::int FROM messages WHERE workspace_id = $1', [
      stage.workspaceId,
    ])
  )[0];

describe('an envelope whose effects fail', () => {
  const envelope = { dedupeKey: 'poison', lane: 'x', payload: { bad: true } };
  const poisonous = { decode: async () => Promise.reject(new Error('The decoder broke.')) };
  const find = async () => {
    const { rows } = await stage.pool.query(
      'SELECT id, status, tries, error FROM envelopes WHERE connection_id = $1',
      [connection],
    );
    return rows[0] as { id: string; status: string; tries: number; error: string | null };
  };

  it('is stored alone and acknowledged, retried with growing waits, and dead after the fifth failure', async () => {
    const log = recordingLog();
    const receive = new Receive(stage.inbound, poisonous, log);
    expect(await receive.envelope(connection, envelope)).toEqual({ stored: true, message: null });
    expect(await receive.envelope(connection, envelope)).toEqual({ stored: false, message: null });
    const { id } = await find();
    for (const status of ['pending', 'pending', 'pending', 'dead', 'dead']) {
      await receive.retry(id);
      expect((await find()).status).toBe(status);
    }
    expect(await find()).toMatchObject({ tries: 5, error: 'The decoder broke.' });
    const waits = await values<number>(
      stage.pool,
      `SELECT round(extract(epoch FROM run_at - created_at))::int FROM outbox WHERE topic = 'envelope' AND payload->>'envelope_id' = $1 ORDER BY id`,
      [id],
    );
    expect(waits).toEqual([5, 20, 80, 320]);
    expect(log.lines.at(-1)).toMatchObject({ event: 'envelope.failed', fields: { status: 'dead' } });
  });

  it('is applied once when a later try succeeds', async () => {
    await new Receive(stage.inbound, poisonous, recordingLog()).envelope(connection, envelope);
    const { id } = await find();
    const event = {
      type: 'message',
      at: NOW,
      chat: { id: 'healed', kind: 'group' },
      messageId: 'h1',
      sender: { id: 'ann', displayName: 'Ann' },
      content: { text: 'Late', spans: [], attachments: [] },
    } as never;
    const receive = new Receive(stage.inbound, { decode: async () => [event] }, recordingLog());
    await Promise.all([receive.retry(id), receive.retry(id)]);
    expect([(await find()).status, await countMessages()]).toEqual(['processed', 1]);
  });

  it('does not affect the platform’s other events when the database refuses one', async () => {
    const broken = {
      type: 'receipt',
      at: 'no time at all',
      chat: { id: 'x', kind: 'direct' },
      messageId: 'x',
      status: 'read',
    };
    const receive = new Receive(stage.inbound, { decode: async () => [broken as never] }, recordingLog());
    await stage.link(await stage.conversation(), connection, 'x');
    const task = await stage.send(
      (
        await values<string>(stage.pool, 'SELECT conversation_id FROM links WHERE connection_id = $1', [
          connection,
        ])
      )[0]!,
      'x',
    );
    await stage.deliveries.settle([sent(await stage.claimOne(connection), 'x')]);
    expect((await receive.envelope(connection, { ...envelope, dedupeKey: uuidv7() })).stored).toBe(true);
    expect((await find()).status).toBe('pending');
    expect((await stage.message(task.id)).status).toBe('sent');
  });

  it('is not acknowledged when nothing can be stored', async () => {
    const away = { ...stage.inbound, receive: async () => Promise.reject(new Error('away')) } as never;
    const receive = new Receive(away, { decode: async () => [] }, recordingLog());
    await expect(receive.envelope(connection, envelope)).rejects.toThrow('away');
  });
});

it('a gap that an adapter reports is logged once', async () => {
  const log = recordingLog();
  const gap = { type: 'gap', since: NOW, reason: 'The channel has more messages than are fetched.' } as const;
  const receive = new Receive(stage.inbound, { decode: async () => [gap] }, log);
  const envelope = { dedupeKey: 'gap', lane: 'gateway', payload: {} };
  await receive.envelope(connection, envelope);
  await receive.envelope(connection, envelope);
  expect(log.lines).toEqual([
    expect.objectContaining({
      event: 'connection.gap',
      fields: { connection_id: connection, since: NOW, reason: gap.reason },
    }),
  ]);
});

describe('an envelope that can’t be stored as it is', () => {
  const message = (id: string) =>
    ({
      type: 'message',
      at: NOW,
      chat: { id: 'busy', kind: 'group' },
      messageId: id,
      sender: { id: 'ann', displayName: 'Ann' },
      content: { text: id, spans: [], attachments: [] },
    }) as never;
  const kept = async () =>
    (
      await stage.pool.query(
        'SELECT dedupe_key, status, payload, error FROM envelopes WHERE connection_id = $1 ORDER BY 1',
        [connection],
      )
    ).rows;

  it.each([
    [
      'has more than 16 MiB',
      { text: 'x'.repeat(16 * 1024 * 1024) },
      'must have at most 16 MiB of JSON.',
      null,
    ],
    ['is not JSON', { size: 7n }, 'must be JSON.', null],
    [
      'is nested too deep',
      JSON.parse('['.repeat(201) + ']'.repeat(201)),
      'has more than 200 levels.',
      expect.any(Array),
    ],
  ])(
    'is dead with the reason if its payload %s, and the other envelopes of its lane are processed',
    async (_, payload, why, kind) => {
      const log = recordingLog();
      const decode = async (_id: string, { dedupeKey }: { readonly dedupeKey: string }) => [
        message(dedupeKey),
      ];
      const receive = new Receive(stage.inbound, { decode }, log);
      const arrive = (dedupeKey: string, content: unknown) =>
        receive.envelope(connection, { dedupeKey, lane: 'busy', payload: content as never });
      const batch = () => Promise.all([arrive('a', {}), arrive('b', payload), arrive('c', {})]);
      expect((await batch()).map(({ stored }) => stored)).toEqual([true, true, true]);
      const reason = expect.stringContaining(`The payload ${why}`);
      expect(await kept()).toEqual([
        { dedupe_key: 'a', status: 'processed', payload: {}, error: null },
        { dedupe_key: 'b', status: 'dead', error: reason, payload: kind },
        { dedupe_key: 'c', status: 'processed', payload: {}, error: null },
      ]);
      expect(await countMessages()).toBe(2);
      expect(log.lines).toEqual([
        expect.objectContaining({
          event: 'envelope.dead',
          fields: expect.objectContaining({ connection_id: connection, dedupe_key: 'b', reason }),
        }),
      ]);
      // The platform repeats what it did not see acknowledged.
      expect((await batch()).map(({ stored }) => stored)).toEqual([false, false, false]);
    },
  );

  /** The database refuses payloads that name an SQLSTATE, as it does with values that it cannot store. */
  const refusing = () =>
    stage.pool.query(`CREATE OR REPLACE FUNCTION refuse_payload() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'a value of the payload' USING ERRCODE = NEW.payload->>'state'; END $$;
      CREATE OR REPLACE TRIGGER refuse_payload BEFORE INSERT ON envelopes FOR EACH ROW
      WHEN (NEW.payload ? 'state') EXECUTE FUNCTION refuse_payload()`);
  const plain = { decode: async () => [] };
  const stateful = (state: string, dedupeKey = 'odd') => ({ dedupeKey, lane: 'busy', payload: { state } });

  it.each(['22003', '22021', '22P02', '22P05', '54000', '54001'])(
    'is dead with the reason if the database refuses its payload as %s, and is acknowledged when it is repeated',
    async (state) => {
      await refusing();
      const log = recordingLog();
      const receive = new Receive(stage.inbound, plain, log);
      expect(await receive.envelope(connection, stateful(state))).toEqual({ stored: true, message: null });
      expect((await receive.envelope(connection, stateful(state))).stored).toBe(false);
      expect(await kept()).toEqual([
        {
          dedupe_key: 'odd',
          status: 'dead',
          payload: null,
          error: 'The database refuses it: a value of the payload.',
        },
      ]);
      expect(log.lines).toContainEqual(expect.objectContaining({ event: 'envelope.dead' }));
    },
  );

  it('is dead under keys that every database stores, which stay the same', async () => {
    await refusing();
    const receive = new Receive(stage.inbound, plain, recordingLog());
    for (const key of ['語', '語', '言']) await receive.envelope(connection, stateful('22P05', key));
    const keys = (await kept()).map(({ dedupe_key }) => dedupe_key);
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it.each(['08006', '40001', '40P01', '53100', '53200', '57014', '57P01', '42P01', 'XX000'])(
    'is not acknowledged if the server cannot store it for another reason, such as %s',
    async (state) => {
      await refusing();
      const receive = new Receive(stage.inbound, plain, recordingLog());
      await expect(receive.envelope(connection, stateful(state))).rejects.toThrow('a value of the payload');
      expect(await kept()).toEqual([]);
    },
  );

  it('is dead after its tries if the reason has characters that cannot be stored', async () => {
    const decode = async () => Promise.reject(new Error('Odd text: \u0000 \ud83d'));
    const receive = new Receive(stage.inbound, { decode }, recordingLog());
    await receive.envelope(connection, { dedupeKey: 'odd', lane: 'busy', payload: {} });
    const [id] = await values<string>(stage.pool, 'SELECT id FROM envelopes WHERE connection_id = $1', [
      connection,
    ]);
    for (let tries = 0; tries < 4; tries += 1) await receive.retry(id ?? '');
    expect(await kept()).toMatchObject([{ status: 'dead', error: 'Odd text: \ufffd \ufffd' }]);
  });
});
