import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { PostgresTracking } from '../../../src/store/extras/locations.js';
import { type BridgeStage, bridgeStage, NOW } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BridgeStage;
let connection: string;
let annId: string;
let conversationId: string;

const chat = { id: 'private', kind: 'direct' };
const share = (more: object = {}) =>
  stage.report(connection, {
    type: 'location',
    chat,
    sender: { id: 'ann', displayName: 'Ann' },
    latitude: 48.2,
    longitude: 16.4,
    ...more,
  });
const points = () =>
  values<Record<string, unknown>>(
    stage.pool,
    'SELECT location_record(l) FROM locations l WHERE user_id = $1 ORDER BY created_at, id',
    [annId],
  );

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  connection = await stage.connection('alpha');
  const { message } = await stage.post(connection, 'private', 'Hi', { sender: 'ann', kind: 'direct' });
  annId = String(message?.sender_id);
  conversationId = String(message?.conversation_id);
});
describe('a live location on a platform', () => {
  it('becomes a point of the contact', async () => {
    await share({ accuracy: 5, heading: 90 });
    expect(await points()).toMatchObject([
      {
        latitude: 48.2,
        longitude: 16.4,
        accuracy: 5,
        heading: 90,
        speed: null,
        source: 'platform',
        platform: 'alpha',
        recorded_at: NOW,
      },
    ]);
  });

  it('counts as the consent that a session in that conversation waits for', async () => {
    const tracking = new PostgresTracking(stage.pool);
    const { id } = await tracking.start({
      id: uuidv7(),
      workspace_id: stage.workspaceId,
      user_id: annId,
      started_by: stage.memberId,
      conversation_id: conversationId,
      purpose: null,
      interval_seconds: 15,
      duration_seconds: 60,
      share_with: [],
      metadata: {},
    });
    await share();
    expect(await tracking.find(stage.workspaceId, id)).toMatchObject({
      status: 'active',
      consent: { status: 'granted', method: 'platform' },
      points_count: 1,
      last_location: { latitude: 48.2 },
    });
  });

  it('is ignored for unknown people, for echoes and for people who denied tracking', async () => {
    await share({ sender: { id: 'eve', displayName: 'Eve' } });
    await share({ echo: true });
    await stage.pool.query(`UPDATE users SET consent = consent || '{"tracking":"denied"}' WHERE id = $1`, [
      annId,
    ]);
    await share();
    expect(await points()).toEqual([]);
    expect(await values(stage.pool, `SELECT id FROM identities WHERE external_id = 'eve'`)).toEqual([]);
  });
});
