import { afterEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../../src/core/access/caller.js';
import type { MessageTraceRecord } from '../../../src/core/messages/trace.js';
import { openDatabase } from '../../../src/store/connection/database.js';
import { PostgresMessages } from '../../../src/store/messages/messages.js';
import { addresses, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { silentLog } from '../../support/log.js';
import { values } from '../../support/people.js';
import { planReader, rowsRead } from '../../support/plans.js';
import type { TestDatabase } from '../../support/postgres.js';
import { typesOf } from '../../support/traces.js';
import { webhookStage } from '../../support/webhook-stage.js';
import { receivers } from '../../support/webhook-tests.js';

let database: TestDatabase;
const { receiver } = receivers();

beforeEachOn(async (made) => {
  database = made;
});

const traceIn = (workspaceId: string, id: string): Promise<MessageTraceRecord> =>
  new PostgresMessages(database.pool).trace(workspaceId, id);

describe('the trace of a message', () => {
  it('of a broadcast begins with its recipient', async () => {
    const stage = await broadcastStage(database.pool);
    const alpha = await stage.connection('alpha');
    const broadcast = await stage.create({ audience: { recipients: addresses('alpha', 1) } });
    await stage.step(broadcast, 3);
    await stage.deliverer().run(alpha);
    const [id] = await values<string>(
      stage.pool,
      'SELECT message_id FROM broadcast_recipients WHERE broadcast_id = $1',
      [broadcast],
    );
    const { steps } = await traceIn(stage.workspaceId, String(id));
    expect(typesOf(steps).slice(0, 4)).toEqual([
      'recipient_added',
      'recipient_queued',
      'message_accepted',
      'delivery_created',
    ]);
    expect(steps[0]).toMatchObject({ broadcast_id: broadcast });
    expect(typesOf(steps)).toEqual(expect.arrayContaining(['part_sent', 'delivery_sent']));
  });

  it('ends with the tries of the webhooks that its events go to', async () => {
    const stage = await broadcastStage(database.pool);
    const hooks = webhookStage(database);
    const caller = {
      workspaceId: stage.workspaceId,
      userId: stage.memberId,
      scopes: new Set(['messages:read', 'conversations:read']),
      environment: 'live',
      credential: { kind: 'session', id: stage.memberId },
      rateLimit: 0,
      onlyOwnConversations: false,
    } as Caller;
    let refused = false;
    const target = await receiver((_request, response) => {
      response.writeHead(refused ? 204 : 503).end();
      refused = true;
    });
    const webhook = await hooks.register(caller, target.url, { events: ['message.created'] });
    const { id } = await stage.send(await stage.conversation(), 'Hello');
    await hooks.fanOut.run(
      await values<string>(
        stage.pool,
        `SELECT position::text FROM events WHERE data->>'id' = $1 AND type = 'message.created'`,
        [id],
      ),
    );
    await hooks.deliver(webhook.id);
    await hooks.makeDue(webhook.id);
    await hooks.deliver(webhook.id);
    await hooks.deliverDue.stop();
    await hooks.guard.close();
    const { steps } = await traceIn(stage.workspaceId, id);
    const told = steps.filter(({ webhook_id: receiverId }) => receiverId === webhook.id);
    expect(told).toMatchObject([
      { type: 'webhook_queued', event: 'message.created', status: 'succeeded' },
      { type: 'webhook_tried', status_code: 503, failure: 'http_status' },
      { type: 'webhook_tried', status_code: 204, failure: null },
    ]);
    expect(told[0]?.event_id).toBe(steps.find(({ event }) => event === 'message.created')?.event_id);
  });
});

describe('the cost of a trace', () => {
  let close: () => Promise<void> = async () => undefined;
  afterEach(() => close());

  it('depends only on its own rows, however large the tables are', async () => {
    const stage = await broadcastStage(database.pool);
    const alpha = await stage.connection('alpha');
    const conversation = await stage.conversation();
    await stage.link(conversation, alpha, 'a');
    const { id } = await stage.send(conversation, 'Hello');
    await stage.deliverer().run(alpha);
    await stage.pool.query(`
      INSERT INTO attempts (workspace_id, delivery_id, link_id, fence, operation, revision)
      SELECT uuid7(), uuid7(), uuid7(), 1, 'send', 1 FROM generate_series(1, 20000);
      INSERT INTO events (workspace_id, type, conversation_id, data)
      SELECT uuid7(), 'message.created', uuid7(), '{}' FROM generate_series(1, 20000);
      INSERT INTO envelopes (workspace_id, connection_id, dedupe_key, lane, payload, status)
      SELECT uuid7(), uuid7(), n, 'x', '{}', 'processed' FROM generate_series(1, 20000) n;
      INSERT INTO delivery_parts (delivery_id, index, kind, status)
      SELECT uuid7(), 0, 'text', 'sent' FROM generate_series(1, 20000);
      ANALYZE`);
    const reader = await planReader(database);
    const opened = await openDatabase({ databaseUrl: database.url, dataDir: 'unused', log: silentLog });
    close = () => opened.stop();
    const plans = reader.of(opened.pool);
    await opened.pool.query('SELECT 1');
    plans.length = 0;
    const rows = await opened.pool.query('SELECT * FROM read_message_trace($1, $2, 500, 2000)', [
      stage.workspaceId,
      id,
    ]);
    expect(rows.rowCount).toBeGreaterThan(8);
    expect(plans.length).toBeGreaterThan(1);
    expect(JSON.stringify(plans)).not.toContain('"Seq Scan"');
    expect(plans.map(rowsRead).reduce((sum, read) => sum + read, 0)).toBeLessThan(2_000);
  });
});
