import { plainContent, remoteChatId } from '../../contract/index.js';
import type { Check } from '../stage.js';
import { must } from '../verdict.js';

/** Minimum rate. Below it, one slow adapter would delay the whole bridge. */
const FLOOR_PER_SECOND = 200;
const MEASURED_MS = 150;

export const figures: Check = {
  number: 27,
  title: `decode and plan each do more than ${FLOOR_PER_SECOND} a second`,
  async run(stage) {
    const { kit } = stage;
    const adapter = await stage.bare();
    const capabilities = adapter.capabilities();
    const to = { chatId: remoteChatId('1') };
    const content = plainContent('A line of ordinary length, as people write it.');
    const decoded = perSecond((turn) => {
      const envelope = kit.corpus[turn % kit.corpus.length];
      if (envelope !== undefined) adapter.decode(envelope);
    });
    const planned = perSecond(() => void adapter.plan({ type: 'send', to, content }, capabilities));
    for (const [name, rate] of [
      ['decode', decoded],
      ['plan', planned],
    ] as const)
      must(rate > FLOOR_PER_SECOND, `${name} is called only ${rate} times per second.`);
    return `decode ${decoded.toLocaleString('en')}/s, plan ${planned.toLocaleString('en')}/s`;
  },
};

function perSecond(act: (turn: number) => void): number {
  const begin = performance.now();
  let turns = 0;
  while (performance.now() - begin < MEASURED_MS) {
    act(turns);
    turns += 1;
  }
  return Math.round((turns * 1000) / (performance.now() - begin));
}
