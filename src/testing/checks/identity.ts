import { remoteChatId } from '../../contract/index.js';
import type { Bench } from '../bench.js';
import type { Check } from '../stage.js';
import { must, mustBecome, mustEqual, mustFail } from '../verdict.js';

export const identity: Check = {
  number: 30,
  title: 'The account stays the same, its health becomes ok, a person has one direct chat',
  async run(stage) {
    const bench = await stage.open();
    const first = await bench.adapter.identify();
    must(String(first.externalId) !== '', 'The account has no id.');
    mustEqual(await bench.adapter.identify(), first, 'The account at the second request');
    await bench.start();
    await bench.post('all is well');
    await bench.hears('all is well');
    await mustBecome(() => bench.host.reports.at(-1)?.code === 'ok', 'The connection reports ok');
    await oneDirectChat(bench);
    await knowsItsChats(bench);
    await bench.adapter.stop();
    await bench.connect();
    mustEqual(await bench.adapter.identify(), first, 'The account after a restart');
    await oneDirectChat(bench);
    return undefined;
  },
};

/** Checks that existing chats are found, and that an unknown id is refused with the reason that refuses a link. */
async function knowsItsChats({ adapter, simulator }: Bench): Promise<void> {
  if (adapter.findChat === undefined) return;
  for (const { id } of await simulator.chats()) await adapter.findChat(remoteChatId(id));
  const { problem } = await mustFail(
    adapter.findChat(remoteChatId('no-such-chat')),
    'findChat of an unknown chat',
  );
  const reason = problem.kind === 'rejected' ? problem.reason : problem.kind;
  mustEqual(reason, 'recipient_gone', 'The refusal of an unknown chat');
}

const chats = new WeakMap<Bench, string>();

/** Checks that a direct chat stays the same, also after a restart. The first result is kept for the bench. */
async function oneDirectChat(bench: Bench): Promise<void> {
  const { adapter } = bench;
  if (adapter.openDirect === undefined) return;
  const address = await bench.simulator.address(3);
  const opened = String(await adapter.openDirect(address));
  const known = chats.get(bench) ?? opened;
  chats.set(bench, known);
  const again = String(await adapter.openDirect(address));
  mustEqual([opened, again], [known, known], 'The direct chat with one person, opened again');
}
