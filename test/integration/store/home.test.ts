import { describe, expect, it } from 'vitest';
import { PostgresHome } from '../../../src/store/home/home.js';
import { type BridgeStage, bridgeStage, ended, sent } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { makeMember } from '../../support/people.js';

let stage: BridgeStage;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
});

const figures = () => new PostgresHome(stage.pool).figures(stage.workspaceId);

describe('the figures of the first screen', () => {
  it('of a new workspace say that everything is still to do', async () => {
    expect(await figures()).toEqual({
      deliveries: { oldest_waiting_at: null, troubled: 0, is_counted_out: true },
      webhooks: { enabled: 0, troubled: 0 },
      done: { connection: false, conversation: false, member: false, program: false },
    });
    await stage.connection('alpha');
    await stage.conversation();
    await makeMember(stage.pool, stage.workspaceId, `other-${stage.workspaceId}`);
    await stage.pool.query(
      `INSERT INTO api_keys (id, workspace_id, user_id, name, environment, hash, hint)
       VALUES (uuid7(), $1, $2, 'k', 'live', sha256(uuid_send($2::uuid)), 'abcd')`,
      [stage.workspaceId, stage.memberId],
    );
    expect((await figures()).done).toEqual({
      connection: true,
      conversation: true,
      member: true,
      program: true,
    });
  });

  it('contain the time of the oldest waiting delivery', async () => {
    const connection = await stage.connection('alpha');
    const conversation = await stage.conversation();
    await stage.link(conversation, connection, 'a');
    const first = await stage.send(conversation, 'First');
    await stage.send(conversation, 'Second');
    expect((await figures()).deliveries.oldest_waiting_at).toBe(first.created_at);
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    await stage.deliveries.settle([sent(await stage.claimOne(connection))]);
    expect((await figures()).deliveries.oldest_waiting_at).toBeNull();
  });

  it('count deliveries that failed or are uncertain, without those of deleted messages', async () => {
    const connection = await stage.connection('alpha');
    const ids: string[] = [];
    for (const end of ['failed', 'uncertain', 'failed'] as const) {
      const conversation = await stage.conversation();
      await stage.link(conversation, connection, `chat-${ids.length}`);
      ids.push((await stage.send(conversation, 'x')).id);
      await stage.deliveries.settle([ended(await stage.claimOne(connection), end)]);
    }
    expect((await figures()).deliveries.troubled).toBe(3);
    await stage.messages.delete(stage.scope, String(ids[0]), stage.memberId);
    expect((await figures()).deliveries.troubled).toBe(2);
    expect((await new PostgresHome(stage.pool).figures(crypto.randomUUID())).deliveries.troubled).toBe(0);
  });

  it('stop counting at a thousand failures and report that', async () => {
    const connection = await stage.connection('alpha');
    const conversation = await stage.conversation();
    const link = await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'x');
    await stage.pool.query(
      `INSERT INTO deliveries (workspace_id, message_id, conversation_id, link_id, connection_id, platform,
         external_chat_id, status)
       SELECT $1, $2, $3, $4, $5, 'alpha', 'a', 'failed' FROM generate_series(1, 1200)`,
      [stage.workspaceId, id, conversation, link, connection],
    );
    expect((await figures()).deliveries).toMatchObject({ troubled: 1_000, is_counted_out: false });
  });
});
