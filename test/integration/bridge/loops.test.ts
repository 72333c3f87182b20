import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { Receive } from '../../../src/core/inbound/receive.js';
import { resumeLink } from '../../../src/store/conversations/links.js';
import { type BridgeStage, bridgeStage, NOW } from '../../support/bridge.js';
import { beforeEachOn } from '../../support/each-test.js';
import { recordingLog } from '../../support/log.js';
import { eventsOf, values } from '../../support/people.js';

let stage: BridgeStage;
let alpha: string;
let beta: string;
let world: ReturnType<typeof ring>;

beforeEachOn(async ({ pool }) => {
  stage = await bridgeStage(pool);
  [alpha, beta] = [await stage.connection('alpha'), await stage.connection('beta')];
  world = ring();
});

/** Two chats of two platforms with their deliverer. `say` posts a message of a person or another relay. */
function ring() {
  const log = recordingLog();
  const events = new Map<string, object>();
  const receive = new Receive(
    stage.inbound,
    { decode: async (_, { dedupeKey }) => [events.get(dedupeKey) as never] },
    log,
  );
  const deliverer = stage.deliverer();
  const say = async (connection: string, chat: string, sender: string, text: string) => {
    const id = uuidv7();
    events.set(id, {
      ...{ type: 'message', at: NOW, chat: { id: chat, kind: 'group' }, messageId: id },
      sender: { id: sender, displayName: sender },
      content: { text, spans: [], attachments: [] },
    });
    await receive.envelope(connection, { dedupeKey: id, lane: chat, payload: null });
    await deliverer.run(connection === alpha ? beta : alpha);
  };
  const { calls } = deliverer.platform;
  return { log, say, calls, run: deliverer.run };
}

async function link(attribution: string): Promise<string> {
  const conversation = await stage.conversation();
  await stage.link(conversation, alpha, 'a', { attribution });
  await stage.link(conversation, beta, 'b', { attribution });
  return conversation;
}

/** A foreign relay that copies every message of one chat into the other one. */
async function relayOn(ways: readonly ('a' | 'b')[], maxRelays: number): Promise<number> {
  let seen = 0;
  while (seen < world.calls.length && seen < maxRelays) {
    const call = world.calls[seen];
    seen += 1;
    if (call === undefined || !ways.includes(call.chatId as 'a' | 'b')) continue;
    if (call.chatId === 'a') await world.say(beta, 'b', 'relay of b', call.text);
    else await world.say(alpha, 'a', 'relay of a', call.text);
  }
  return seen;
}

const statuses = (conversation: string) =>
  values<string>(stage.pool, 'SELECT status FROM links WHERE conversation_id = $1 ORDER BY id', [
    conversation,
  ]);
const paused = () => world.log.lines.filter(({ event }) => event === 'link.paused');

describe('another bot’s relay between two bridged chats', () => {
  it.each([
    { name: 'both ways', ways: ['a', 'b'] as const },
    { name: 'one way', ways: ['a'] as const },
  ])('is stopped after a few rounds when it works $name', async ({ ways }) => {
    const conversation = await link('prefix');
    await world.say(alpha, 'a', 'Ada', 'Good morning');
    if (ways.length === 1) await world.say(beta, 'b', 'relay of b', 'Good morning');
    expect(await relayOn(ways, 200)).toBeLessThan(40);
    expect((await statuses(conversation)).filter((status) => status === 'broken').length).toBeGreaterThan(0);
    const told = await eventsOf(stage.pool, stage.workspaceId, 'conversation.link_updated');
    expect(told[0]).toMatchObject({ extra: { reason: 'loop', link: { status: 'broken' } } });
    expect(paused()[0]?.fields).toMatchObject({ conversation_id: conversation, reason: 'loop' });
  });

  it('is stopped after more rounds when the bridge adds no names', async () => {
    const conversation = await link('none');
    await world.say(alpha, 'a', 'Ada', 'Good morning');
    expect(await relayOn(['a', 'b'], 400)).toBeLessThan(150);
    expect(await statuses(conversation)).toContain('broken');
  });

  it('stays stopped while people write, and continues when an operator resumes it', async () => {
    const conversation = await link('prefix');
    await world.say(alpha, 'a', 'Ada', 'Good morning');
    await relayOn(['a', 'b'], 200);
    const written = world.calls.length;
    for (const text of ['Hello?', 'Anybody?']) {
      await world.say(alpha, 'a', 'Ada', text);
      await world.say(beta, 'b', 'Ben', text);
    }
    expect(world.calls.length).toBe(written);
    const stored = "SELECT text FROM messages WHERE conversation_id = $1 AND text = 'Anybody?'";
    expect(await values(stage.pool, stored, [conversation])).toHaveLength(2);
    const links = await values<string>(stage.pool, 'SELECT id FROM links WHERE conversation_id = $1', [
      conversation,
    ]);
    for (const id of links) await resumeLink(stage.pool, id);
    expect(await resumeLink(stage.pool, links[0] ?? '')).toBe(false);
    expect(await statuses(conversation)).toEqual(['active', 'active']);
    await world.say(alpha, 'a', 'Ada', 'Back again');
    expect(world.calls.at(-1)?.text).toBe('Ada: Back again');
  });
});

describe('people who quote each other', () => {
  it('cause no loop, however deep the quotes are', async () => {
    const conversation = await link('prefix');
    let text = 'Hello';
    for (let n = 0; n < 12; n += 1) {
      const [connection, chat, who] = n % 2 === 0 ? [alpha, 'a', 'Ada'] : [beta, 'b', 'Ben'];
      await world.say(connection, chat, who, text);
      text = `> ${who}: ${text}\nanswer ${n}`;
    }
    expect(await statuses(conversation)).toEqual(['active', 'active']);
  });
});

describe('people who write the same word many times', () => {
  it.each(['prefix', 'none'])(
    'cause no loop, in one chat or in both, with attribution %s',
    async (attribution) => {
      const conversation = await link(attribution);
      for (let n = 0; n < 40; n += 1) await world.say(alpha, 'a', `p${n % 7}`, 'ok');
      for (let n = 0; n < 40; n += 1) await world.say(beta, 'b', 'Ben', n % 2 === 0 ? '+1' : 'ok');
      for (let n = 0; n < 20; n += 1) {
        await world.say(alpha, 'a', 'Ada', '+1');
        await world.say(beta, 'b', 'Ben', '+1');
      }
      expect(await statuses(conversation)).toEqual(['active', 'active']);
      expect(paused()).toEqual([]);
    },
  );
});
