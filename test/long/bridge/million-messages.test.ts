import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { values } from '../../support/people.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';

const MILLION = 1_000_000;
/** The most rows that a lookup in the map may read, whatever its size. */
const MAX_ROWS = 300;

/** Half of them are in the same chats, with ids close to that of the old message. */
const FILL = `
  INSERT INTO remote_messages (connection_id, external_chat_id, external_id, workspace_id, message_id)
  SELECT CASE n % 2 WHEN 0 THEN $1::uuid ELSE $2::uuid END, CASE n % 4 WHEN 0 THEN 'a' WHEN 1 THEN 'b' ELSE 'c' || n % 1000 END,
    'old ' || n, $3, uuid7() FROM generate_series(1, $4::int) n`;

let database: TestDatabase;
let stage: BridgeStage;
let alpha: string;
let beta: string;
let old: string;

const chat = (id: string) => ({ id, kind: 'group' });
const content = (text: string) => ({ text, spans: [], attachments: [] });

beforeAll(async () => {
  database = await testDatabase();
  stage = await bridgeStage(database.pool);
  [alpha, beta] = [await stage.connection('alpha'), await stage.connection('beta')];
  const conversation = await stage.conversation();
  await stage.link(conversation, alpha, 'a');
  await stage.link(conversation, beta, 'b');
  const { message } = await stage.post(alpha, 'a', 'Question', { messageId: 'old' });
  old = String(message?.id);
  await stage.deliveries.settle([sent(await stage.claimOne(beta), 'copy')]);
  await database.pool.query(FILL, [alpha, beta, stage.workspaceId, MILLION]);
});
afterAll(() => database.drop());

/** The number of rows of the map that were read during the call. */
async function rowsRead(act: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    // Each connection of the pool reports its own statistics.
    await Promise.all(
      Array.from({ length: 20 }, () => database.pool.query('SELECT pg_stat_force_next_flush()')),
    );
    const [rows = 0] = await values<number>(
      database.pool,
      `SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int FROM pg_stat_user_tables WHERE relname = 'remote_messages'`,
    );
    return rows;
  };
  const before = await read();
  await act();
  return (await read()) - before;
}

describe.each(['before statistics are taken', 'afterwards'])(
  'an old message among a million others, %s',
  (when) => {
    beforeAll(async () => {
      if (when === 'afterwards') await database.pool.query('VACUUM ANALYZE remote_messages');
    });

    it('can be replied to by people', async () => {
      const read = await rowsRead(async () => {
        const { message } = await stage.post(beta, 'b', 'Answer', { replyToId: 'copy', sender: 'ben' });
        expect(message?.reply_to_id).toBe(old);
        const task = await stage.claimOne(alpha);
        expect(task.reply_to_external_id).toBe('old');
        await stage.deliveries.settle([sent(task)]);
      });
      expect(read).toBeLessThan(MAX_ROWS);
    });

    it('can be reacted to by people, on its copy as on itself', async () => {
      const react = (connection: string, at: string, messageId: string, emoji: string) =>
        stage.report(connection, {
          type: 'reaction',
          chat: chat(at),
          messageId,
          sender: { id: 'ann', displayName: 'ann' },
          emoji,
          change: 'added',
        });
      const read = await rowsRead(async () => {
        await react(alpha, 'a', 'old', '👍');
        await react(beta, 'b', 'copy', '🎉');
      });
      const { reactions } = await stage.message(old);
      expect(reactions.map(({ emoji }) => emoji).sort()).toEqual(['🎉', '👍']);
      expect(read).toBeLessThan(MAX_ROWS);
    });

    it('is distinguished when the platform is asked for a lost answer', async () => {
      await stage.post(alpha, 'a', 'Lost', { messageId: `lost ${when}` });
      const task = await stage.claimOne(beta);
      const due = new Date(Date.now() - 1).toISOString();
      await stage.deliveries.settle([ended(task, 'uncertain', { next_attempt_at: due })]);
      const read = await rowsRead(async () => {
        const lookup = await stage.claimOne(beta);
        expect(lookup.operation).toBe('reconcile');
        expect(lookup.known_ids).toContain('copy');
        await stage.deliveries.settle([
          {
            ...sent(lookup, `found ${when}`),
            move: {
              from: ['uncertain'],
              to: 'sent',
              revision: lookup.message.revision,
              resolution: 'reconciled',
              error: null,
            },
          },
        ]);
      });
      expect(read).toBeLessThan(MAX_ROWS);
    });

    it('is edited together with its copy', async () => {
      const read = await rowsRead(async () => {
        const edit = { type: 'message_edited', chat: chat('a'), messageId: 'old', content: content(when) };
        await stage.report(alpha, edit);
        const task = await stage.claimOne(beta);
        expect([task.operation, task.parts.map(({ external_id: id }) => id)]).toEqual(['edit', ['copy']]);
        const change = { revision: task.message.revision, next_attempt_at: null };
        await stage.deliveries.settle([{ ...sent(task, 'copy'), move: null, change }]);
      });
      expect(await stage.message(old)).toMatchObject({ text: when });
      expect(read).toBeLessThan(MAX_ROWS);
    });
  },
);
