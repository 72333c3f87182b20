import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findRunningEmbedded } from '../../src/store/embedded/start.js';
import { type ApiClient, eventually, fieldsOf, type Json } from '../support/api-client.js';
import { type StreamFrame, TestStream } from '../support/event-stream.js';
import { type Service, startService } from '../support/service.js';

const PATH = '/openapi/events/stream';

let service: Service;
let api: ApiClient;
let database: pg.Client;
let conversation: Json;
const opened: TestStream[] = [];

const open = async (query = '', more: Partial<Parameters<typeof TestStream.open>[1]> = {}) => {
  const stream = await TestStream.open(service.url, { key: service.key, query, ...more });
  opened.push(stream);
  return stream;
};
/** An open stream that is certainly live: it has received an event that happened after it was opened. */
const live = async (query = '', more: Partial<Parameters<typeof TestStream.open>[1]> = {}) => {
  const stream = await open(query, more);
  await stream.until((frames) => frames.length > 0);
  return stream;
};
const say = (text: string) =>
  api.must<Json & { id: string }>(201, 'POST', '/openapi/messages', {
    conversation_id: conversation.id,
    text,
  });
/** The record in a frame's payload. */
const dataOf = ({ data }: StreamFrame) => (data?.data ?? {}) as Json;
const texts = (stream: TestStream) =>
  stream.events.filter(({ event }) => event === 'message.created').map((frame) => dataOf(frame).text);
const showing = (stream: TestStream, text: string) => stream.event((frame) => dataOf(frame).text === text);

beforeAll(async () => {
  service = await startService({ dataDir: await mkdtemp(join(tmpdir(), 'trunkline-stream-')) });
  api = service.client();
  database = new pg.Client((await findRunningEmbedded(service.dataDir)) ?? {});
  await database.connect();
  conversation = await api.must(201, 'POST', '/openapi/conversations', {
    type: 'group',
    participant_ids: [],
  });
});
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await eventually(
    async () =>
      (await database.query('SELECT count(*)::int AS open FROM open_streams')).rows[0].open as number,
    (count) => count === 0,
  );
});
afterAll(async () => {
  await database?.end();
  await service?.stop();
  // A service with a given folder does not delete it.
  await rm(service.dataDir, { recursive: true, force: true });
});

describe('the event stream', () => {
  it('starts with the retry time and sends each event as one frame, with the payload of webhooks', async () => {
    const stream = await live();
    expect([stream.status, stream.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(stream.headers['cache-control']).toBe('no-store');
    expect(stream.headers['x-api-version']).toBe('1.0');
    expect(stream.headers['x-ratelimit-limit']).toBe('1000000000');
    const message = await say('Grüße ✓\nin two lines');
    const frame = await showing(stream, 'Grüße ✓\nin two lines');
    expect(stream.frames[0]?.text).toBe('retry: 3000');
    expect(frame.text.split('\n').map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'id',
      'event',
      'data',
    ]);
    expect(Object.keys(frame.data ?? {})).toEqual(['id', 'event', 'timestamp', 'data']);
    expect(frame.data).toMatchObject({ id: frame.id, event: 'message.created' });
    expect(frame.id).toMatch(/^whk_[0-9A-HJKMNP-TV-Z]{26}$/);
    const { conversation: context, sender, sequence, ...record } = dataOf(frame);
    expect(record).toEqual(message);
    expect([context, sender, sequence]).toEqual([
      expect.objectContaining({ id: conversation.id }),
      expect.objectContaining({ id: message.sender_id }),
      expect.any(Number),
    ]);
  });

  it('uses the format of the requested version', async () => {
    const stream = await live('', { path: `/v2${PATH}` });
    await say('two');
    const { data } = await stream.event(
      ({ data }) => ((data?.data as Json | undefined)?.content as Json | undefined)?.text === 'two',
    );
    expect(Object.keys(data ?? {})).toEqual(['id', 'event', 'type', 'timestamp', 'data']);
    expect(data).toMatchObject({ type: 'message.created', data: { delivery: { attempts: [] } } });
    for (const base of ['', '/v1', '/v2']) {
      expect(fieldsOf(await api.get(`${base}${PATH}?nope=1`))).toEqual([['nope', 'unknown_field']]);
    }
  });

  it('sends only requested events: names, prefixes and categories', async () => {
    const named = await live('?events=message.updated,conversation.*');
    const category = await live('?events=messages');
    const message = await say('filtered');
    await api.must(200, 'PATCH', `/openapi/messages/${message.id}`, { text: 'changed' });
    await api.must(200, 'PATCH', `/openapi/conversations/${conversation.id}`, { title: 'T' });
    await named.event(({ event }) => event === 'conversation.updated');
    await category.event(({ event }) => event === 'message.updated');
    expect(named.events.map(({ event }) => event)).toEqual(['message.updated', 'conversation.updated']);
    expect(category.events.map(({ event }) => event)).toEqual(['message.created', 'message.updated']);
  });

  it('sends some events only when requested by name or prefix', async () => {
    const all = await live();
    const asked = await live('?events=reaction.*,delivery.updated,message.created');
    await database.query(
      `INSERT INTO events (workspace_id, type, conversation_id, data)
       SELECT workspace_id, 'reaction.added', id, '{"emoji":"👍"}' FROM conversations WHERE id = $1`,
      [conversation.id],
    );
    await asked.event(({ event }) => event === 'reaction.added');
    await say('after the reaction');
    await showing(all, 'after the reaction');
    expect(all.events.map(({ event }) => event)).not.toContain('reaction.added');
  });

  it('refuses an unknown event and one without its scope, while categories include only events that the key may read', async () => {
    const calls = await service.createKey({ scopes: 'calls:read' });
    const client = service.client(calls);
    for (const events of ['message.created', 'message.*', 'calls,message.created', 'message.created,nope']) {
      const refused = await client.get(`${PATH}?events=${events}`);
      expect([refused.status, refused.body.details]).toEqual([
        403,
        { required: ['messages:read'], provided: ['calls:read'] },
      ]);
    }
    for (const events of ['nope', 'message', 'calls,', '', '*.created', 'message.exploded']) {
      expect(fieldsOf(await client.get(`${PATH}?events=${events}`))).toEqual([['events', 'invalid_value']]);
    }
    expect(fieldsOf(await client.get(`${PATH}?events=calls&events=*`))).toEqual([['events', 'duplicate']]);
    const quiet = await live('?events=messages,*', { key: calls });
    const other = await live();
    await say('not for calls');
    await showing(other, 'not for calls');
    expect(quiet.events).toEqual([]);
    const none = service.client(await service.createKey({ scopes: 'messages:write,protocols:read' }));
    const refused = await none.get(PATH);
    expect([refused.status, (refused.body.details as Json).provided]).toEqual([
      403,
      ['messages:write', 'protocols:read'],
    ]);
    expect((await service.client('nobody').get(PATH)).status).toBe(401);
  });

  it('keeps test and live workspace separate', async () => {
    const test = await service.createKey({ test: true });
    const stream = await live('', { key: test });
    const other = await live();
    await say('live only');
    await showing(other, 'live only');
    const inTest = await service
      .client(test)
      .must(201, 'POST', '/openapi/conversations', { type: 'group', participant_ids: [] });
    await stream.event(({ event }) => event === 'conversation.created');
    expect(stream.events.map((frame) => dataOf(frame).id)).toContain(inTest.id);
    expect(texts(stream)).toEqual([]);
  });

  it('responds to HEAD with the headers and closes the response', async () => {
    const head = await open('', { method: 'HEAD' });
    expect([head.status, head.headers['content-type']]).toEqual([200, 'text/event-stream']);
    await head.ended();
  });

  it('counts as one request', async () => {
    const key = await service.createKey({ rateLimit: 3 });
    const stream = await open('', { key });
    expect([stream.headers['x-ratelimit-limit'], stream.headers['x-ratelimit-remaining']]).toEqual([
      '3',
      '2',
    ]);
    await say('one');
    await showing(stream, 'one');
    const { headers } = await service.client(key).get('/openapi/messages');
    expect(headers['x-ratelimit-remaining']).toBe('1');
  });
});

describe('resuming after an event', () => {
  it('replays everything after it and then continues live, by header or query, the header first', async () => {
    const first = await live('?events=message.created');
    for (const text of ['a1', 'a2', 'a3']) await say(text);
    await showing(first, 'a3');
    first.close();
    await say('a4');
    const a1 = first.events.find((frame) => dataOf(frame).text === 'a1')?.id ?? '';
    const a3 = first.events.find((frame) => dataOf(frame).text === 'a3')?.id ?? '';
    const byHeader = await live(`?events=message.created&last_event_id=${a1}`, {
      headers: { 'Last-Event-ID': a3 },
    });
    const byQuery = await live(`?events=message.created&last_event_id=${a1}`);
    await say('a5');
    await showing(byHeader, 'a5');
    await showing(byQuery, 'a5');
    expect(texts(byHeader)).toEqual(['a4', 'a5']);
    expect(texts(byQuery)).toEqual(['a2', 'a3', 'a4', 'a5']);
    expect(byQuery.events.slice(0, 2)).toEqual(first.events.slice(-2));
  });

  it('does not repeat an event that the client has received while another transaction stays open', async () => {
    await database.query('BEGIN');
    try {
      await database.query('SELECT pg_current_xact_id()');
      const first = await live('?events=message.created');
      for (const text of ['b1', 'b2', 'b3']) await say(text);
      const { id } = await showing(first, 'b2');
      const second = await live(`?events=message.created&last_event_id=${id}`);
      await showing(second, 'b3');
      expect(texts(second)).toEqual(['b3']);
    } finally {
      await database.query('ROLLBACK');
    }
  });

  it('replays more than a page, completely and in order', async () => {
    const before = await live('?events=message.created');
    await say('mark');
    const mark = (await showing(before, 'mark')).id;
    before.close();
    await database.query(
      `INSERT INTO events (workspace_id, type, conversation_id, data)
       SELECT workspace_id, 'message.created', id, json_build_object('text', 'bulk ' || n)
       FROM conversations, generate_series(1, 1203) AS n WHERE id = $1`,
      [conversation.id],
    );
    const stream = await open(`?events=message.created&last_event_id=${mark}`);
    await say('end of bulk');
    await showing(stream, 'end of bulk');
    expect(texts(stream)).toEqual([
      ...Array.from({ length: 1203 }, (_, n) => `bulk ${n + 1}`),
      'end of bulk',
    ]);
  });

  it('reports a gap when the event is unknown, too old or of another workspace, and continues live', async () => {
    const stream = await live('?events=message.created');
    await say('old');
    const old = (await showing(stream, 'old')).id ?? '';
    await database.query(
      `UPDATE events SET occurred_at = now() - interval '25 hours' WHERE data->>'text' = 'old'`,
    );
    const test = await service.createKey({ test: true });
    const oldest = stream.events.length;
    expect(oldest).toBeGreaterThan(0);
    for (const [requested, key] of [
      ['whk_01KDVDNA000123456789ABCDEF', service.key],
      ['nonsense', service.key],
      [old, service.key],
      [old, test],
    ] as const) {
      const resumed = await live('', { key, headers: { 'Last-Event-ID': requested } });
      const gap = await resumed.event(({ event }) => event === 'stream.gap');
      expect(resumed.frames.indexOf(gap)).toBe(1);
      expect(gap.id).toBeUndefined();
      expect(gap.data).toEqual({ requested_id: requested, oldest_id: expect.stringMatching(/^whk_/) });
      if (key === test) continue;
      const text = `after the gap of ${requested}`;
      await say(text);
      await showing(resumed, text);
      expect(texts(resumed)).toEqual([text]);
      resumed.close();
    }
  });

  it('misses no event that a slower transaction commits with an earlier position', async () => {
    const stream = await live('?events=message.created');
    const slow = new pg.Client((await findRunningEmbedded(service.dataDir)) ?? {});
    await slow.connect();
    await slow.query('BEGIN');
    await slow.query(
      `INSERT INTO events (workspace_id, type, conversation_id, data)
       SELECT workspace_id, 'message.created', id, '{"text":"slow"}' FROM conversations WHERE id = $1`,
      [conversation.id],
    );
    await say('quick');
    const quick = await showing(stream, 'quick');
    const resumed = await live('?events=message.created', { headers: { 'Last-Event-ID': quick.id ?? '' } });
    await slow.query('COMMIT');
    await slow.end();
    await showing(stream, 'slow');
    await showing(resumed, 'slow');
    expect(texts(stream)).toEqual(['quick', 'slow']);
    expect(texts(resumed)).toEqual(['slow']);
    // A client that resumes after the commit gets it too, since the event was not committed before.
    const later = await live('?events=message.created', { headers: { 'Last-Event-ID': quick.id ?? '' } });
    await showing(later, 'slow');
  });
});

describe('the limits of a stream', () => {
  it('allow ten streams per credential, without affecting another credential', async () => {
    const key = await service.createKey();
    const streams = [];
    for (let count = 0; count < 10; count += 1) streams.push(await open('', { key }));
    expect(streams.map(({ status }) => status)).toEqual(Array(10).fill(200));
    const refused = await service.client(key).get(PATH);
    expect([refused.status, refused.body.error, (refused.body.details as Json).limit]).toEqual([
      429,
      'rate_limit_exceeded',
      10,
    ]);
    expect((await open()).status).toBe(200);
    streams[0]?.close();
    await eventually(
      async () => {
        const again = await open('', { key });
        if (again.status !== 200) again.close();
        return again.status;
      },
      (status) => status === 200,
    );
  });

  it('end it when its key is revoked or expires', async () => {
    const [revoked, expired] = [await service.createKey(), await service.createKey()];
    const one = await live('', { key: revoked });
    const two = await live('', { key: expired });
    const stays = await live();
    const id = async (key: string) => {
      const { rows } = await database.query('SELECT id FROM api_keys WHERE hint = right($1, 4)', [key]);
      return rows[0].id as string;
    };
    await service.run('keys', 'revoke', await id(revoked));
    await one.ended();
    await database.query(
      `WITH past AS (UPDATE api_keys SET expires_at = now() - interval '1 ms' WHERE id = $1 RETURNING id)
       SELECT pg_notify('credentials', id::text) FROM past`,
      [await id(expired)],
    );
    await two.ended();
    expect(stays.isEnded).toBe(false);
  });

  it('end it when the reader is too far behind, and the reader can resume from its last event', async () => {
    const slow = await live('?events=message.created');
    await say('before the flood');
    const last = await showing(slow, 'before the flood');
    slow.pause();
    const flood = async (count: number) =>
      database.query(
        `INSERT INTO events (workspace_id, type, conversation_id, data)
         SELECT workspace_id, 'message.created', id, json_build_object('text', 'flood', 'filler', repeat('x', 200000))
         FROM conversations, generate_series(1, $2::int) WHERE id = $1`,
        [conversation.id, count],
      );
    const open = async () =>
      (await database.query('SELECT count(*)::int AS open FROM open_streams')).rows[0].open as number;
    // 40 MB exceed the buffers of every system. More would slow down a busy machine.
    let floods = 0;
    await eventually(
      async () => {
        if (floods < 10 && (await open()) > 0) {
          await flood(20);
          floods += 1;
        }
        return open();
      },
      (count) => count === 0,
    );
    const { rows } = await database.query(
      `SELECT count(*)::int AS count FROM events WHERE data->>'text' = 'flood'`,
    );
    const resumed = await live('?events=message.created', { headers: { 'Last-Event-ID': last.id ?? '' } });
    await resumed.until(() => texts(resumed).length >= rows[0].count);
    expect(texts(resumed)).toEqual(Array(rows[0].count).fill('flood'));
  });
});

describe('presence', () => {
  it('is online while a stream is open and offline a minute later, unless the user has set it', async () => {
    const { id } = await api.must<Json & { id: string }>(200, 'GET', '/openapi/users/me');
    const presence = async () => (await api.must(200, 'GET', '/openapi/users/me')).presence;
    await live();
    await eventually(presence, (now) => now === 'online');
    const watching = await live('?events=user.presence_changed');
    for (const stream of opened.splice(0, 1)) stream.close();
    const aMinuteAgo = `UPDATE users SET last_seen_at = now() - interval '61 seconds' WHERE id = $1`;
    // The sign of life of the stream just opened may be recorded after the minute has been simulated.
    await eventually(
      async () => {
        await database.query(aMinuteAgo, [id]);
        return watching.events;
      },
      (frames) => frames.some((frame) => dataOf(frame).presence === 'offline'),
    );
    await api.must(200, 'PATCH', '/openapi/users/me', { presence: 'busy' });
    await live();
    await say('still busy');
    expect(await presence()).toBe('busy');
  });
});

describe('a restart', () => {
  it('ends the streams, and the next process replays the events since the last one', async () => {
    const stream = await live('?events=message.created');
    await say('before the restart');
    const last = await showing(stream, 'before the restart');
    await say('missed');
    await database.end();
    const { dataDir, key } = service;
    const given = { dataDir, key };
    service.process.kill('SIGTERM');
    await stream.ended();
    await eventually(
      async () => service.process.exitCode,
      (code) => code !== null,
    );
    expect(service.process.exitCode).toBe(0);
    service = await startService(given);
    api = service.client();
    database = new pg.Client((await findRunningEmbedded(dataDir)) ?? {});
    await database.connect();
    const resumed = await live('?events=message.created', { headers: { 'Last-Event-ID': last.id ?? '' } });
    await showing(resumed, 'missed');
    await say('after the restart');
    await showing(resumed, 'after the restart');
    expect(texts(resumed)).toEqual(['missed', 'after the restart']);
  });
});
