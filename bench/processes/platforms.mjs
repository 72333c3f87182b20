// The simulators of Telegram and Slack without rate limits. Posts messages in Telegram and reads the calls to Slack.
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
  const number = /\bno\. (\d+)\b/.exec(JSON.stringify(entry.request))?.[1];
  if (entry.call === 'chat.postMessage' && entry.committed && number !== undefined) arrived(Number(number));
};

/** Pairs of bridged chats, one per message in flight. */
function pairs({ count }) {
  return Array.from({ length: count }, (_, index) => ({
    telegram: telegram.address(index),
    slack: slack.workspace.addChannel({ id: `C0BENCH${index}`, name: `bench-${index}`, type: 'channel' }).id,
  }));
}

const post = (chatId, number) =>
  telegram.post({ chatId, sender: 'Ada', text: `Message no. ${number} of a conversation.` });

/** Keeps one message per chat in flight. Returns the duration in seconds. */
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
  // Stops when no message arrives within LOST_AFTER_MS.
  while (seen.size < count && seen.size !== last) {
    last = seen.size;
    await Promise.race([all, sleep(LOST_AFTER_MS)]);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { seconds, lost: count - seen.size };
}

/** Posts at a fixed rate, to one chat after the other. Returns the latency of each message in milliseconds. */
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
