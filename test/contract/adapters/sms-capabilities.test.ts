import { afterAll, beforeAll, expect, it } from 'vitest';
import { smsDefinition } from '../../../adapters/sms/definition.js';
import {
  type AttachmentType,
  type ContentAttachment,
  type Level,
  type Mark,
  type Operation,
  plainContent,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { taskContent } from '../../../src/core/deliveries/send/task-content.js';
import { cellsOf, type Proofs, prove, sampleOf } from '../../support/capability-cells.js';
import { deliveryTask } from '../../support/delivery-task.js';
import { SmsBench } from '../../support/sms-bench.js';

/** Each statement of the capability table of SMS against the simulated Twilio. */

const { capabilities } = smsDefinition;
let bench: SmsBench;
let people = 0;

beforeAll(async () => {
  bench = await SmsBench.start({ limits: 'none' });
});
afterAll(() => bench.stop());

interface Created {
  readonly Body?: string;
  readonly MediaUrl?: readonly string[];
}

const newPerson = () => {
  people += 1;
  return bench.simulator.address(people);
};

/** Executes an operation as the core does, and returns the messages that Twilio was asked to create. */
async function done(operation: Operation) {
  const before = bench.simulator.ledger.entries().length;
  const { steps, degradations } = bench.adapter.plan(operation, capabilities);
  const receipts = [];
  for (const step of steps)
    receipts.push(await bench.adapter.execute(step, bench.context(operation.to.chatId)));
  const calls = bench.simulator.ledger.entries().slice(before);
  return { degradations, receipts, calls, created: calls.map(({ request }) => request as Created) };
}

const send = (text: string, more: object = {}, attachments: ContentAttachment[] = []) =>
  done({
    type: 'send',
    to: { chatId: remoteChatId(newPerson()) },
    content: { ...plainContent(text), attachments },
    ...more,
  } as Operation);

const url = 'https://bridge.example/media/1';
let files = 0;
function attachment(type: AttachmentType, mimeType: string, sizeBytes = 1000): ContentAttachment {
  if (type === 'location') return { type, latitude: 48.2, longitude: 16.4 };
  if (type === 'contact') return { type, metadata: { name: 'Bo', phone: '+431' } };
  files += 1;
  return { type, mimeType, mediaRef: `m${files}`, url, sizeBytes };
}

const usual: Record<string, string> = { video: 'video/mp4', audio: 'audio/mpeg', file: 'application/pdf' };
const usualOf = (type: AttachmentType, sizeBytes?: number) =>
  attachment(type, usual[type] ?? 'image/png', sizeBytes);
const places: Record<string, string> = {
  location: 'https://maps.google.com/?q=48.2,16.4',
  contact: 'Bo +431',
};

/** A dropped part costs no request, and the plan reports that it is missing. */
function dropped(operation: object) {
  return async (level: Level) => {
    expect(level).toBe('dropped');
    const type = (operation as Operation).type;
    const { calls, degradations } = await done({
      to: { chatId: remoteChatId(newPerson()) },
      ...operation,
    } as Operation);
    expect([calls, degradations]).toEqual([[], [type]]);
  };
}

const sentPart: RemotePart[] = [{ index: 0, kind: 'text', id: remoteMessageId('SM1') }];

/** The contract has no such operation, and no webhook of Twilio reports it. */
function neverAsked(level: Level): void {
  expect(level).toBe('dropped');
  expect(bench.adapter).not.toHaveProperty('history');
  const told = new Set(bench.events().map(({ type }) => type));
  expect(['receipt', 'message', 'unsupported']).toEqual(expect.arrayContaining([...told]));
}

const proofs: Proofs = {
  'text.max': async (max: number) => {
    expect((await send('x'.repeat(max))).created).toHaveLength(1);
    const { created } = await send('x'.repeat(max + 1));
    expect(created.map(({ Body }) => Body).join('')).toBe('x'.repeat(max + 1));
    expect(created).toHaveLength(2);
  },
  'text.unit': async () => {
    // Characters of the extension table count twice.
    expect((await send('€'.repeat(800))).created).toHaveLength(1);
    expect((await send('€'.repeat(801))).created).toHaveLength(2);
    expect((await send('ж'.repeat(1600))).created).toHaveLength(1);
  },
  'text.formats': async (level: Level, name: string) => {
    const mark = name as Mark;
    const span = { mark, start: 0, end: 4, value: 'https://example.com' };
    const { created, degradations } = await send('', {
      content: { text: 'word more', spans: [span], attachments: [] },
    });
    const links = level === 'emulated';
    expect(created).toMatchObject([{ Body: links ? 'word (https://example.com) more' : 'word more' }]);
    expect(degradations).toEqual(links ? [] : [`format.${mark}`]);
    expect(links).toBe(mark === 'link');
  },
  'ops.edit': dropped({ type: 'edit', content: plainContent('New'), parts: sentPart }),
  'ops.delete': dropped({ type: 'delete', parts: sentPart }),
  'ops.react': dropped({ type: 'react', messageId: remoteMessageId('SM1'), emoji: '👍', change: 'added' }),
  'ops.typing': dropped({ type: 'typing', state: 'started' }),
  'ops.reply': async (level: Level) => {
    expect(level).toBe('dropped');
    const { created, degradations } = await send('Hi', { replyToId: remoteMessageId('SM1') });
    expect([created.length, degradations]).toEqual([1, ['reply']]);
  },
  'ops.thread': async (level: Level) => {
    expect(level).toBe('dropped');
    const to = { chatId: remoteChatId(newPerson()), threadId: remoteThreadId('t') };
    const { created, degradations } = await send('Hi', { to });
    expect([created.length, degradations]).toEqual([1, ['thread']]);
  },
  'ops.delivered': async () => {
    const { receipts } = await send('Hi');
    const [id] = receipts.map(({ remoteId }) => remoteId);
    await bench.host.until(() =>
      bench
        .events()
        .some((event) => event.type === 'receipt' && event.messageId === id && event.status === 'delivered'),
    );
  },
  'ops.initiate': async () => {
    expect((await send('Hello')).calls).toMatchObject([{ status: 201, committed: true }]);
  },
  'ops.location': async () => {
    expect((await send('', {}, [usualOf('location')])).created).toMatchObject([{ Body: places.location }]);
  },
  'ops.schedule': async (level: Level) => {
    // The bridge holds a scheduled message back. The adapter sends at once.
    expect(level).toBe('emulated');
    expect((await send('Now')).created[0]).not.toHaveProperty('SendAt');
  },
  'ops.persona_override': async (level: Level) => {
    expect(level).toBe('emulated');
    const link = { ...deliveryTask().link, attribution: 'persona' as const };
    const task = deliveryTask({ link, sender: { display_name: 'Ann', profile_image: null } });
    expect((await send('', taskContent(task, capabilities))).created).toMatchObject([{ Body: 'Ann: Hello' }]);
  },
  'ops.read_out': neverAsked,
  'ops.read_in': neverAsked,
  'ops.buttons': neverAsked,
  'ops.history': neverAsked,
  'ops.membership': neverAsked,
  'ops.live_location': neverAsked,
  'ops.calls': neverAsked,
  media: async (value: unknown, rest: string) => {
    // A MIME type may contain dots.
    const [, name, cell = '', mime = ''] = /^(\w+)\.(\w+)(?:\.(.+))?$/.exec(rest) ?? [];
    const type = name as AttachmentType;
    if (cell === 'mime') return proveMedia(type, mime, value as Level);
    if (type in places) return expect(value).toBeNull();
    const { [cell]: proof } = limits;
    expect(proof).toBeDefined();
    return proof?.(type, value as number);
  },
  edit: (value: unknown) => expect(value).toBeNull(),
  delete: (value: unknown) => expect(value).toBeNull(),
  react: (value: unknown) => expect(value).toBeNull(),
};

async function proveMedia(type: AttachmentType, mime: string, level: Level): Promise<void> {
  const { created, degradations } = await send('Look', {}, [attachment(type, sampleOf(mime))]);
  if (level === 'native') {
    expect(created).toMatchObject([{ Body: 'Look', MediaUrl: [url] }]);
    expect(degradations).toEqual([]);
    return;
  }
  expect(level).toBe('emulated');
  expect(created).toMatchObject([{ Body: `Look\n${places[type] ?? url}` }]);
  expect(created[0]).not.toHaveProperty('MediaUrl');
  expect(degradations).toEqual([`media.${type}`]);
}

const limits: Record<string, (type: AttachmentType, limit: number) => Promise<void>> = {
  max_bytes: async (type, limit) => {
    expect((await send('', {}, [usualOf(type, limit)])).created).toMatchObject([{ MediaUrl: [url] }]);
    expect((await send('', {}, [usualOf(type, limit + 1)])).created).toMatchObject([{ Body: url }]);
  },
  caption_max: async (type, limit) => {
    const written = async (length: number) =>
      (await send('x'.repeat(length), {}, [usualOf(type)])).created.map(({ Body, MediaUrl = [] }) => [
        Body?.length,
        MediaUrl.length,
      ]);
    expect(await written(limit)).toEqual([[limit, 1]]);
    expect(await written(limit + 1)).toEqual([
      [limit, 1],
      [1, 0],
    ]);
  },
  per_message: async (type, limit) => {
    const many = (count: number) => Array.from({ length: count }, () => usualOf(type));
    const { created } = await send('', {}, many(limit));
    expect(created.map(({ MediaUrl }) => MediaUrl?.length)).toEqual([limit]);
    const more = await send('', {}, many(limit + 1));
    expect(more.created).toMatchObject([{ Body: url }]);
    expect(more.created[0]?.MediaUrl).toHaveLength(limit);
  },
};

it.each(cellsOf(capabilities).map((cell) => [cell.path, cell] as const))(
  'SMS has the capability %s',
  (_, cell) => prove(proofs, cell),
);

it('capabilities that are not native make no calls', () => {
  expect(Object.keys(bench.simulator.ledger.counts())).toEqual(['messages.create']);
});
