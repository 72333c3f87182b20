import {
  type Adapter,
  type Capabilities,
  type CapabilityOp,
  type Content,
  type Degradation,
  type InboundEvent,
  type PartStep,
  plainContent,
  remoteChatId,
  remoteMessageId,
  type SendOperation,
} from '../../contract/index.js';
import type { Bench } from '../bench.js';
import type { Check, Stage } from '../stage.js';
import { must, mustEqual } from '../verdict.js';

/** The contract has no operation or event for these, so an adapter cannot support them. */
const impossible: readonly CapabilityOp[] = ['read_out', 'buttons', 'schedule', 'history', 'calls'];

/** Events that prove that an adapter supports these. */
const evidence: Readonly<Partial<Record<CapabilityOp, (event: InboundEvent) => boolean>>> = {
  membership: ({ type }) => type === 'membership',
  read_in: (event) => event.type === 'receipt' && event.status === 'read',
  delivered: (event) => event.type === 'receipt' && event.status === 'delivered',
  live_location: ({ type }) => type === 'location',
};

export const claims: Check = {
  number: 31,
  title: 'Nothing is claimed without evidence; mentions, places, threads and personas are in the writes',
  async run(stage) {
    const adapter = await stage.bare();
    const table = adapter.capabilities();
    for (const op of impossible)
      must(
        table.ops[op] !== 'native',
        `${op} is claimed as native, but the contract has no operation for it.`,
      );
    eventsOf(stage, adapter, table);
    mentions(stage, adapter, table);
    carried(adapter, table);
    buttons(stage, adapter, table);
    untested(stage, table);
    if (stage.hasNetwork) await place(stage, await stage.open());
    else
      for (const op of claimed(table))
        stage.unproved(op, stage.kit.offline?.reason ?? 'nothing leaves the process');
    return undefined;
  },
};

const claimed = ({ ops }: Capabilities) =>
  (Object.keys(ops) as CapabilityOp[]).filter((op) => ops[op] === 'native');

/** Every corpus must contain memberships if they are claimed. Other events may be hard to obtain. */
function eventsOf(stage: Stage, adapter: Adapter, { ops }: Capabilities): void {
  const known = stage.kit.corpus.flatMap((envelope) => adapter.decode(envelope));
  for (const [op, shows] of Object.entries(evidence)) {
    if (ops[op as CapabilityOp] !== 'native' || known.some(shows)) continue;
    must(
      op !== 'membership',
      'membership is claimed, but no envelope of the corpus decodes to a membership event.',
    );
    stage.unproved(op, 'the corpus has no such event');
  }
}

const operation = (content: Content, more: Partial<SendOperation> = {}): SendOperation => ({
  type: 'send',
  to: { chatId: remoteChatId('1') },
  content,
  ...more,
});

/** Checks that a mention contains the person's id. */
function mentions(stage: Stage, adapter: Adapter, table: Capabilities): void {
  if (table.text.formats.mention !== 'native') return;
  const { person } = stage;
  if (person === undefined) return stage.unproved('format.mention', 'the kit pins no person');
  const content: Content = {
    text: 'ask Grace about it',
    spans: [{ mark: 'mention', start: 4, end: 9, value: person }],
    attachments: [],
  };
  const { steps } = adapter.plan(operation(content), table);
  must(
    JSON.stringify(steps.map(({ payload }) => payload)).includes(person),
    'Mentions are native, but no write contains the id of the person.',
  );
}

/** Checks that claimed features change the writes. */
function carried(adapter: Adapter, table: Capabilities): void {
  const steps = (more: Partial<SendOperation>): readonly PartStep[] =>
    adapter.plan(operation(plainContent('words'), more), table).steps;
  const plain = steps({});
  const differs = (op: CapabilityOp & Degradation, more: Partial<SendOperation>) => {
    if (table.ops[op] !== 'native') return;
    const { degradations } = adapter.plan(operation(plainContent('words'), more), table);
    must(
      degradations.includes(op) || JSON.stringify(steps(more)) !== JSON.stringify(plain),
      `${op} is native, but the writes are the same without it.`,
    );
  };
  differs('thread', { threadRootId: remoteMessageId('17') });
  differs('reply', { replyToId: remoteMessageId('17') });
  differs('persona_override', { persona: { displayName: 'Grace Hopper' } });
}

/** Checks that the bridge's buttons are in the last write of a message, if the definition has rules for them. */
function buttons(stage: Stage, adapter: Adapter, table: Capabilities): void {
  const rules = stage.kit.definition.buttons;
  if (rules === undefined) return;
  const value = 'approve:0197f8a0-0000-7000-8000-000000000001';
  must(
    rules.max >= 2 && rules.label_max >= 10 && rules.value_max_bytes >= value.length,
    'The limits of buttons are too small for two buttons of the bridge.',
  );
  const sent = [
    { label: 'Approve', value },
    { label: 'Refuse', value: value.replace('approve', 'refuse') },
  ];
  const content = plainContent('words');
  const written = ({ steps }: { readonly steps: readonly PartStep[] }) =>
    JSON.stringify(steps.at(-1)?.payload ?? {});
  const shown = written(adapter.plan(operation(content, { buttons: sent }), table));
  for (const button of sent)
    must(
      shown.includes(button.label) && shown.includes(button.value),
      'The write does not contain a button of the message.',
    );
}

const PLACE = { latitude: 52.5, longitude: 13.25 };

/** Checks that a location is sent with its coordinates, or as text, or is reported as degraded. */
async function place(stage: Stage, bench: Bench): Promise<void> {
  const content: Content = {
    text: 'meet here',
    spans: [],
    attachments: [{ type: 'location', name: 'The station', ...PLACE }],
  };
  const planned = bench.operation(content);
  const { degradations } = bench.plan(planned);
  bench.simulator.ledger.clear();
  await bench.perform(planned);
  const requests = JSON.stringify(bench.simulator.ledger.entries().map(({ request }) => request));
  const shown = JSON.stringify((await bench.own()).map(({ text }) => text));
  const stands = [requests, shown].some((text) => text.includes('52.5') && text.includes('13.25'));
  must(
    !/(?<![\d.])0(?:\.0+)?(?:\s*,\s*|%2C)0(?:\.0+)?(?![\d.])/.test(shown),
    'A location is sent with the coordinates 0, 0.',
  );
  const level = bench.adapter.capabilities().ops.location;
  must(
    level !== 'native' || !degradations.includes('media.location'),
    'Locations are native but reported as degraded.',
  );
  if (level === 'native' || level === 'emulated')
    must(stands, `Locations are ${level}, but no write contains the latitude and longitude.`);
  else if (!stands)
    mustEqual(
      degradations.includes('media.location'),
      true,
      'Whether a location that is not sent is reported as degraded',
    );
  else stage.unproved('location', 'it is not claimed, and sent all the same');
}

/** Records claims that no check tests, so that they do not pass as proven. */
function untested(stage: Stage, table: Capabilities): void {
  const { media, text } = table;
  const without = 'no check sends one';
  for (const type of Object.keys(media)) {
    const mime = Object.values(media[type as keyof typeof media]?.mime ?? {});
    if (type !== 'image' && type !== 'file' && type !== 'location' && mime.includes('native'))
      stage.unproved(`media.${type}`, without);
  }
  for (const mark of ['list', 'heading', 'code_block', 'quote'] as const)
    if (text.formats[mark] === 'native') stage.unproved(`format.${mark}`, 'no check reads it back');
  if (table.edit?.media === true) stage.unproved('edit.media', 'no check edits a file');
  if (table.delete?.others === true)
    stage.unproved('delete.others', 'no check deletes a message of a person');
}
