import { setTimeout as wait } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { v7 as uuid7 } from 'uuid';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventPage, EventRange } from '../../../src/core/events/ports.js';
import type { EventStreams } from '../../../src/core/events/streams.js';
import { inTransaction } from '../../../src/store/connection/transaction.js';
import { PostgresEventLog } from '../../../src/store/events/event-log.js';
import { eventually } from '../../support/api-client.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { callerIn, type MemorySink, openStream, streamProcess } from '../../support/stream-stage.js';

let database: TestDatabase;
const processes: EventStreams[] = [];
const started = () => {
  const process = streamProcess(database.pool);
  processes.push(process);
  return process;
};

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  for (const process of processes.splice(0)) process.stop();
  await eventually(
    async () => (await database.pool.query('SELECT 1 FROM open_streams')).rowCount,
    (count) => count === 0,
  );
});
afterAll(() => database.drop());

/** Holds reads of the tail, which have the largest limit, until they are released. */
class HeldLog extends PostgresEventLog {
  #held: { readonly isWanted: (range: EventRange) => boolean; readonly end: Promise<void> } | undefined;
  #reached: () => void = () => undefined;

  /** Holds the next read of the tail that `isWanted` selects, after its query. `reached` resolves when it is held. */
  hold(isWanted: (range: EventRange) => boolean): {
    readonly reached: Promise<void>;
    readonly release: () => void;
  } {
    let release: () => void = () => undefined;
    const end = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#held = { isWanted, end };
    const reached = new Promise<void>((resolve) => {
      this.#reached = resolve;
    });
    return { reached, release };
  }

  override async read(range: EventRange): Promise<EventPage> {
    const page = await super.read(range);
    const held = this.#held;
    if (range.limit < 500 || held?.isWanted(range) !== true) return page;
    this.#held = undefined;
    this.#reached();
    await held.end;
    return page;
  }
}

const INSERT = `INSERT INTO events (workspace_id, type, conversation_id, data)
  VALUES ($1, $2, $3, json_build_object('id', $3::uuid, 'n', $4::int))`;
const emit = (client: Pick<PoolClient, 'query'>, workspace: string, conversation: string, n: number) =>
  client.query(INSERT, [workspace, 'message.created', conversation, n]);
const makeWorkspace = async (): Promise<string> => {
  const id = uuid7();
  await database.pool.query("INSERT INTO workspaces (id, name) VALUES ($1, 'W')", [id]);
  return id;
};
const numbers = (sink: MemorySink) => sink.data.map(({ n }) => n);
const shows = (sink: MemorySink, n: number) =>
  eventually(
    async () => numbers(sink),
    (list) => list.includes(n),
  );

/** The public id of the newest event. */
const mark = async (workspace: string): Promise<string> => {
  const sink = await openStream(started(), callerIn(workspace));
  await emit(database.pool, workspace, uuid7(), 0);
  await shows(sink, 0);
  sink.close();
  return sink.ids.at(-1)!;
};

describe('the event log under load', () => {
  const [writers, perWriter] = [8, 50];
  const all = writers * perWriter;

  /** Writes in overlapping transactions that end in another order than they began and share subjects. */
  async function write(workspace: string, subjects: readonly string[]): Promise<void> {
    for (let count = 0; count < perWriter; count += 1) {
      await inTransaction(database.pool, async (client) => {
        const subject = subjects[Math.floor(Math.random() * subjects.length)]!;
        if (Math.random() < 0.5) await client.query('SELECT pg_current_xact_id()');
        const { rows } = await client.query('UPDATE subjects SET n = n + 1 WHERE id = $1 RETURNING n', [
          subject,
        ]);
        await emit(client, workspace, subject, rows[0].n);
        if (Math.random() < 0.3) await wait(Math.random() * 10);
      });
    }
  }

  /** Reads until all events have arrived, reconnecting repeatedly to any process. */
  async function read(nodes: readonly EventStreams[], workspace: string, from: string) {
    const caller = callerIn(workspace);
    const seen = new Map<string, Record<string, unknown>>();
    let last = from;
    while (seen.size < all) {
      const node = nodes[Math.floor(Math.random() * nodes.length)]!;
      const sink = await openStream(node, caller, '*', last);
      await wait(10 + Math.random() * 60);
      sink.close();
      sink.ids.forEach((id, index) => {
        if (!seen.has(id)) seen.set(id, sink.data[index]!);
      });
      last = sink.ids.at(-1) ?? last;
    }
    return [...seen.values()];
  }

  it('loses no event for readers that connect to and leave several processes, and keeps each subject in order', async () => {
    const workspace = await makeWorkspace();
    const subjects = [uuid7(), uuid7(), uuid7()];
    await database.pool.query('CREATE TABLE subjects (id uuid PRIMARY KEY, n int NOT NULL DEFAULT 0)');
    await database.pool.query('INSERT INTO subjects (id) SELECT unnest($1::uuid[])', [subjects]);
    const from = await mark(workspace);
    const nodes = [started(), started()];
    const steady = await openStream(nodes[0]!, callerIn(workspace), '*', from);
    const readers = Array.from({ length: 3 }, () => read(nodes, workspace, from));
    await Promise.all(Array.from({ length: writers }, () => write(workspace, subjects)));
    const lists = await Promise.all(readers);
    await eventually(
      async () => steady.ids.length,
      (count) => count >= all,
    );
    expect(new Set(steady.ids).size).toBe(steady.ids.length);
    for (const list of [...lists, steady.data]) {
      expect(list).toHaveLength(all);
      for (const subject of subjects) {
        const own = list.filter(({ id }) => id === subject).map(({ n }) => n);
        expect(own).toEqual(own.map((_, index) => index + 1));
      }
    }
  });

  it('loses no event of a transaction in which a reader left, whatever ended while it was running', async () => {
    const workspace = await makeWorkspace();
    const subject = uuid7();
    const steady = await openStream(started(), callerIn(workspace));
    await inTransaction(database.pool, async (client) => {
      for (const n of [1, 2, 3, 4]) {
        await emit(client, workspace, subject, n);
        // A transaction with a greater number ends, so the snapshots that follow end beyond the number of this one.
        await emit(database.pool, await makeWorkspace(), uuid7(), 0);
      }
    });
    await shows(steady, 4);
    for (const [left, id] of steady.ids.entries()) {
      const resumed = await openStream(started(), callerIn(workspace), '*', id);
      await eventually(
        async () => numbers(resumed),
        (list) => list.length >= 3 - left,
      );
      expect(numbers(resumed)).toEqual([1, 2, 3, 4].slice(left + 1));
    }
  });

  it('does not repeat replayed events when the tail reads them more slowly than the replay', async () => {
    const workspace = await makeWorkspace();
    const log = new HeldLog(database.pool);
    const node = streamProcess(database.pool, log);
    processes.push(node);
    const steady = await openStream(node, callerIn(workspace));
    await emit(database.pool, workspace, uuid7(), 0);
    await shows(steady, 0);
    // The tail has not seen the events yet when the stream opens.
    const before = log.hold(() => true);
    await before.reached;
    await database.pool.query(
      `INSERT INTO events (workspace_id, type, conversation_id, data)
       SELECT $1, 'message.created', $2, json_build_object('id', $2::uuid, 'n', n) FROM generate_series(1, 700) AS n`,
      [workspace, uuid7()],
    );
    const secondPage = log.hold(({ afterPosition }) => afterPosition > 0);
    const opened = openStream(node, callerIn(workspace), '*', steady.ids.at(-1));
    before.release();
    const resumed = await opened;
    await secondPage.reached;
    await shows(resumed, 700);
    secondPage.release();
    await shows(steady, 700);
    await emit(database.pool, workspace, uuid7(), 701);
    await shows(resumed, 701);
    const all = Array.from({ length: 702 }, (_, n) => n);
    expect(numbers(steady)).toEqual(all);
    expect(numbers(resumed)).toEqual(all.slice(1));
  });

  it('continues after the database was unavailable', async () => {
    const workspace = await makeWorkspace();
    const sink = await openStream(started(), callerIn(workspace));
    await emit(database.pool, workspace, uuid7(), 1);
    await shows(sink, 1);
    await database.cutConnections();
    await eventually(
      async () => emit(database.pool, workspace, uuid7(), 2).then(Boolean, () => false),
      Boolean,
    );
    await shows(sink, 2);
    expect(numbers(sink)).toEqual([1, 2]);
    expect(sink.isClosed).toBe(false);
  });
});

describe('a token', () => {
  it('sees the conversations of its user and the people in them', async () => {
    const { pool } = database;
    const workspace = await makeWorkspace();
    const [me, friend, stranger] = [uuid7(), uuid7(), uuid7()];
    const [mine, other] = [uuid7(), uuid7()];
    for (const [id, name] of [
      [me, 'me'],
      [friend, 'friend'],
      [stranger, 'stranger'],
    ]) {
      await pool.query(
        "INSERT INTO users (id, workspace_id, kind, username, display_name) VALUES ($1, $2, 'member', $3, $3)",
        [id, workspace, name],
      );
    }
    for (const [id, creator, members] of [
      [mine, me, [me, friend]],
      [other, friend, [friend, stranger]],
    ] as const) {
      await pool.query(`SELECT create_conversation($1, $2, 'group', NULL, $3, '{}', '{}')`, [
        workspace,
        id,
        creator,
      ]);
      await pool.query(
        `INSERT INTO participants (workspace_id, conversation_id, user_id, role)
         SELECT $1, $2, m, 'agent' FROM unnest($3::uuid[]) AS m ON CONFLICT DO NOTHING`,
        [workspace, id, members],
      );
    }
    const token = callerIn(workspace, {
      userId: me,
      credential: { kind: 'oauth', id: uuid7() },
      scopes: new Set(['messages:read', 'conversations:read', 'profile:read']),
      oauthScopes: new Set(['messages.read', 'user.read']),
      onlyOwnConversations: true,
    });
    const streams = started();
    const sink = await openStream(streams, token, 'messages,user.*');
    const whole = await openStream(streams, callerIn(workspace), 'messages,user.*');
    await emit(pool, workspace, mine, 1);
    await emit(pool, workspace, other, 2);
    for (const [index, id] of [me, friend, stranger].entries()) {
      await pool.query(INSERT.replace('conversation_id, ', '').replace('$3, json', 'json'), [
        workspace,
        'user.updated',
        id,
        3 + index,
      ]);
    }
    await emit(pool, workspace, mine, 9);
    await shows(whole, 9);
    await shows(sink, 9);
    expect(numbers(whole).filter((n) => n !== undefined)).toEqual([1, 2, 3, 4, 5, 9]);
    expect(numbers(sink).filter((n) => n !== undefined)).toEqual([1, 3, 4, 9]);
    // The events include the presence of the reader itself.
    const first = whole.ids[numbers(whole).indexOf(1)];
    const resumed = await openStream(streams, token, 'messages,user.*', first);
    await shows(resumed, 9);
    expect(numbers(resumed).filter((n) => n !== undefined)).toEqual([3, 4, 9]);
    await expect(openStream(streams, token, 'call.ended')).rejects.toMatchObject({
      code: 'access_denied',
      details: { required: ['calls.read'], provided: ['messages.read', 'user.read'] },
    });
    await expect(openStream(streams, token, 'broadcast.started')).rejects.toMatchObject({
      details: { required: ['broadcasts:read'], provided: ['messages.read', 'user.read'] },
    });
  });
});

describe('open streams', () => {
  it('are counted across all processes, and those of a dead process expire', async () => {
    const caller = callerIn(await makeWorkspace());
    const nodes = [started(), started()];
    for (let count = 0; count < 10; count += 1) await openStream(nodes[count % 2]!, caller);
    await expect(openStream(nodes[0]!, caller)).rejects.toMatchObject({
      code: 'rate_limit_exceeded',
      details: { limit: 10, reset: expect.any(Number) },
    });
    const parallel = callerIn(await makeWorkspace());
    const tries = await Promise.allSettled(Array.from({ length: 15 }, () => openStream(nodes[1]!, parallel)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await database.pool.query(
      `UPDATE open_streams SET expires_at = now() - interval '1 ms' WHERE credential_id = $1`,
      [caller.credential.id],
    );
    expect((await openStream(nodes[1]!, caller)).isClosed).toBe(false);
  });

  it('close when their credential is no longer valid, and stay open when the check fails', async () => {
    const streams = started();
    const caller = callerIn(await makeWorkspace());
    let answer: () => Promise<boolean> = async () => true;
    const sink = await openStream(streams, caller, '*', undefined, () => answer());
    await streams.check();
    answer = () => Promise.reject(new Error('The database is away.'));
    await streams.check();
    expect(sink.isClosed).toBe(false);
    answer = async () => false;
    await streams.check();
    expect(sink.isClosed).toBe(true);
  });

  it('close when their token or address is no longer valid, while other streams of the same key stay open', async () => {
    const streams = started();
    const caller = callerIn(await makeWorkspace());
    const withToken = (tokenId: string) => ({ ...caller, tokenId });
    const revoked = new Set<unknown>();
    const open = (who: typeof caller, name: string, address?: string) =>
      openStream(streams, who, '*', undefined, async () => !revoked.has(name), address);
    const sinks = [
      await open(caller, 'key'),
      await open(withToken(uuid7()), 'first'),
      await open(withToken(uuid7()), 'second'),
      await open(caller, 'elsewhere', '192.0.2.1'),
    ];
    revoked.add('first');
    await streams.check();
    expect(sinks.map(({ isClosed }) => isClosed)).toEqual([false, true, false, false]);
    revoked.add('elsewhere');
    await streams.check();
    expect(sinks.map(({ isClosed }) => isClosed)).toEqual([false, true, false, true]);
  });

  it('close when their reader is more than 1 MiB behind', async () => {
    const workspace = await makeWorkspace();
    const streams = started();
    const [slow, quick] = [
      await openStream(streams, callerIn(workspace)),
      await openStream(streams, callerIn(workspace)),
    ];
    await emit(database.pool, workspace, uuid7(), 1);
    await shows(slow, 1);
    slow.isStuck = true;
    await database.pool.query(
      `INSERT INTO events (workspace_id, type, data)
       SELECT $1, 'message.created', json_build_object('n', n, 'text', repeat('x', 200000)) FROM generate_series(2, 8) AS n`,
      [workspace],
    );
    await shows(quick, 8);
    expect([slow.isClosed, quick.isClosed]).toEqual([true, false]);
  });
});
