// Decodes envelopes and plans messages with one adapter on one core. Nothing is sent.
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryStore } from '../../dist/src/testing/memory-store.js';
import { Stage } from '../../dist/src/testing/stage.js';
import { answer } from '../support/answering.mjs';

const TEXT =
  'Good morning! Your *order 4711* has left our warehouse: https://shop.example/orders/4711 :truck:';
const WARM_UP_MS = 1_000;
const MEASURED_MS = 3_000;
const TIMEOUT_MS = 10_000;
const POLL_MS = 20;

const [platform] = process.argv.slice(2);
const exportedBy = async (file, name) =>
  Object.entries(await import(`../../dist/adapters/${platform}/${file}.js`)).find(([key]) =>
    name.test(key),
  )[1];
const definition = await exportedBy('definition', /Definition$/);
const Simulator = await exportedBy('simulator/index', /Simulator$/);

// Receives a real message from the simulator.
const kit = { definition, simulator: () => new Simulator({ limits: 'none' }) };
const stage = new Stage(kit, { effort: 'quick', store: () => new MemoryStore() });
const bench = await stage.open();
await bench.start();
await bench.post(TEXT);
const { adapter } = bench;
const messageOf = (envelope) => adapter.decode(envelope).find(({ type }) => type === 'message');
const giveUpAt = Date.now() + TIMEOUT_MS;
while (!bench.envelopes.some(messageOf) && Date.now() < giveUpAt) await sleep(POLL_MS);
const envelope = structuredClone(bench.envelopes.find(messageOf));

function once() {
  const event = messageOf(envelope);
  const operation = { type: 'send', to: { chatId: event.chat.id }, content: event.content };
  return adapter.plan(operation, adapter.capabilities(event.chat.id)).steps.length;
}

function run(forMs) {
  const startedAt = performance.now();
  let done = 0;
  let steps = 0;
  while (performance.now() - startedAt < forMs) for (let n = 0; n < 100; n += 1, done += 1) steps += once();
  return { perSecond: (done * 1_000) / (performance.now() - startedAt), steps: steps / done };
}

answer(
  {},
  async () => {
    run(WARM_UP_MS);
    return run(MEASURED_MS);
  },
  () => stage.close(),
);
