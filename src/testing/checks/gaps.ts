import type { Bench } from '../bench.js';
import type { Check } from '../stage.js';
import { mustBecome, mustEqual, pause } from '../verdict.js';

/** More messages than platforms return at once. */
const MANY = 250;

export const gaps: Check = {
  number: 21,
  title: 'Missed events are fetched, or a gap is reported',
  async run(stage) {
    const bench = await stage.open();
    await bench.start();
    await bench.post('before');
    await bench.hears('before');
    await away(bench);
    const missed = Array.from(
      { length: bench.ingress === 'webhook' ? 3 : MANY },
      (_, n) => `missed ${n + 1}`,
    );
    for (const text of missed) await bench.post(text);
    if (bench.ingress === 'webhook') await triedAndFailed(bench, missed.length);
    await bench.simulator.forgetSessions?.();
    bench.endpoint.closed = false;
    await bench.connect();
    await bench.start();
    const reported = () => bench.events().some(({ type }) => type === 'gap');
    await mustBecome(async () => {
      const texts = await bench.store.texts(bench.connection);
      return reported() || missed.every((text) => texts.includes(text));
    }, 'Missed messages arrive, or a gap is reported');
    if (reported()) return 'reported as a gap';
    const texts = (await bench.store.texts(bench.connection)).filter((text) => text !== 'before');
    if (bench.ingress !== 'webhook') mustEqual(texts, missed, 'Missed messages and their order');
    return 'fetched';
  },
};

async function away(bench: Bench): Promise<void> {
  bench.endpoint.closed = true;
  await bench.adapter.stop();
}

/** Waits until this number of webhooks has arrived, and then for one that may follow soon after. */
async function triedAndFailed(bench: Bench, count: number): Promise<void> {
  const before = bench.endpoint.requests.length;
  await mustBecome(() => bench.endpoint.requests.length >= Math.max(count, before), 'The platform delivers');
  await pause(150);
}
