import { describe, expect, it } from 'vitest';
import { PostgresMessageActions } from '../../../src/store/messages/message-actions.js';
import type { Json } from '../../support/api-client.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { eventsOf, makeMember, values } from '../../support/people.js';
import { problem } from '../../support/scripted-platform.js';

let stage: BridgeStage;
let actions: PostgresMessageActions;
let connection: string;
let conversation: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  actions = new PostgresMessageActions(pool);
  connection = await stage.connection('alpha');
  conversation = await stage.conversation();
});

const rejected = () => problem({ kind: 'rejected', reason: 'content_rejected' });

describe('a message that is sent again', () => {
  it('continues where it stopped', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'one\ntwo');
    const { platform, run } = stage.deliverer();
    platform.script = (_call, number) => {
      if (number === 2) throw rejected();
      return undefined;
    };
    await run(connection);
    expect((await stage.message(id)).status).toBe('failed');
    await actions.retry(stage.scope, id);
    await run(connection);
    expect(platform.texts()).toEqual(['one', 'two', 'two']);
    expect((await stage.message(id)).status).toBe('sent');
  });

  it('is written again when the platform accepted it and later reported a failure', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'one');
    const { platform, run } = stage.deliverer();
    await run(connection);
    const [sent] = (await stage.message(id)).deliveries;
    const [part] = sent!.parts;
    const failure = { reason: 'recipient_gone', message: 'Gone.' };
    await stage.report(connection, {
      type: 'receipt',
      chat: { id: 'a', kind: 'group' },
      messageId: part!.external_id,
      status: 'failed',
      failure,
    });
    expect((await stage.message(id)).status).toBe('failed');
    const again = await actions.retry(stage.scope, id);
    for (const record of [again, again.deliveries[0]])
      expect(record).toMatchObject({ status: 'queued', sent_at: null, failed_at: null });
    expect(again.deliveries[0]!.parts).toEqual([]);
    await run(connection);
    expect(platform.texts()).toEqual(['one', 'one']);
  });

  it('is placed before later messages', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'early');
    const { platform, run } = stage.deliverer();
    platform.script = () => {
      throw rejected();
    };
    await run(connection);
    await stage.send(conversation, 'late');
    await actions.retry(stage.scope, id);
    platform.script = () => undefined;
    await run(connection);
    expect(platform.texts()).toEqual(['early', 'early', 'late']);
  });

  it('ignores sent, unlinked and replaced deliveries', async () => {
    const link = await stage.link(conversation, connection, 'a');
    await stage.link(conversation, connection, 'b');
    const { id, deliveries } = await stage.send(conversation, 'x');
    await stage.pool.query(`UPDATE deliveries SET status = 'failed' WHERE id = $1`, [deliveries[0]!.id]);
    await stage.pool.query(`UPDATE deliveries SET status = 'sent' WHERE id = $1`, [deliveries[1]!.id]);
    await stage.pool.query('UPDATE links SET removed_at = now() WHERE id = $1', [link]);
    await expect(actions.retry(stage.scope, id)).rejects.toMatchObject({
      details: { reason: 'nothing_to_retry' },
    });
    await expect(actions.retryDelivery(stage.scope, deliveries[0]!.id)).rejects.toMatchObject({
      details: { reason: 'invalid_state', current: 'failed' },
    });
  });

  it('is not sent to a contact who has opted out since', async () => {
    await stage.post(connection, 'p', 'Hi', { sender: 'ann', kind: 'direct' });
    const [direct] = await values<string>(
      stage.pool,
      `SELECT conversation_id FROM links WHERE external_id = 'p' AND connection_id = $1`,
      [connection],
    );
    const { id } = await stage.send(direct!, 'Hello');
    const { platform, run } = stage.deliverer();
    platform.script = () => {
      throw rejected();
    };
    await run(connection);
    await stage.post(connection, 'p', 'STOP', { sender: 'ann', kind: 'direct' });
    const { status, deliveries } = await actions.retry(stage.scope, id);
    expect([status, deliveries[0]!.error?.code]).toEqual(['blocked', 'opted_out']);
  });

  it('is queued once for two concurrent requests', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'x');
    const { platform, run } = stage.deliverer();
    platform.script = () => {
      throw rejected();
    };
    await run(connection);
    const answers = await Promise.allSettled(Array.from({ length: 4 }, () => actions.retry(stage.scope, id)));
    expect(answers.map((one) => one.status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
    ]);
  });

  it('can be sent again only by its sender, for a caller limited to their own messages', async () => {
    await stage.link(conversation, connection, 'a');
    const other = await makeMember(stage.pool, stage.workspaceId, 'other');
    await stage.pool.query(
      `INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, 'agent')`,
      [conversation, other, stage.workspaceId],
    );
    const { id, deliveries } = await stage.send(conversation, 'x');
    await stage.pool.query(`UPDATE deliveries SET status = 'failed' WHERE message_id = $1`, [id]);
    const scope = { ...stage.scope, participantId: other };
    await expect(actions.retry(scope, id)).rejects.toMatchObject({ code: 'access_denied' });
    await expect(actions.retryDelivery(scope, deliveries[0]!.id)).rejects.toMatchObject({
      code: 'access_denied',
    });
    expect((await actions.read(scope, id, other)).read_by).toMatchObject([{ user_id: other }]);
    const stranger = await makeMember(stage.pool, stage.workspaceId, 'stranger');
    await expect(
      actions.read({ ...stage.scope, participantId: stranger }, id, stranger),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('an uncertain delivery that a user resolves', () => {
  it('is not written a second time when its message is edited', async () => {
    await stage.link(conversation, connection, 'a');
    const { id } = await stage.send(conversation, 'x');
    const { platform, run } = stage.deliverer();
    platform.script = () => {
      throw problem({ kind: 'unavailable', cause: 'network' }, 'unknown');
    };
    await run(connection);
    const { deliveries } = await stage.message(id);
    await actions.resolveDelivery(stage.scope, deliveries[0]!.id, 'sent');
    await stage.messages.edit(stage.scope, id, { text: 'y' });
    await run(connection);
    expect(platform.texts()).toEqual(['x']);
    expect((await stage.message(id)).deliveries[0]).toMatchObject({
      status: 'sent',
      revision: 1,
      degradations: ['edit'],
      resolution: 'manual',
    });
  });
});

describe('reading a message', () => {
  it('writes one event per reader, even when a reader reads it twice', async () => {
    const other = await makeMember(stage.pool, stage.workspaceId, 'other');
    await stage.link(conversation, connection, 'a');
    const { message } = await stage.post(connection, 'a', 'Hi');
    for (const reader of [stage.memberId, other, stage.memberId]) {
      await actions.read(stage.scope, message!.id, reader);
    }
    const told = await eventsOf(stage.pool, stage.workspaceId, 'message.read');
    expect(told.map(({ extra }) => [(extra?.reader as Json | undefined)?.user_id, extra?.previous])).toEqual([
      [stage.memberId, { status: 'received' }],
      [other, undefined],
    ]);
  });
});
