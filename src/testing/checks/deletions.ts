import { PlatformError, remoteChatId, remoteMessageId } from '../../contract/index.js';
import { type Bench, partsOf } from '../bench.js';
import type { Check, Stage } from '../stage.js';
import { must, mustEqual, Skipped } from '../verdict.js';

export const deleteTwice: Check = {
  number: 14,
  title:
    'Deleting twice succeeds; an unknown message is refused or counts as deleted, and no other one changes',
  async run(stage: Stage) {
    if (stage.kit.definition.capabilities.ops.delete !== 'native')
      throw new Skipped('the definition claims no deletion');
    const bench = await stage.open();
    const operation = bench.operation('to go');
    const parts = partsOf(bench.plan(operation).steps, await bench.perform(operation));
    const [kept] = await bench.send('to stay');
    const to = { chatId: remoteChatId(bench.chat) };
    await bench.perform({ type: 'delete', to, parts });
    await bench.perform({ type: 'delete', to, parts });
    const unknown = parts.map((part) => ({ ...part, id: neverGiven(String(part.id)) }));
    await bench.perform({ type: 'delete', to, parts: unknown }).catch((error: unknown) => {
      must(
        error instanceof PlatformError && error.problem.kind === 'rejected' && error.dispatched === 'no',
        `Deleting an unknown message: ${String(error)}`,
      );
    });
    mustEqual(
      (await bench.own()).map(({ id }) => id),
      [String(kept?.remoteId)],
      'Remaining messages',
    );
    await allParts(bench, String(kept?.remoteId));
    return undefined;
  },
};

/** Checks that all parts of a message are deleted. */
async function allParts(bench: Bench, kept: string): Promise<void> {
  const { max } = bench.adapter.capabilities().text;
  const operation = bench.operation('word '.repeat(Math.ceil(((max ?? 100) * 2.5) / 5)).trimEnd());
  const first = partsOf(bench.plan(operation).steps, await bench.perform(operation));
  const second = partsOf(bench.plan(operation).steps, await bench.perform(operation));
  const parts = [...first, ...second.map((part) => ({ ...part, index: part.index + first.length }))];
  await bench.perform({ type: 'delete', to: operation.to, parts });
  mustEqual(
    (await bench.own()).map(({ id }) => id),
    [kept],
    'Remaining messages after one of several parts was deleted',
  );
}

/** An unused id of the same form: all digits except the first are changed. */
function neverGiven(id: string): ReturnType<typeof remoteMessageId> {
  const turned = id.slice(1).replace(/\d/g, (digit) => String(9 - Number(digit)));
  return remoteMessageId(id.length === 1 ? '9999' : `${id.charAt(0)}${turned}`);
}
