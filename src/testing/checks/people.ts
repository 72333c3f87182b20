import type { Envelope, InboundEvent, MessageReceived } from '../../contract/index.js';
import type { Bench } from '../bench.js';
import type { Check, Stage } from '../stage.js';
import { became, must } from '../verdict.js';

const PERSON = 'Marguerite';
const BOT = 'Clockwork';
const WAIT_MS = 2_000;

export const people: Check = {
  number: 29,
  title: 'Names of people, other bots, kinds of chats, times and places arrive as the platform reports them',
  async run(stage) {
    await placesOf(stage);
    const bench = await stage.open();
    await bench.start();
    const person = await written(bench, PERSON, false);
    must(person !== undefined, 'A message of a person did not arrive.');
    namesThem(stage, person);
    await isOnTime(stage, bench, person);
    await kindsOfChats(bench);
    const bot = await written(bench, BOT, true);
    if (bot === undefined) stage.unproved('other bots', 'the platform shows the account no bots');
    else marksBots(stage, person, bot);
    return undefined;
  },
};

interface Said {
  readonly envelope: Envelope;
  readonly event: MessageReceived;
}

async function written(bench: Bench, sender: string, bot: boolean): Promise<Said | undefined> {
  const text = `words of ${bot ? 'a bot' : 'a person'}`;
  await bench.simulator.post({ chatId: bench.chat, sender, text, ...(bot ? { bot } : {}) });
  const found = () =>
    bench.envelopes.flatMap((envelope): Said[] =>
      bench.adapter.decode(envelope).flatMap((event) => (spoken(event, text) ? [{ envelope, event }] : [])),
    )[0];
  await became(() => found() !== undefined, WAIT_MS);
  return found();
}

const spoken = (event: InboundEvent, text: string): event is MessageReceived =>
  event.type === 'message' && event.content.text === text;

/** Far longer than the delivery of a message, and far shorter than an error of units or time zones. */
const TOLERANCE_MS = 300_000;

/** Checks that the time of a message is its time of sending, if the simulator shows it. */
async function isOnTime(stage: Stage, bench: Bench, { event }: Said): Promise<void> {
  const shown = (await bench.visible()).find(({ id }) => id === event.messageId)?.sentAt;
  if (shown === undefined) return stage.unproved('times of messages', 'the simulator shows none');
  must(
    Math.abs(Date.parse(event.at) - shown) <= TOLERANCE_MS,
    `A message that was sent at ${new Date(shown).toISOString()} has the time ${event.at}.`,
  );
}

/** Checks that only a chat with one person is direct. */
async function kindsOfChats(bench: Bench): Promise<void> {
  for (const { id, kind } of await bench.simulator.chats()) {
    const text = `words in the chat ${id}`;
    await bench.simulator.post({ chatId: id, sender: PERSON, text });
    const found = () => bench.events().find((event): event is MessageReceived => spoken(event, text));
    await became(() => found() !== undefined, WAIT_MS);
    const event = found();
    if (event === undefined) continue;
    must(
      (event.chat.kind === 'direct') === (kind === 'direct'),
      `A message in a ${kind} chat is decoded with the kind ${event.chat.kind}.`,
    );
  }
}

/** If the envelope contains a name that is not the account's id, it is the display name of the person. */
function namesThem(stage: Stage, { envelope, event: { sender } }: Said): void {
  const reported = leaves(envelope).some(([, value]) => typeof value === 'string' && value.includes(PERSON));
  if (!reported || sender.id === PERSON) return stage.unproved('names of people', 'no envelope contains one');
  must(
    sender.displayName?.includes(PERSON),
    `The platform sent the name ${PERSON}, and decode returned ${sender.displayName ?? 'none'}.`,
  );
}

/** A bot is marked by any field with "bot" in its name that the same message of a person does not have. */
function marksBots(stage: Stage, person: Said, bot: Said): void {
  const marks = ({ envelope }: Said) =>
    leaves(envelope).flatMap(([path, value]) =>
      /bot/i.test(path) && value !== false && value !== null ? [`${path} ${value}`] : [],
    );
  const usual = new Set(marks(person));
  if (marks(bot).every((mark) => usual.has(mark)))
    return stage.unproved('other bots', 'the simulator shows bots like people');
  must(bot.event.sender.isBot === true, 'Another bot is decoded as a person.');
  must(person.event.sender.isBot !== true, 'A person is decoded as a bot.');
}

/** All values of an envelope except objects, with their paths. */
function leaves({ payload, context }: Envelope): [string, unknown][] {
  const found: [string, unknown][] = [];
  const walk = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) found.push([path, value]);
    else for (const [key, each] of Object.entries(value)) walk(`${path}.${key}`, each);
  };
  walk('payload', payload);
  walk('context', context ?? {});
  return found;
}

/** Checks that locations in the corpus have the coordinates of the payload. */
async function placesOf(stage: Stage): Promise<void> {
  const adapter = await stage.bare();
  let seen = 0;
  for (const envelope of stage.kit.corpus)
    for (const event of adapter.decode(envelope))
      for (const [latitude, longitude] of placesIn(event)) {
        seen += 1;
        const numbers = leaves(envelope).flatMap(([, value]) => numbersIn(value));
        must(
          numbers.includes(latitude) && numbers.includes(longitude) && (latitude !== 0 || longitude !== 0),
          `The location of ${envelope.dedupeKey} is decoded as ${latitude}, ${longitude}, which its payload does not contain.`,
        );
      }
  if (seen === 0) stage.unproved('places of people', 'the corpus has none');
}

function placesIn(event: InboundEvent): [unknown, unknown][] {
  if (event.type === 'location') return [[event.latitude, event.longitude]];
  if (event.type !== 'message' && event.type !== 'message_edited') return [];
  return event.content.attachments
    .filter(({ type }) => type === 'location')
    .map(({ latitude, longitude }) => [latitude, longitude]);
}

const numbersIn = (value: unknown): unknown[] =>
  typeof value === 'number' ? [value] : (String(value).match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
