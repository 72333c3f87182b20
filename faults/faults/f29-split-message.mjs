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

/** The sending process is killed between two parts of a message. */
export const f29 = {
  id: 'F29',
  title: 'SIGKILL of the sending process between the parts of a message',
  lengths: {
    short: { messages: 30, perSecond: 15, kills: 2 },
    long: { messages: 500, perSecond: 5, kills: 20 },
  },
  async run(rig, { messages, perSecond, kills }, verdict) {
    await rig.open({
      processes: { api: 'api,gateway', worker: 'worker' },
      platforms: { discord: {}, slack: {}, telegram: {} },
    });
    // One message per chat, because a later message does not wait for an uncertain part.
    const chats = rig.random.shuffle(await rig.conversations(messages / 3));
    const sender = new Sender(rig);
    const texts = new Map();
    const text = (token) => {
      const made = longText(token, rig.random);
      texts.set(token, made);
      return made;
    };
    const load = sender.run(chats, { count: messages, perSecond, text, contentType: 'markdown' });
    for (let kill = 0; kill < kills; kill += 1) await killAtMoment(rig, kill % 2 === 0 ? 'asked' : 'done');
    await load;
    const seconds = await rig.quiet(240_000);
    verdict.criterion('everything settled', seconds?.toFixed(1) ?? 'no', seconds !== undefined);
    verdict.accepted(sender.sends, messages);
    verdict.happened('kills between parts', rig.processes.worker.kills, kills);
    const doubtful = await uncertainChats(rig);
    const wrong = await judgeChats(chats, sender.sends, texts, doubtful);
    verdict.criterion('chats with a part lost, duplicated or misordered', wrong.length, wrong.length === 0);
    verdict.details.push(...wrong);
    const [{ n }] = await rig.query(
      `SELECT count(*)::int AS n FROM deliveries WHERE status NOT IN ('sent', 'delivered', 'read', 'uncertain')`,
    );
    verdict.criterion('messages not sent', n, n === 0);
    const { inFlight } = rig.writes;
    verdict.criterion('uncertain ≤ in flight', `${doubtful.size} of ${inFlight}`, doubtful.size <= inFlight);
    const onDiscord = [...doubtful.values()].filter((platform) => platform === 'discord').length;
    verdict.criterion('uncertain on Discord, which detects repeated parts', onDiscord, onDiscord === 0);
    const [{ parts }] = await rig.query('SELECT count(*)::int AS parts FROM delivery_parts');
    verdict.add('sends', { messages, parts, kills });
  },
};

/** The token, then emoji of one or several code points, mixed with formatted words and links. */
function longText(token, random) {
  let made = token;
  for (let length = 0; length < LETTERS; ) {
    const next = random.next() < 0.02 ? random.pick(ENTITIES)(random.integer(0, 99)) : random.pick(EMOJI);
    made += next;
    length += [...next].length;
  }
  return made;
}

async function killAtMoment(rig, moment) {
  const { worker } = rig.processes;
  const { starts } = worker;
  await new Promise((resolve) => {
    const hit = () => {
      worker.kill();
      resolve();
    };
    rig.gates.worker.trap({
      statement: 'deliveries.progress',
      moment,
      skip: rig.random.integer(0, 6),
      onHit: hit,
    });
  });
  await rig.writes.record();
  await rig.lapse('worker');
  await worker.ready(starts);
}

/**
 * The platform of each chat with an uncertain message. Telegram has no lookup, and on Slack a missing part may still appear.
 */
async function uncertainChats(rig) {
  const rows = await rig.query(
    `SELECT external_chat_id AS chat, platform FROM deliveries WHERE status = 'uncertain'`,
  );
  return new Map(rows.map(({ chat, platform }) => [chat, platform]));
}

/** The text without formatting marks, which differ by platform. */
function shownOf(text) {
  return text
    .replaceAll(/<https?:[^|>]*\|(\w+)>/g, '$1')
    .replaceAll(/\[(\w+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '');
}

/** Each chat must show exactly the parts sent to it, in order. Platforms trim whitespace, so it is ignored. */
async function judgeChats(chats, sends, texts, doubtful) {
  const wrong = [];
  for (const chat of chats) {
    const [seen] = await chat.platform.ask('seen', [chat.chatId]);
    const shown = seen.filter(({ own }) => own).map(({ text }) => shownOf(text));
    const sent = sends.filter((send) => send.chat === chat).map(({ token }) => shownOf(texts.get(token)));
    const [actual, expected] = [dense(shown), dense(sent)];
    // An uncertain message may be cut off at any point.
    const isRight = doubtful.has(chat.chatId) ? expected.startsWith(actual) : actual === expected;
    if (!isRight) wrong.push(`${chat.platform.name} chat ${chat.number}: ${difference(actual, expected)}`);
  }
  return wrong;
}

function dense(texts) {
  return texts.join('').replaceAll(/\s/g, '');
}

function difference(actual, expected) {
  let at = 0;
  while (actual[at] === expected[at]) at += 1;
  const near = (text) => JSON.stringify(text.slice(Math.max(0, at - 8), at + 12));
  const lengths = `${actual.length} of ${expected.length} characters`;
  return `${lengths}, at ${at} ${near(actual)} instead of ${near(expected)}`;
}
