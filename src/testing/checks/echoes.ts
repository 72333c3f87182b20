import {
  type InboundEvent,
  type RemoteMessageId,
  type RemoteUserId,
  remoteChatId,
} from '../../contract/index.js';
import { type Bench, partsOf } from '../bench.js';
import type { Check } from '../stage.js';
import { became, must, mustEqual } from '../verdict.js';

/** Time for an event that the platform may not send at all. */
const GRACE_MS = 500;

export const echoes: Check = {
  number: 8,
  title: 'Own messages, edits and reactions are echoes, never those of a person',
  async run(stage) {
    const bench = await stage.open();
    await bench.start();
    const operation = bench.operation('own words');
    const { steps } = bench.plan(operation);
    const receipts = await bench.perform(operation);
    if (bench.adapter.capabilities().ops.edit === 'native')
      await bench.perform(bench.edit('own words, changed', partsOf(steps, receipts)));
    await bench.post('a stranger’s words');
    await bench.hears('a stranger’s words');
    const own = new Set(receipts.map(({ remoteId }) => String(remoteId)));
    const spoken = bench
      .events()
      .filter((event) => event.type === 'message' || event.type === 'message_edited')
      .filter((event) => own.has(String(event.messageId)) || event.content.text.includes('own words'));
    for (const event of spoken) must(event.echo === true, `An own ${event.type} is not marked as an echo.`);
    await ownReaction(bench, receipts[0]?.remoteId);
    mustEqual(await bench.store.texts(bench.connection), ['a stranger’s words'], 'Messages of others');
    return spoken.length === 0 ? 'the platform sends none' : `${spoken.length} echoes`;
  },
};

/** Checks that what the account itself did is an echo, also a reaction. */
async function ownReaction(bench: Bench, messageId: RemoteMessageId | undefined): Promise<void> {
  const { adapter } = bench;
  const to = { chatId: remoteChatId(bench.chat) };
  if (adapter.capabilities().ops.react === 'native' && messageId !== undefined) {
    const known = bench.envelopes.length;
    await bench.perform({ type: 'react', to, messageId, emoji: '👍', change: 'added' });
    await became(() => bench.envelopes.length > known, GRACE_MS);
  }
  const { externalId } = await adapter.identify();
  const done = bench.events().filter((event) => actorOf(event) === externalId);
  for (const event of done)
    must('echo' in event && event.echo === true, `An own ${event.type} is not marked as an echo.`);
}

const actorOf = (event: InboundEvent): RemoteUserId | undefined =>
  ('actor' in event ? event.actor?.id : undefined) ?? ('sender' in event ? event.sender?.id : undefined);
