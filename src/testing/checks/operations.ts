import {
  type Adapter,
  type CapabilityOp,
  type Content,
  type ContentAttachment,
  type Mark,
  type Operation,
  type Plan,
  PlatformError,
  plainContent,
  remoteChatId,
  remoteMessageId,
} from '../../contract/index.js';
import { widerCell } from '../../contract/validation/narrowing.js';
import { type Bench, partsOf } from '../bench.js';
import { mustBeNamed } from '../named.js';
import type { Check, Stage } from '../stage.js';
import { must, mustEqual, Skipped } from '../verdict.js';

const EMOJI = '👍';

/** Each operation that a plan can be asked for. */
function operationsOn(bench: Bench, messageId: string): Partial<Record<CapabilityOp, Operation>> {
  const to = { chatId: remoteChatId(bench.chat) };
  const id = remoteMessageId(messageId);
  const parts = [{ index: 0, kind: 'text' as const, id }];
  return {
    edit: { type: 'edit', to, content: plainContent('edited words'), parts },
    react: { type: 'react', to, messageId: id, emoji: EMOJI, change: 'added' },
    typing: { type: 'typing', to, state: 'started' },
    reply: { type: 'send', to, content: plainContent('an answer'), replyToId: id },
    delete: { type: 'delete', to, parts },
  };
}

export const capabilities: Check = {
  number: 11,
  title: 'Each claimed capability is proven; others give a degradation or unsupported, and no call',
  async run(stage) {
    const { definition } = stage.kit;
    const adapter = await stage.bare();
    const wider = widerCell(adapter.capabilities(), definition.capabilities);
    must(wider === undefined, `The live adapter claims more for ${wider} than its definition.`);
    mustEqual(adapter.lookup !== undefined, definition.lookup, 'Whether lost writes can be looked up');
    mustEqual(
      adapter.handle !== undefined,
      definition.ingress.includes('webhook') || adapter.handle !== undefined,
      'Whether webhooks are handled',
    );
    formatsAreReported(adapter, stage.person ?? '1');
    const { ops } = definition.capabilities;
    must(
      (ops.edit === 'native') === (definition.capabilities.edit !== null),
      'The capabilities ops.edit and edit contradict each other.',
    );
    must(
      (ops.delete === 'native') === (definition.capabilities.delete !== null),
      'The capabilities ops.delete and delete contradict each other.',
    );
    must(
      (ops.react === 'native') === (definition.capabilities.react !== null),
      'The capabilities ops.react and react contradict each other.',
    );
    const bench = await stage.open();
    let proven = 0;
    for (const op of ['reply', 'edit', 'react', 'typing', 'delete'] as const) {
      await prove(stage, bench, op);
      proven += 1;
    }
    await directs(bench);
    return `${proven + (await files(bench))} cells by deed`;
  },
};

/** `person`: a person who can be mentioned. */
function formatsAreReported(adapter: Adapter, person: string): void {
  const table = adapter.capabilities();
  for (const [mark, level] of Object.entries(table.text.formats)) {
    const value =
      mark === 'link' ? { value: 'https://example.com' } : mark === 'mention' ? { value: person } : {};
    const content = { ...marked(mark as Mark, value), attachments: [] };
    const plan = adapter.plan({ type: 'send', to: { chatId: remoteChatId('1') }, content }, table);
    mustBeNamed(plan);
    const { degradations } = plan;
    const reported = degradations.includes(`format.${mark as Mark}`);
    if (level === 'native') must(!reported, `The mark ${mark} is native but reported as degraded.`);
    if (level === 'dropped') must(reported, `The mark ${mark} is dropped but not reported.`);
  }
}

/** The content for a mark. Block marks cover whole lines, and the text of a list contains its bullet. */
function marked(mark: Mark, value: { readonly value?: string }): Pick<Content, 'text' | 'spans'> {
  const text = mark === 'list' ? '• some words' : 'some words';
  const isBlock = ['quote', 'code_block', 'list', 'heading'].includes(mark);
  return { text, spans: [{ mark, start: 0, end: isBlock ? text.length : 'some'.length, ...value }] };
}

async function prove(
  stage: Stage,
  bench: Bench,
  op: 'reply' | 'edit' | 'react' | 'typing' | 'delete',
): Promise<void> {
  const level = bench.adapter.capabilities().ops[op];
  const [receipt] = await bench.send(`to ${op}`);
  const id = String(receipt?.remoteId);
  const operation = operationsOn(bench, id)[op];
  if (operation === undefined) return;
  bench.simulator.ledger.clear();
  if (level !== 'native') return notClaimed(bench, op, operation);
  const { degradations } = bench.plan(operation);
  must(!degradations.includes(op), `${op} is native but reported as degraded.`);
  await bench.perform(operation);
  const calls = bench.simulator.ledger.entries();
  must(calls.length > 0, `${op} is native but makes no call.`);
  must(op === 'typing' || calls.some(({ committed }) => committed), `${op} is native but changes nothing.`);
  const shown = await bench.own();
  const found = shown.find((message) => message.id === id);
  if (op === 'edit') mustEqual(found?.text, 'edited words', 'The text after the edit');
  if (op === 'delete') mustEqual(found, undefined, 'The message after it was deleted');
  if (op === 'react') await reactionShows(stage, bench, operation, id);
  if (op === 'reply')
    must(shown.at(-1)?.replyToId !== undefined, 'The message is not a reply on the platform.');
}

/** Checks that people see a reaction after it was added, and not after it was removed. */
async function reactionShows(stage: Stage, bench: Bench, added: Operation, id: string): Promise<void> {
  const shown = async () => (await bench.own()).find((message) => message.id === id)?.reactions;
  const before = await shown();
  if (before === undefined) stage.unproved('react', 'the simulator shows no reactions');
  else must(before.some(isEmoji), 'A reaction was added, but the message does not show it.');
  bench.simulator.ledger.clear();
  if (added.type === 'react') await bench.perform({ ...added, change: 'removed' });
  const calls = bench.simulator.ledger.entries();
  must(
    calls.some(({ committed }) => committed),
    'A reaction was removed, but nothing changed on the platform.',
  );
  must(!(await shown())?.some(isEmoji), 'A reaction was removed, but the message still shows it.');
}

const isEmoji = (shown: string) => shown.startsWith(EMOJI);

/** Checks that the plan reports an unclaimed operation as degraded without a write, or raises `unsupported`. */
async function notClaimed(bench: Bench, op: CapabilityOp, operation: Operation): Promise<void> {
  let plan: Plan | undefined;
  try {
    plan = bench.plan(operation);
  } catch (error) {
    must(
      error instanceof PlatformError &&
        error.problem.kind === 'rejected' &&
        error.problem.reason === 'unsupported' &&
        error.dispatched === 'no',
      `${op} is not claimed but raises another error than unsupported: ${String(error)}`,
    );
  }
  if (plan !== undefined) {
    must(operation.type === 'send' || plan.steps.length === 0, `${op} is not claimed but makes a write.`);
    must(
      op === 'typing' || plan.degradations.length > 0,
      `${op} is not claimed, but the plan reports no degradation.`,
    );
  }
  mustEqual(bench.simulator.ledger.entries().length, 0, `Calls of a plan for ${op}, which is not claimed`);
}

async function directs(bench: Bench): Promise<void> {
  if (bench.adapter.capabilities().ops.initiate !== 'native') return;
  const address = await bench.simulator.address(7);
  const { adapter } = bench;
  const chatId = (await adapter.openDirect?.(address)) ?? address;
  await bench.send('a first word', chatId);
  mustEqual(
    (await bench.own(chatId)).length,
    1,
    'Number of messages in the chat that was opened with a person',
  );
  const other = await bench.simulator.address(9);
  const [first] = bench.plan(bench.operation('another first word', other)).steps;
  if (first === undefined || !adapter.writesToAddress?.(first, other)) return;
  const [receipt] = await bench.send('another first word', other);
  must(
    receipt?.chatId !== undefined,
    'The receipt of a write to an address does not contain the chat that it opened.',
  );
  mustEqual(
    (await bench.own(receipt.chatId)).length,
    1,
    'Number of messages in the chat that a write to an address opened',
  );
}

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Checks that claimed image types arrive unchanged and other types are reported as degraded. */
async function files(bench: Bench): Promise<number> {
  const table = bench.adapter.capabilities();
  bench.host.media.set('stored-1', {
    name: 'dot.png',
    mimeType: 'image/png',
    sizeBytes: PICTURE.length,
    blob: new Blob([new Uint8Array(PICTURE)]),
  });
  const attachment: ContentAttachment = {
    type: 'image',
    mediaRef: 'stored-1',
    url: 'https://bridge.example/media/1',
    name: 'dot.png',
    mimeType: 'image/png',
    sizeBytes: PICTURE.length,
  };
  const content = { text: 'with a picture', spans: [], attachments: [attachment] };
  const mime = table.media.image?.mime;
  const level = mime?.['image/png'] ?? mime?.['image/*'] ?? mime?.['*/*'];
  const { degradations } = bench.plan(bench.operation(content));
  const reported = degradations.includes('media.image');
  mustEqual(
    reported,
    level !== 'native',
    `Whether a picture of level ${level ?? 'none'} is reported as degraded`,
  );
  await bench.send(content);
  const shown = (await bench.own()).flatMap((message) => message.files ?? []);
  const byLink = bench.simulator.ledger
    .entries()
    .some(({ request }) => JSON.stringify(request).includes('https://bridge.example/media/1'));
  const picture = shown.find(({ bytes }) => bytes.equals(PICTURE));
  if (picture !== undefined) mustEqual(picture.name, 'dot.png', 'The name of a sent file');
  must(picture !== undefined || byLink, 'The picture reached the platform neither as a file nor as a link.');
  return 1;
}

export const editAcrossParts: Check = {
  number: 13,
  title: 'Edits across the split boundary work, from one part to three and back',
  async run(stage) {
    const { ops, text } = stage.kit.definition.capabilities;
    if (ops.edit !== 'native' && ops.edit !== 'emulated') throw new Skipped('the definition claims no edits');
    if (text.max === null) throw new Skipped('the definition has no limit of text');
    const bench = await stage.open();
    const first = bench.operation('short');
    const parts = partsOf(bench.plan(first).steps, await bench.perform(first));
    const bystander = await bench.send('a bystander');
    const long = 'word '.repeat(Math.ceil((text.max * 2.5) / 5)).trimEnd();
    const grown = await reshape(bench, long, parts);
    mustEqual(grown.length, 3, 'Number of parts after the edit to a long text');
    mustEqual(await shownWords(bench), words(long), 'The long text as people see it');
    const shrunk = await reshape(bench, 'short again', grown);
    mustEqual(shrunk.length, 1, 'Number of parts after the edit to a short text');
    mustEqual(await shownWords(bench), ['short', 'again'], 'The short text as people see it');
    must(
      (await bench.own()).some((message) => message.id === String(bystander[0]?.remoteId)),
      'The edit changed another message.',
    );
    return undefined;
  },
};

async function reshape(bench: Bench, text: string, parts: ReturnType<typeof partsOf>) {
  const operation = bench.edit(text, parts);
  const { steps } = bench.plan(operation);
  return partsOf(steps, await bench.perform(operation));
}

/** The visible words. Words are compared because platforms trim spaces at the ends of a message. */
async function shownWords(bench: Bench): Promise<string[]> {
  const texts = (await bench.own()).map(({ text }) => text);
  return words(texts.filter((text) => text !== 'a bystander').join(' '));
}

const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
