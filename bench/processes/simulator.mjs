// One simulator, without rate limits or with the documented limits, sped up by a factor. Answers questions about the calls that it
// received, from its ledger.
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../support/answering.mjs';

const [platform, call, faster] = process.argv.slice(2);
const exported = await import(`../../dist/adapters/${platform}/simulator/index.js`);
const [Simulator] = Object.values(exported).filter((value) => /Simulator$/.test(value.name ?? ''));
const simulator = new Simulator(
  faster === undefined ? { limits: 'none' } : { limits: 'documented', limitsFaster: Number(faster) },
);
await simulator.start();

/** Simulated people send messages in turn, at a fixed rate. */
async function posts({ chats, count, perSecond }) {
  const startedAt = performance.now();
  for (let n = 0; n < count; n += 1) {
    const due = startedAt + (n * 1_000) / perSecond;
    if (due > performance.now()) await sleep(due - performance.now());
    const chatId = simulator.address(n % chats);
    await simulator.post({ chatId, sender: `Person ${n % chats}`, text: `Question ${n} of ${count}` });
  }
  return {};
}

function reply({ question, from = 0, count = 0, ...more }) {
  switch (question) {
    case 'addresses':
      return Array.from({ length: count }, (_, index) => simulator.address(from + index));
    case 'sends': {
      const sends = simulator.ledger.entries(call).filter(({ committed }) => committed);
      return { count: sends.length, firstAt: sends[0]?.at, lastAt: sends.at(-1)?.at };
    }
    case 'chat':
      return simulator.chats().find(({ kind }) => kind === 'direct').id;
    case 'calls': {
      const entries = simulator.ledger.entries();
      const refused = entries.filter(({ status }) => status === 429).length;
      return { calls: entries.length, refused };
    }
    case 'replies':
      return simulator.ledger
        .entries(call)
        .filter(({ committed, request }) => committed && JSON.stringify(request).includes('live reply'))
        .map(({ at }) => at);
    case 'posts':
      return posts({ count, ...more });
    case 'forget':
      simulator.ledger.clear();
      return {};
  }
}

answer(
  { account: simulator.account() },
  async (question) => reply(question),
  () => simulator.stop(),
);
