import { Sender } from '../load/sender.mjs';

const LETTERS = 4_200;
const EMOJI = ['😀', '👍🏽', '🇩🇪', '👩‍👧', '🎉'];

const ENTITIES = [
  (number) => ` **bold${number}** `,
  (number) => ` _slanted${number}_ `,
  (number) => ` \`code${number}\` `,
  (number) => ` [named${number}](https://example.com/${number}) `,
  (number) => ` word${number} `,
];

/** A message of many parts, and a kill between two of them. */
export const f29 = {
  id: 'F29',
  title: 'A message of several parts, killed between them',
  lengths: {
    short: { messages: 30, perSecond: 15, kills: 2 },
    long: { messages: 500, perSecond: 5, kills: 20 },
  },
  async run(rig, { messages, perSecond, kills }, verdict) {
    await rig.open({
      processes: { api: 'api,gateway', worker: 'worker' },
      platforms: { discord: {}, slack: {}, telegram: {} },
    });
    // One in each chat: of two messages the later one does not wait for a part that is in doubt.
    const chats = rig.random.shuffle(await rig.conversations(messages / 3));
    const sender = new Sender(rig);
    const texts = new Map();
    const text = (token) => {
      const made = longText(token, rig.random);
      texts.set(token, made);
      return made;
    };
    const load = sender.run(chats, { count: messages, perSecond, text, contentType: 'markdown' });
    let inFlight = 0;
    for (let kill = 0; kill < kills; kill += 1)
      inFlight += await strike(rig, kill % 2 === 0 ? 'asked' : 'done');
    await load;
    const seconds = await rig.quiet(240_000);
    verdict.bar('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    verdict.accepted(sender.sends, messages);
    verdict.struck('kills between parts', rig.processes.worker.kills, kills);
    const doubtful = await uncertainChats(rig);
    const wrong = await judgeChats(chats, sender.sends, texts, doubtful);
    verdict.bar('chats with a part missing, twice or out of order', wrong.length, wrong.length === 0);
    verdict.details.push(...wrong);
    const [{ n }] = await rig.query(
      `SELECT count(*)::int AS n FROM deliveries WHERE status NOT IN ('sent', 'delivered', 'read', 'uncertain')`,
    );
    verdict.bar('messages that were not sent', n, n === 0);
    verdict.bar('uncertain ≤ in flight', `${doubtful.size} of ${inFlight}`, doubtful.size <= inFlight);
    const others = [...doubtful.values()].filter((platform) => platform === 'discord').length;
    verdict.bar('uncertain on Discord, which recognises a repeated part', others, others === 0);
    const [{ parts }] = await rig.query('SELECT count(*)::int AS parts FROM delivery_parts');
    verdict.add('sends', { messages, parts, kills });
  },
};

/** The token, and emoji of one or several code points with words in bold and links among them. */
function longText(token, random) {
  let made = token;
  for (let length = 0; length < LETTERS; ) {
    const next = random.next() < 0.02 ? random.pick(ENTITIES)(random.integer(0, 99)) : random.pick(EMOJI);
    made += next;
    length += [...next].length;
  }
  return made;
}

async function strike(rig, moment) {
  const { worker } = rig.processes;
  const { starts } = worker;
  await new Promise((resolve) => {
    const hit = () => {
      worker.strike();
      resolve();
    };
    rig.gates.worker.trap({
      statement: 'deliveries.progress',
      moment,
      skip: rig.random.integer(0, 6),
      strike: hit,
    });
  });
  const inFlight = await rig.underWay();
  await rig.lapse('worker');
  await worker.ready(starts);
  return inFlight;
}

/**
 * Chats whose message is not known to be there, by their platform. Telegram can't be asked, and on Slack a part that is not there may
 * still appear.
 */
async function uncertainChats(rig) {
  const rows = await rig.query(
    `SELECT external_chat_id AS chat, platform FROM deliveries WHERE status = 'uncertain'`,
  );
  return new Map(rows.map(({ chat, platform }) => [chat, platform]));
}

/** The words without the marks, which each platform has its own of. */
function shownOf(text) {
  return text
    .replaceAll(/<https?:[^|>]*\|(\w+)>/g, '$1')
    .replaceAll(/\[(\w+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '');
}

/** Each chat has to show exactly what was sent to it, one part behind the other; blanks at the edges are the platform's. */
async function judgeChats(chats, sends, texts, doubtful) {
  const wrong = [];
  for (const chat of chats) {
    const [seen] = await chat.platform.ask('seen', [chat.chatId]);
    const shown = seen.filter(({ own }) => own).map(({ text }) => shownOf(text));
    const wanted = sends.filter((send) => send.chat === chat).map(({ token }) => shownOf(texts.get(token)));
    const [is, due] = [dense(shown), dense(wanted)];
    // What is in doubt may end anywhere, and is right as far as it goes.
    const isRight = doubtful.has(chat.chatId) ? due.startsWith(is) : is === due;
    if (!isRight) wrong.push(`${chat.platform.name} chat ${chat.number}: ${difference(is, due)}`);
  }
  return wrong;
}

function dense(texts) {
  return texts.join('').replaceAll(/\s/g, '');
}

function difference(is, due) {
  let at = 0;
  while (is[at] === due[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 8), at + 12));
  return `${is.length} units for ${due.length}, from ${at} on ${near(is)} instead of ${near(due)}`;
}
