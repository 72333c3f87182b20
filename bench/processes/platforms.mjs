// Telegram and Slack side by side, without rate limits, with a person who writes in Telegram and a reader of Slack's ledger.
import { setTimeout as sleep } from 'node:timers/promises';
import { SlackSimulator } from '../../dist/adapters/slack/simulator/index.js';
import { TelegramSimulator } from '../../dist/adapters/telegram/simulator/index.js';
import { answer } from '../support/answering.mjs';

const LOST_AFTER_MS = 30_000;
const telegram = new TelegramSimulator({ limits: 'none' });
const slack = new SlackSimulator({ limits: 'none' });
await telegram.start();
await slack.start();

let arrived = () => undefined;
const record = slack.ledger.record.bind(slack.ledger);
slack.ledger.record = (entry) => {
  record(entry);
  const said = /\bno\. (\d+)\b/.exec(JSON.stringify(entry.request))?.[1];
  if (entry.call === 'chat.postMessage' && entry.committed && said !== undefined) arrived(Number(said));
};

/** Chats that are bridged in pairs, so many as messages are on the way at once. */
function pairs({ count }) {
  return Array.from({ length: count }, (_, index) => ({
    telegram: telegram.address(index),
    slack: slack.workspace.addChannel({ id: `C0BENCH${index}`, name: `bench-${index}`, type: 'channel' }).id,
  }));
}

const post = (chatId, number) =>
  telegram.post({ chatId, sender: 'Ada', text: `Message no. ${number} of a conversation.` });

/** As many at once as there are chats: whoever sees the last one arrive writes the next. Answers the seconds it took. */
async function relay({ chats, from, count }) {
  const sentTo = new Map();
  const seen = new Set();
  let next = from;
  const write = (chatId) => {
    if (next >= from + count) return;
    sentTo.set(next, chatId);
    void post(chatId, next++);
  };
  const startedAt = performance.now();
  const all = new Promise((resolve) => {
    arrived = (number) => {
      if (!sentTo.has(number) || seen.has(number)) return;
      seen.add(number);
      if (seen.size === count) resolve();
      write(sentTo.get(number));
    };
  });
  for (const chat of chats) write(chat);
  let last = -1;
  // Given up when nothing has arrived for long.
  while (seen.size < count && seen.size !== last) {
    last = seen.size;
    await Promise.race([all, sleep(LOST_AFTER_MS)]);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, lost: count - seen.size };
}

/** So many a second, one chat after the other. Answers the milliseconds from each post to its arrival. */
async function steady({ chats, from, count, perSecond }) {
  const postedAt = new Map();
  const tookMs = [];
  const all = new Promise((resolve) => {
    arrived = (number) => {
      const at = postedAt.get(number);
      if (at === undefined) return;
      postedAt.delete(number);
      tookMs.push(performance.now() - at);
      if (tookMs.length === count) resolve();
    };
  });
  const startedAt = performance.now();
  for (let n = 0; n < count; n += 1) {
    const due = startedAt + (n * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    postedAt.set(from + n, performance.now());
    void post(chats[n % chats.length], from + n);
  }
  await Promise.race([all, sleep(LOST_AFTER_MS)]);
  return { tookMs, lost: count - tookMs.length };
}

const questions = { pairs, relay, steady };

answer(
  { telegram: telegram.account(), slack: slack.account() },
  async ({ question, ...given }) => questions[question](given),
  async () => {
    await telegram.stop();
    await slack.stop();
  },
);
