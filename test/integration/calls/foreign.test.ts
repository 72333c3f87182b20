import { v7 as uuidv7 } from 'uuid';
import { expect, it } from 'vitest';
import { PostgresCalls } from '../../../src/store/calls/calls.js';
import { type BridgeStage, bridgeStage } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { makeMember, values } from '../../support/people.js';

/** A call to a contact whose chat belongs to a conversation of other people. */

let stage: BridgeStage;
let calls: PostgresCalls;
let ann: string;
let chat: string;
let outsider: string;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  calls = new PostgresCalls(pool);
  const connection = await stage.connection('alpha');
  const { message } = await stage.post(connection, 'ann', 'For nobody else', {
    kind: 'direct',
    sender: 'ann',
  });
  ann = message!.sender_id;
  chat = message!.conversation_id;
  outsider = await makeMember(pool, stage.workspaceId, 'outsider');
  const shared = await stage.conversation();
  for (const user of [ann, outsider])
    await pool.query(
      `INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, 'agent')`,
      [shared, user, stage.workspaceId],
    );
});

const inChat = () =>
  values<string>(
    stage.pool,
    'SELECT user_id FROM participants WHERE conversation_id = $1 AND left_at IS NULL',
    [chat],
  );
const call = (more: object) =>
  calls.create({
    id: uuidv7(),
    workspace_id: stage.workspaceId,
    initiator_id: outsider,
    type: 'voice',
    ring_timeout: 60,
    max_duration: 3_600,
    metadata: {},
    ...more,
  });

it.each([
  ['by id', () => ({ participant_ids: [ann] }), 'participant_ids'],
  ['by address', () => ({ to: { platform: 'alpha', address: 'ann' } }), 'to'],
])(
  'a caller who is limited to their own conversations cannot call a contact in a chat of other people: %s',
  async (_how, whom, field) => {
    await expect(call({ ...whom(), participant_id: outsider })).rejects.toMatchObject({
      code: 'not_found',
      details: { field },
    });
    expect(await inChat()).toEqual([ann]);
  },
);

it('a call by a caller who can see the chat takes place in it and adds the caller', async () => {
  expect((await call({ participant_ids: [ann] })).conversation_id).toBe(chat);
  expect((await inChat()).sort()).toEqual([ann, outsider].sort());
});
