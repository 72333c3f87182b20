import type { InboundEvent, RemoteUser, RemoteUserId } from '../../contract/index.js';
import type { Bench } from '../bench.js';
import type { Check, Stage } from '../stage.js';
import { became, must } from '../verdict.js';
import { editsAreOrdered } from './change-times.js';

/** Maximum delay of an event after a later message, because webhooks may arrive out of order. */
const GRACE_MS = 500;

/** An action of a person and the event that the adapter must produce. */
interface Deed {
  readonly what: string;
  readonly type: InboundEvent['type'];
  act(): unknown;
  fits(event: InboundEvent): boolean;
}

export const changes: Check = {
  number: 28,
  title: 'Edits, deletions, reactions, replies, typing and memberships of people arrive with their kind',
  async run(stage) {
    const bench = await stage.open();
    await bench.start();
    let proven = 0;
    for (const deed of await deedsOn(stage, bench)) if (await arrives(stage, bench, deed)) proven += 1;
    await editsAreOrdered(bench);
    return `${proven} kinds of event`;
  },
};

async function deedsOn(stage: Stage, bench: Bench): Promise<readonly Deed[]> {
  const { simulator, chat } = bench;
  // Its id is not the first one of the chat, which an adapter could return by mistake.
  await heard(bench, 'before everything');
  const kept = await heard(bench, 'to be changed');
  const ada = authorOf(bench, kept);
  const gone = await heard(bench, 'to be removed');
  const deeds: Deed[] = [];
  const offer = (method: unknown, deed: Deed) => {
    if (method === undefined) stage.unproved(deed.what, 'the simulator cannot do it');
    else deeds.push(deed);
  };
  offer(simulator.edit, edited(bench, kept, ada));
  const named = new Set<string>();
  for (const change of ['added', 'removed'] as const)
    offer(simulator.react, reacted(bench, kept, change, named, ada));
  offer(simulator.remove, {
    what: 'a deletion',
    type: 'message_deleted',
    act: () => simulator.remove?.(chat, gone),
    fits: (event) => event.type === 'message_deleted' && event.messageId === gone,
  });
  offer(simulator.type, {
    what: 'typing',
    type: 'typing',
    act: () => simulator.type?.(chat, 'Ada'),
    fits: (event) => event.type === 'typing' && event.state === 'started' && isBy(ada, event.sender),
  });
  offer(
    simulator.join,
    membership('a person who joins', 'joined', () => simulator.join?.(chat, 'Linus')),
  );
  offer(
    simulator.leave,
    membership('a person who leaves', 'left', () => simulator.leave?.(chat, 'Linus')),
  );
  if (await showsReplies(bench, kept)) deeds.push(replied(bench, kept));
  else stage.unproved('a reply', 'the simulator shows none');
  return deeds;
}

const edited = ({ simulator, chat }: Bench, id: string, author: RemoteUserId | undefined): Deed => ({
  what: 'an edit',
  type: 'message_edited',
  act: () => simulator.edit?.(chat, id, 'changed words'),
  fits: (event) =>
    event.type === 'message_edited' &&
    event.messageId === id &&
    event.content.text === 'changed words' &&
    isBy(author, event.actor ?? event.sender),
});

const EMOJI = '👍';

/** `named` collects the ids of added reactions. A removal may name no other id. */
const reacted = (
  { simulator, chat }: Bench,
  id: string,
  change: 'added' | 'removed',
  named: Set<string>,
  author: RemoteUserId | undefined,
): Deed => ({
  what: `a reaction that is ${change}`,
  type: 'reaction',
  act: () => simulator.react?.(chat, id, 'Ada', EMOJI, change),
  fits: (event) => {
    if (event.type !== 'reaction' || event.change !== change) return false;
    if (!isBy(author, event.sender)) return false;
    if (event.messageId === undefined) return named.has(event.reactionId);
    if (event.messageId !== id || !event.emoji.startsWith(EMOJI)) return false;
    if (event.reactionId !== undefined) named.add(event.reactionId);
    return true;
  },
});

const membership = (what: string, change: 'joined' | 'left', act: () => unknown): Deed => ({
  what,
  type: 'membership',
  act,
  fits: (event) => event.type === 'membership' && event.change === change && event.self !== true,
});

const replied = ({ simulator, chat }: Bench, id: string): Deed => ({
  what: 'a reply',
  type: 'message',
  act: () => simulator.post({ chatId: chat, sender: 'Ada', text: 'an answer to it', replyToId: id }),
  fits: (event) =>
    event.type === 'message' && event.content.text === 'an answer to it' && event.replyToId === id,
});

async function showsReplies(bench: Bench, id: string): Promise<boolean> {
  const { simulator, chat } = bench;
  const reply = await simulator.post({ chatId: chat, sender: 'Ada', text: 'a first answer', replyToId: id });
  await bench.hears('a first answer');
  return (await simulator.messages(chat)).find((message) => message.id === reply)?.replyToId !== undefined;
}

/** Whether people caused an event in the chat in which everything happens. */
const isOfPeopleIn = ({ chat }: Bench, event: InboundEvent): boolean =>
  'chat' in event && event.chat.id === chat && event.echo !== true;

/** Whether the person that an event names is the author. An event does not have to name a person. */
const isBy = (author: RemoteUserId | undefined, named: RemoteUser | undefined): boolean =>
  named === undefined || author === undefined || named.id === author;

/** The author of a message according to its event. */
const authorOf = (bench: Bench, id: string): RemoteUserId | undefined =>
  bench
    .events()
    .flatMap((event) => (event.type === 'message' && event.messageId === id ? [event.sender.id] : []))[0];

/** Posts a message and waits until it arrives. Resolves with its id. */
async function heard(bench: Bench, text: string): Promise<string> {
  const id = await bench.post(text);
  await bench.hears(text);
  return id;
}

let markers = 0;

/**
 * Whether the action arrived. If no envelope arrives before a later message, the platform does not report the action. It is
 * recorded as unproved then, unless the corpus contains such events.
 */
async function arrives(stage: Stage, bench: Bench, { what, type, act, fits }: Deed): Promise<boolean> {
  const before = bench.envelopes.length;
  const news = () =>
    bench.envelopes.slice(before).map((envelope) => ({ envelope, events: bench.adapter.decode(envelope) }));
  const found = () =>
    news().some(({ events }) => events.some((event) => fits(event) && isOfPeopleIn(bench, event)));
  await act();
  if (await became(found, GRACE_MS)) return true;
  markers += 1;
  const marker = `after ${what}, ${markers}`;
  await heard(bench, marker);
  if (await became(found, GRACE_MS)) return true;
  const others = news().filter(({ events }) => !events.some((event) => says(event, marker)));
  const types = others.flatMap(({ events }) => events.map((event) => event.type));
  must(others.length === 0, `${what} arrives as ${types.join(', ') || 'nothing'}, not as ${type}.`);
  const known = stage.kit.corpus.flatMap((envelope) => bench.adapter.decode(envelope));
  must(
    !known.some((event) => event.type === type),
    `${what} did not arrive, although the corpus contains ${type} events.`,
  );
  stage.unproved(what, 'the platform does not report it to the account');
  return false;
}

const says = (event: InboundEvent, text: string) => event.type === 'message' && event.content.text === text;
