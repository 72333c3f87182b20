import { v7 as uuidv7 } from 'uuid';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Envelope } from '../../src/contract/index.js';
import { Receive } from '../../src/core/inbound/receive.js';
import { type BridgeStage, bridgeStage } from '../support/bridge.js';
import { type ChangeDialect, changeDialects, type Step } from '../support/change-dialects.js';
import { beforeEachOn } from '../support/each-test.js';
import { recordingLog } from '../support/log.js';
import { values } from '../support/people.js';

let stage: BridgeStage;
let beta: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  beta = await stage.connection('beta');
});

/** A chat that is linked to one of another platform, with a service that receives the platform's events. */
async function bridged(dialect: ChangeDialect) {
  const connection = await stage.connection(dialect.platform);
  const conversation = await stage.conversation();
  await stage.link(conversation, connection, dialect.chat);
  await stage.link(conversation, beta, `copy of ${dialect.platform}`);
  const broken = new Set<string>();
  const decoders = {
    decode: async (_: string, envelope: Envelope) => {
      if (broken.delete(envelope.dedupeKey)) throw new Error('Not this time.');
      return dialect.decode(envelope);
    },
    redeliveryOf: () => dialect.redeliveryS,
  };
  const log = recordingLog();
  const receive = new Receive(stage.inbound, decoders, log);
  const deliverer = stage.deliverer();
  return {
    connection,
    conversation,
    log,
    deliver: () => deliverer.run(beta),
    platform: deliverer.platform,

    async take(step: Step, message: number, postponed = false): Promise<void> {
      const said = dialect.payload(step, dialect.chat, message, `${message}: ${step}`);
      if (said === undefined) return;
      const dedupeKey = `${message} ${step}`;
      if (postponed) broken.add(dedupeKey);
      await receive.envelope(connection, { dedupeKey, lane: dialect.chat, ...said });
    },

    async retry(step: Step, message: number): Promise<void> {
      const [id] = await values<string>(
        stage.pool,
        `SELECT id FROM envelopes WHERE connection_id = $1 AND dedupe_key = $2 AND status = 'pending'`,
        [connection, `${message} ${step}`],
      );
      if (id !== undefined) await receive.retry(id);
    },

    /** The state of a message, here and in the other chat. */
    async final(message: number) {
      const { rows } = await stage.pool.query(
        `SELECT m.id, m.text, ARRAY(SELECT emoji FROM reactions r WHERE r.message_id = m.id) AS reactions,
           ARRAY(SELECT x.wanted FROM reaction_copies x WHERE x.message_id = m.id) AS shown,
           (SELECT json_agg(json_build_object('status', d.status, 'current', d.revision = d.wanted_revision)) FROM deliveries d
             WHERE d.message_id = m.id) AS copies
         FROM messages m WHERE m.conversation_id = $1 AND m.text LIKE $2 AND m.deleted_at IS NULL`,
        [conversation, `${message}: %`],
      );
      const last = deliverer.platform.texts().filter((text) => text.includes(`${message}: `));
      return { ...rows[0], last: last.at(-1)?.split(': ').at(-1) };
    },

    /** Copies of deleted messages that are still on the other platform. */
    leftovers: () =>
      values<string>(
        stage.pool,
        `SELECT d.status || ' ' || coalesce(d.removal, '-') FROM deliveries d JOIN messages m ON m.id = d.message_id
         WHERE m.conversation_id = $1 AND m.deleted_at IS NOT NULL AND d.status <> 'canceled' AND d.removal IS DISTINCT FROM 'done'`,
        [conversation],
      ),
  };
}

function permutations<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((each, index) => permutations(all.toSpliced(index, 1)).map((rest) => [each, ...rest]));
}

/** The platforms that do not guarantee an order. */
const unordered = changeDialects.filter(({ redeliveryS }) => redeliveryS !== undefined);

/** Platforms without a guaranteed order share all orders. Elsewhere only postponed envelopes are late: every seventh order. */
const someOf = <T>(dialect: ChangeDialect, orders: readonly T[]): readonly T[] => {
  const [first, each] = unordered.includes(dialect) ? [unordered.indexOf(dialect), unordered.length] : [0, 7];
  return orders.filter((_, index) => index % each === first);
};

const kept = ['message', 'edit 1', 'edit 2', 'added', 'removed', 'added again'] as const;
const shown = { text: 'edit 2', reactions: 1, wanted: [true], last: 'edit 2' };
const summary = ({ text, reactions, shown: wanted, last }: Awaited<ReturnType<Bridged['final']>>) => ({
  text: text?.replace(/^\d+: /, ''),
  reactions: reactions?.length,
  wanted,
  last,
});
type Bridged = Awaited<ReturnType<typeof bridged>>;

describe.each(changeDialects)('changes of a message on $platform', (dialect) => {
  let chat: Bridged;
  beforeEach(async () => {
    chat = await bridged(dialect);
  });

  it('have the same result in every order of arrival: the last edit everywhere, with the last reaction', async () => {
    const orders = someOf(dialect, permutations(kept));
    for (const [message, order] of orders.entries()) {
      for (const step of order) {
        await chat.take(step, message);
        // In every third case the copies are written in between.
        if (message % 3 === 0) await chat.deliver();
      }
      if (message % 20 === 0) await chat.deliver();
    }
    await chat.deliver();
    for (const [message, order] of orders.entries())
      expect({ order, ...summary(await chat.final(message)) }).toEqual({ order, ...shown });
  }, 240_000);

  it('have the same result whichever envelope is postponed, and whenever it is retried', async () => {
    const cases = kept.flatMap((late) => kept.slice(kept.indexOf(late)).map((until) => ({ late, until })));
    for (const [message, { late, until }] of cases.entries()) {
      for (const step of kept) {
        await chat.take(step, message, step === late);
        if (message % 2 === 0) await chat.deliver();
        if (step === until) await chat.retry(late, message);
      }
    }
    await chat.deliver();
    for (const [message, each] of cases.entries())
      expect({ ...each, ...summary(await chat.final(message)) }).toEqual({ ...each, ...shown });
  });
});

describe.each(changeDialects.filter(({ platform }) => platform !== 'telegram'))(
  'a message that is deleted on $platform',
  (dialect) => {
    it('is deleted everywhere, in every order of arrival', async () => {
      const chat = await bridged(dialect);
      const orders = someOf(
        dialect,
        permutations(['message', 'edit 1', 'edit 2', 'added', 'removed', 'deletion'] as const),
      );
      for (const [message, order] of orders.entries()) {
        for (const step of order) {
          await chat.take(step, message);
          if (message % 3 === 0) await chat.deliver();
        }
        if (message % 20 === 0) await chat.deliver();
      }
      await chat.deliver();
      const visible = 'SELECT text FROM messages WHERE conversation_id = $1 AND deleted_at IS NULL';
      expect(await values(stage.pool, visible, [chat.conversation])).toEqual([]);
      expect(await chat.leftovers()).toEqual([]);
      const overtaken = orders.flatMap((order, message) =>
        order.indexOf('deletion') < order.indexOf('message') ? [message] : [],
      );
      for (const message of overtaken)
        expect(chat.platform.texts().filter((text) => text.includes(`: ${message}: `))).toEqual([]);
    }, 240_000);

    it('is deleted everywhere whichever envelope is postponed', async () => {
      const chat = await bridged(dialect);
      const all = ['message', 'edit 1', 'added', 'removed', 'deletion'] as const;
      for (const [message, late] of all.entries()) {
        for (const step of all) await chat.take(step, message, step === late);
        await chat.retry(late, message);
      }
      await chat.deliver();
      const visible = 'SELECT text FROM messages WHERE conversation_id = $1 AND deleted_at IS NULL';
      expect(await values(stage.pool, visible, [chat.conversation])).toEqual([]);
      expect(await chat.leftovers()).toEqual([]);
    });
  },
);

describe('events that arrive before their message', () => {
  const [slack] = changeDialects;

  it('have one effect each, however often they are redelivered', async () => {
    const chat = await bridged(slack);
    for (let n = 0; n < 3; n += 1) await chat.take('edit 2', 1);
    for (let n = 0; n < 2; n += 1) await chat.take('added', 1);
    const early = 'SELECT event->>$2 FROM parked_events WHERE connection_id = $1 ORDER BY id';
    expect(await values(stage.pool, early, [chat.connection, 'type'])).toEqual([
      'message_edited',
      'reaction',
    ]);
    await chat.take('message', 1);
    expect(await values(stage.pool, early, [chat.connection, 'type'])).toEqual([]);
  });

  it('are applied by the sweeper to a message that was stored at the same moment', async () => {
    const chat = await bridged(slack);
    await chat.take('edit 2', 1);
    await chat.take('added', 1);
    const hide = 'UPDATE parked_events SET external_id = external_id || $2 WHERE connection_id = $1';
    await stage.pool.query(hide, [chat.connection, ' hidden']);
    await chat.take('message', 1);
    await stage.pool.query(
      `UPDATE parked_events SET external_id = replace(external_id, ' hidden', ''), received_at = now() - interval '5 s' WHERE connection_id = $1`,
      [chat.connection],
    );
    await stage.deliveries.sweep();
    await chat.deliver();
    expect(summary(await chat.final(1))).toEqual(shown);
  });

  it('wait for a day on a platform that redelivers for a day, and for an hour elsewhere', async () => {
    for (const [index, hours] of [25, 1].entries()) {
      const dialect = changeDialects[index] as ChangeDialect;
      const chat = await bridged(dialect);
      await chat.take('edit 1', 1);
      const waits = `SELECT extract(epoch FROM expires_at - received_at)::int / 3600 FROM parked_events WHERE connection_id = $1`;
      expect(await values(stage.pool, waits, [chat.connection])).toEqual([hours]);
    }
  });

  it('are limited per chat: the oldest ones are dropped and logged', async () => {
    const chat = await bridged(slack);
    for (let message = 1; message <= 513; message += 1) await chat.take('edit 1', message);
    const count = 'SELECT count(*)::int FROM parked_events WHERE connection_id = $1';
    expect(await values(stage.pool, count, [chat.connection])).toEqual([384]);
    expect(chat.log.lines.map(({ event, fields }) => [event, fields.count])).toEqual([
      ['parked_events.dropped', 129],
    ]);
    await chat.take('message', 513);
    expect((await chat.final(513)).text).toBe('513: edit 1');
    await chat.take('message', 1);
    expect((await chat.final(1)).text).toBe('1: message');
  });

  it('are not kept for a chat that accepts no messages', async () => {
    const connection = await stage.connection('slack', { unlinked_chats: 'ignore' });
    const chat = { id: 'C9', kind: 'channel' };
    await stage.report(connection, { type: 'message_deleted', chat, messageId: 'x' });
    await stage.link(await stage.conversation(), connection, 'C9', { direction: 'outbound' });
    await stage.report(connection, { type: 'message_deleted', chat, messageId: 'y' });
    expect(
      await values(stage.pool, 'SELECT id FROM parked_events WHERE connection_id = $1', [connection]),
    ).toEqual([]);
  });

  it('are applied to their message even if it is stored together with messages of other chats', async () => {
    const connection = await stage.connection('slack');
    const names = ['c0', 'c1', 'c2', 'c3'];
    for (const name of names) {
      const conversation = await stage.conversation();
      await stage.link(conversation, connection, name);
      await stage.link(conversation, beta, `copy of ${name}`);
      await stage.post(connection, name, 'First', { sender: name });
    }
    const about = (name: string) => ({ chat: { id: name, kind: 'group' }, messageId: `m-${name}` });
    await stage.report(connection, { type: 'message_deleted', ...about('c1') });
    const content = { text: 'Edited', spans: [], attachments: [] };
    await stage.report(connection, { type: 'message_edited', ...about('c2'), content });
    await Promise.all(
      names.map((name) => stage.post(connection, name, 'Second', { sender: name, messageId: `m-${name}` })),
    );
    const visible = `SELECT m.text FROM messages m JOIN links l ON l.conversation_id = m.conversation_id
      WHERE l.connection_id = $1 AND m.text <> 'First' AND m.deleted_at IS NULL ORDER BY l.external_id`;
    expect(await values(stage.pool, visible, [connection])).toEqual(['Second', 'Edited', 'Second']);
  });

  it('can delete a STOP, whose effect remains', async () => {
    const connection = await stage.connection('slack');
    const chat = { id: 'D1', kind: 'direct' };
    await stage.post(connection, 'D1', 'Hello', { kind: 'direct', sender: 'ann' });
    await stage.report(connection, { type: 'message_deleted', chat, messageId: 'm-stop' });
    const stop = await stage.post(connection, 'D1', 'STOP', {
      kind: 'direct',
      sender: 'ann',
      messageId: 'm-stop',
    });
    expect(stop.message).toBeNull();
    const consent = "SELECT consent->>'marketing' FROM users WHERE workspace_id = $1 AND kind = 'contact'";
    expect(await values(stage.pool, consent, [stage.workspaceId])).toEqual(['denied']);
  });

  it('link a reply to its original even if the original is stored later', async () => {
    const connection = await stage.connection('slack');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'C1');
    const { message: reply } = await stage.post(connection, 'C1', 'Yes', {
      replyToId: 'q',
      ...{ redeliveryS: 60 },
    } as never);
    const { message: question } = await stage.post(connection, 'C1', 'Really?', { messageId: 'q' });
    expect((await stage.message(reply!.id)).reply_to_id).toBe(question!.id);
  });
});

describe('a backfilled message, which has the text of its last edit', () => {
  it('is not overwritten by an older edit that arrives later', async () => {
    const connection = await stage.connection('slack');
    await stage.link(await stage.conversation(), connection, 'C1');
    const edited = { messageId: 'm1', ...{ editedAt: '2026-01-01T00:00:05.000Z' } };
    const { message } = await stage.post(connection, 'C1', 'Second edit', edited);
    const edit = (at: string, text: string) =>
      stage.report(connection, {
        ...{ type: 'message_edited', chat: { id: 'C1', kind: 'channel' }, messageId: 'm1', at },
        content: { text, spans: [], attachments: [] },
      });
    await edit('2026-01-01T00:00:03.000Z', 'First edit');
    expect((await stage.message(message!.id)).text).toBe('Second edit');
    await edit('2026-01-01T00:00:09.000Z', 'Third edit');
    expect((await stage.message(message!.id)).text).toBe('Third edit');
  });
});

describe('the changes of a chat', () => {
  it('are not undone by older events that arrive later: its name, and its joins and leaves', async () => {
    const connection = await stage.connection('slack');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'C1');
    const chat = { id: 'C1', kind: 'channel' };
    const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
    const member = { type: 'membership', chat, user: { id: 'ann', displayName: 'Ann' } };
    await stage.report(connection, { type: 'chat_renamed', chat, title: 'New', at: at(2) });
    await stage.report(connection, { type: 'chat_renamed', chat, title: 'Old', at: at(1) });
    await stage.report(connection, { ...member, change: 'joined', at: at(1) });
    await stage.report(connection, { ...member, change: 'joined', at: at(3) });
    await stage.report(connection, { ...member, change: 'left', at: at(2) });
    const title = 'SELECT title FROM links WHERE conversation_id = $1';
    expect(await values(stage.pool, title, [conversation])).toEqual(['New']);
    const left = `SELECT p.left_at FROM participants p JOIN users u ON u.id = p.user_id WHERE p.conversation_id = $1 AND u.kind = 'contact'`;
    expect(await values(stage.pool, left, [conversation])).toEqual([null]);
    await stage.report(connection, { ...member, change: 'left', at: at(4) });
    expect(await values(stage.pool, left, [conversation])).not.toEqual([null]);
  });
});

describe('a change of a message by another person', () => {
  const chat = { id: 'room', kind: 'group' };
  let connection: string;
  let id: string;

  beforeEach(async () => {
    connection = await stage.connection('alpha');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'room');
    await stage.link(conversation, beta, 'b');
    const { message } = await stage.post(connection, 'room', 'Pay Bob', { sender: 'ada', messageId: 'm1' });
    id = message!.id;
  });

  const edit = (who: object, more: object = {}) =>
    stage.report(connection, {
      ...{ type: 'message_edited', chat, messageId: 'm1', ...who },
      content: { text: 'Pay Eve', spans: [], attachments: [] },
      ...more,
    });
  const text = async () => (await stage.message(id)).text;
  const isDeleted = async () =>
    (await values<boolean>(stage.pool, 'SELECT deleted_at IS NOT NULL FROM messages WHERE id = $1', [id]))[0];
  const eve = { id: 'eve' };

  it('is dropped: an edit and a deletion, named by sender or actor, early or late', async () => {
    await edit({ sender: eve });
    await edit({ sender: { id: 'ada' }, actor: eve });
    await stage.report(connection, { type: 'message_deleted', chat, messageId: 'm1', sender: eve });
    await stage.report(connection, { type: 'message_deleted', chat, messageId: 'm1', actor: eve });
    expect([await text(), await isDeleted()]).toEqual(['Pay Bob', false]);
    await edit({ sender: eve }, { messageId: 'm2' });
    await stage.report(connection, { type: 'message_deleted', chat, messageId: 'm2', sender: eve });
    const { message } = await stage.post(connection, 'room', 'Mine', { sender: 'ada', messageId: 'm2' });
    expect((await stage.message(message!.id)).text).toBe('Mine');
  });

  it('is dropped when it removes a reaction', async () => {
    const reaction = { type: 'reaction', chat, messageId: 'm1', emoji: '👍', sender: { id: 'ben' } };
    await stage.report(connection, { ...reaction, change: 'added' });
    await stage.report(connection, { ...reaction, change: 'removed', actor: eve });
    await stage.report(connection, { ...reaction, change: 'removed', sender: eve });
    await stage.report(connection, { type: 'reactions_cleared', chat, messageId: 'm1', actor: eve });
    expect((await stage.message(id)).reactions).toMatchObject([{ emoji: '👍' }]);
    await stage.report(connection, { ...reaction, change: 'removed', actor: eve, authority: 'moderator' });
    expect((await stage.message(id)).reactions).toEqual([]);
  });

  it('leaves the time of the last edit unchanged, so that the next edit of the author applies', async () => {
    await edit({ sender: eve }, { at: '2030-01-01T00:00:00.000Z' });
    await edit({ sender: { id: 'ada' } });
    expect(await text()).toBe('Pay Eve');
  });

  it('applies when the platform reports a moderator, confirms it itself, or names no actor', async () => {
    await edit({ sender: eve, authority: 'platform' });
    expect(await text()).toBe('Pay Eve');
    await edit({}, { content: { text: 'Nobody', spans: [], attachments: [] } });
    expect(await text()).toBe('Nobody');
    await stage.report(connection, {
      type: 'message_deleted',
      chat,
      messageId: 'm1',
      actor: eve,
      authority: 'moderator',
    });
    expect(await isDeleted()).toBe(true);
  });

  it('has no effect from another chat or another connection, regardless of the authority it claims', async () => {
    const other = await stage.connection('gamma');
    await stage.link(await stage.conversation(), other, 'room');
    await stage.link(await stage.conversation(), connection, 'elsewhere');
    const claim = { authority: 'platform', sender: eve };
    await edit({ ...claim }, { chat: { id: 'elsewhere', kind: 'group' } });
    await stage.report(other, { type: 'message_deleted', chat, messageId: 'm1', ...claim });
    expect([await text(), await isDeleted()]).toEqual(['Pay Bob', false]);
  });

  it('is logged', async () => {
    const log = recordingLog();
    const forged = {
      type: 'message_deleted',
      at: '2026-01-01T00:00:00.000Z',
      chat,
      messageId: 'm1',
      sender: eve,
    };
    const receive = new Receive(stage.inbound, { decode: async () => [forged as never] }, log);
    await receive.envelope(connection, { dedupeKey: uuidv7(), lane: 'room', payload: null });
    expect(log.lines).toEqual([
      { level: 'warn', event: 'change.refused', fields: { connection_id: connection, count: 1 } },
    ]);
  });
});
