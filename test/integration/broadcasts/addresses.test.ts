import { describe, expect, it } from 'vitest';
import { type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BroadcastStage;
let alpha: string;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  alpha = await stage.connection('alpha');
});

/** A contact with these addresses, on alpha unless an address names another platform. */
async function person(...addresses: string[]): Promise<string> {
  const user = await stage.users.create({
    id: crypto.randomUUID(),
    workspace_id: stage.workspaceId,
    display_name: 'Ann',
    identities: addresses.map((address) => ({
      platform: address.split('-')[0] ?? '',
      external_id: address,
    })),
  } as never);
  return user.id;
}

/** A direct chat with the contact that has its own id. */
async function directChat(user: string, chat: string, connection = alpha): Promise<string> {
  const conversation = await stage.conversation('direct');
  await stage.pool.query(
    `INSERT INTO participants (conversation_id, user_id, workspace_id, role) VALUES ($1, $2, $3, 'customer')`,
    [conversation, user, stage.workspaceId],
  );
  await stage.link(conversation, connection, chat);
  return conversation;
}

/** Sends to recipients by address and returns the chats. */
async function chatsOf(addresses: readonly string[], fields: object = {}): Promise<string[]> {
  const recipients = addresses.map((address) => ({
    platform: address.split('-')[0],
    address,
    variables: {},
  }));
  const id = await stage.create({ audience: { recipients }, ...fields } as never);
  await stage.step(id, 2);
  return values<string>(
    stage.pool,
    `SELECT d.external_chat_id FROM deliveries d JOIN messages m ON m.id = d.message_id
     WHERE m.broadcast_id = $1 ORDER BY d.position`,
    [id],
  );
}

describe('a recipient with an address', () => {
  it('receives the message there, whichever of their addresses already has a conversation', async () => {
    const ann = await person('alpha-C', 'alpha-D');
    await directChat(ann, 'alpha-C');
    expect(await chatsOf(['alpha-D'])).toEqual(['alpha-D']);
    expect(await chatsOf(['alpha-C'])).toEqual(['alpha-C']);
    expect(await chatsOf(['alpha-D'])).toEqual(['alpha-D']);
  });

  it('receives the message there in a conversation with two chats', async () => {
    const ann = await person('alpha-C', 'alpha-D');
    const conversation = await directChat(ann, 'alpha-C');
    await stage.link(conversation, alpha, 'alpha-D');
    expect(await chatsOf(['alpha-D'])).toEqual(['alpha-D']);
    expect(await chatsOf(['alpha-C'])).toEqual(['alpha-C']);
  });

  it('receives the message in their chat if its id is not their address', async () => {
    await directChat(await person('alpha-C'), 'room-1');
    expect(await chatsOf(['alpha-C'])).toEqual(['room-1']);
  });

  it('receives the message at their own address if it is unknown which address a chat belongs to', async () => {
    await directChat(await person('alpha-C', 'alpha-D'), 'room-1');
    expect(await chatsOf(['alpha-D'])).toEqual(['alpha-D']);
    expect(await chatsOf(['alpha-D'])).toEqual(['alpha-D']);
  });

  it('receives the message in a group at their address if there is no other chat', async () => {
    const group = await stage.conversation();
    await stage.link(group, alpha, 'alpha-room');
    expect(await chatsOf(['alpha-room'])).toEqual(['alpha-room']);
  });

  it('receives the message through another connection of the platform while the connection of their chat is disabled', async () => {
    const connectionOf = async () => {
      await chatsOf(['alpha-C']);
      const [last] = await values<string>(
        stage.pool,
        'SELECT connection_id FROM deliveries WHERE workspace_id = $1 ORDER BY position DESC LIMIT 1',
        [stage.workspaceId],
      );
      return last;
    };
    const switched = (id: string, enabled: boolean) =>
      stage.pool.query('UPDATE connections SET enabled = $2 WHERE id = $1', [id, enabled]);
    const other = await stage.connection('alpha');
    expect(await connectionOf()).toBe(alpha);
    await switched(alpha, false);
    expect(await connectionOf()).toBe(other);
    expect(await connectionOf()).toBe(other);
    await switched(other, false);
    await switched(alpha, true);
    expect(await connectionOf()).toBe(alpha);
  });
});
