import { afterAll, beforeAll, expect, it } from 'vitest';
import { slackCapabilities } from '../../../adapters/slack/capabilities.js';
import { Workspace } from '../../../adapters/slack/simulator/workspace.js';
import {
  type AttachmentType,
  type Capabilities,
  type ContentAttachment,
  type JsonObject,
  type Level,
  type Mark,
  type Operation,
  plainContent,
  type Receipt,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { taskContent } from '../../../src/core/deliveries/send/task-content.js';
import { cellsOf, type Proofs, prove, sampleOf } from '../../support/capability-cells.js';
import { deliveryTask } from '../../support/delivery-task.js';
import { png } from '../../support/files.js';
import { partsOf, problemOf, SlackBench } from '../../support/slack-bench.js';

/** Each statement of Slack's capability table against the simulated workspace. */

const CHANNEL = remoteChatId('C0SIMGENERAL');
const bench = new SlackBench();
const { workspace, people, ledger } = bench.simulator;

beforeAll(() => bench.startWebhook());
afterAll(() => bench.stop());

interface Done {
  readonly receipts: readonly Receipt[];
  readonly degradations: readonly string[];
  /** Calls that write, in order. */
  readonly calls: readonly string[];
}

const READS = /^(?:auth|conversations|users|apps)\.|^files\.info$/;

/** Executes an operation as the core does, and returns the calls, receipts and degradations. */
async function done(operation: Operation): Promise<Done> {
  const before = ledger.entries().length;
  const { degradations } = bench.adapter.plan(operation, bench.adapter.capabilities());
  const receipts = await bench.run(operation);
  const calls = ledger
    .entries()
    .slice(before)
    .map(({ call }) => call);
  return {
    receipts,
    degradations: [...degradations, ...receipts.flatMap((receipt) => receipt.degradations ?? [])],
    calls: calls.filter((call) => !READS.test(call)),
  };
}

const to = { chatId: CHANNEL };
const send = (text: string, attachments: ContentAttachment[] = [], more: object = {}) =>
  done({ type: 'send', to, content: { ...plainContent(text), attachments }, ...more });
const idOf = ({ receipts }: Pick<Done, 'receipts'>) => receipts[0]?.remoteId ?? remoteMessageId('');
const stored = (sent: Pick<Done, 'receipts'>) => workspace.find(CHANNEL, idOf(sent));
const shown = (sent: Pick<Done, 'receipts'>) => workspace.seen(CHANNEL).find(({ id }) => id === idOf(sent));

let files = 0;
function attachment(type: AttachmentType, mimeType: string, sizeBytes?: number): ContentAttachment {
  if (type === 'location') return { type, latitude: 48.2, longitude: 16.4 };
  if (type === 'contact') return { type, metadata: { name: 'Bo', phone: '+431' } };
  files += 1;
  const bytes = png(files, 1);
  const [mediaRef, name] = [`m${files}`, `f${files}`];
  const blob = new Blob([new Uint8Array(bytes)]);
  bench.host.media.set(mediaRef, { name, mimeType, sizeBytes: bytes.length, blob });
  const url = `https://bridge.example/${mediaRef}`;
  return { type, mimeType, mediaRef, name, url, sizeBytes: sizeBytes ?? bytes.length };
}

const usual: Record<string, string> = { image: 'image/png', video: 'video/mp4', audio: 'audio/mpeg' };
const usualOf = (type: AttachmentType) => attachment(type, usual[type] ?? 'application/pdf');
const planned = (text: string, attachments: ContentAttachment[]) =>
  bench.adapter.plan(
    { type: 'send', to, content: { ...plainContent(text), attachments } },
    slackCapabilities,
  );

/** How each mark appears in the blocks of a message with the text `word`. */
const elements: Partial<Record<Mark, JsonObject>> = {
  bold: { style: { bold: true } },
  heading: { style: { bold: true } },
  italic: { style: { italic: true } },
  strike: { style: { strike: true } },
  underline: { style: { underline: true } },
  code: { style: { code: true } },
  link: { type: 'link', url: 'https://example.com' },
  mention: { type: 'user', user_id: 'U0SIMBRIDGE' },
};
const boxes: Partial<Record<Mark, string>> = {
  code_block: 'rich_text_preformatted',
  quote: 'rich_text_quote',
  list: 'rich_text_list',
};
const values: Partial<Record<Mark, string>> = { link: 'https://example.com', mention: 'U0SIMBRIDGE' };

async function proveFormat(level: Level, mark: Mark): Promise<void> {
  const text = mark === 'list' ? '• word' : mark === 'mention' ? '@Bridge' : 'word';
  const value = values[mark];
  const span = { mark, start: 0, end: text.length, ...(value === undefined ? {} : { value }) };
  const sent = await done({ type: 'send', to, content: { text, spans: [span], attachments: [] } });
  expect(shown(sent)?.text).toBe(text);
  const [block] = stored(sent)?.blocks ?? [];
  const [box] = (block?.elements ?? []) as { type: string; elements: JsonObject[] }[];
  if (level === 'dropped') {
    expect(sent.degradations).toEqual([`format.${mark}`]);
    expect(box?.elements).toEqual([{ type: 'text', text }]);
    return;
  }
  expect(sent.degradations).toEqual([]);
  expect(box?.type).toBe(boxes[mark] ?? 'rich_text_section');
  if (elements[mark] !== undefined) expect(box?.elements).toMatchObject([elements[mark]]);
  expect(level).toBe(mark === 'heading' ? 'emulated' : 'native');
}

/** The contract has no such operation, or Slack offers bots no such method: no call is made. */
function neverAsked(level: Level): void {
  expect(level).toBe('dropped');
  expect(bench.adapter).not.toHaveProperty('history');
  expect(Object.keys(ledger.counts()).filter((call) => /mark|typing|call|schedul|rtm/i.test(call))).toEqual(
    [],
  );
}

const reacted = (sent: Done, name: string) => stored(sent)?.reactions.get(name)?.has('U0SIMBRIDGE') ?? false;
const react = (sent: Done, emoji: string, change: 'added' | 'removed' = 'added') =>
  done({ type: 'react', to, messageId: idOf(sent), emoji, change });

const proofs: Proofs = {
  'text.max': async (max: number) => {
    expect((await send('x'.repeat(max))).calls).toEqual(['chat.postMessage']);
    const { receipts } = await send('x'.repeat(max + 1));
    expect(receipts.map((receipt) => shown({ receipts: [receipt] })?.text).join('')).toBe(
      'x'.repeat(max + 1),
    );
    expect(receipts).toHaveLength(2);
  },
  'text.unit': async () => {
    expect((await send('😀'.repeat(2_000))).receipts).toHaveLength(1);
    expect((await send('😀'.repeat(2_001))).receipts).toHaveLength(2);
  },
  'text.formats': (level: Level, mark: string) => proveFormat(level, mark as Mark),
  'ops.edit': async () => {
    const sent = await send('Old');
    await done({ type: 'edit', to, content: plainContent('New'), parts: partsOf(sent.receipts) });
    expect(shown(sent)).toMatchObject({ text: 'New', edited: true });
  },
  'ops.delete': async () => {
    const sent = await send('Gone');
    await done({ type: 'delete', to, parts: partsOf(sent.receipts) });
    expect(shown(sent)?.deleted).toBe(true);
  },
  'ops.react': async () => {
    const sent = await send('Nice');
    expect((await react(sent, '👍🏽')).calls).toEqual(['reactions.add']);
    await react(sent, '👍🏽');
    expect(reacted(sent, '+1::skin-tone-4')).toBe(true);
    await react(sent, '👍🏽', 'removed');
    await react(sent, '👍🏽', 'removed');
    expect(reacted(sent, '+1::skin-tone-4')).toBe(false);
  },
  'ops.reply': async () => {
    const question = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Question' });
    const sent = await send('Answer', [], { replyToId: remoteMessageId(question) });
    expect(shown(sent)?.replyToId).toBe(question);
  },
  'ops.thread': async () => {
    const root = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Root' });
    const inside = { to: { chatId: CHANNEL, threadId: remoteThreadId(root) } };
    expect(shown(await send('In', [], inside))?.replyToId).toBe(root);
    expect(shown(await send('In', [usualOf('image')], inside))?.replyToId).toBe(root);
  },
  'ops.typing': async (level: Level) => {
    expect(level).toBe('dropped');
    const { calls, degradations } = await done({ type: 'typing', to, state: 'started' });
    expect([calls, degradations]).toEqual([[], ['typing']]);
  },
  'ops.membership': async () => {
    people.join(CHANNEL, 'Bob');
    expect(await bench.event('membership')).toMatchObject({ change: 'joined', user: { displayName: 'Bob' } });
  },
  'ops.live_location': (level: Level) => {
    expect(level).toBe('dropped');
    expect(planned('', [{ type: 'location', latitude: 1, longitude: 2 }]).steps).toHaveLength(1);
  },
  'ops.location': async (level: Level) => {
    expect(level).toBe('emulated');
    const sent = await send('', [usualOf('location')]);
    expect(shown(sent)?.text).toBe('https://www.openstreetmap.org/?mlat=48.2&mlon=16.4');
    expect(sent.degradations).toEqual(['media.location']);
  },
  'ops.schedule': async (level: Level) => {
    // The bridge holds a scheduled message back. The adapter sends at once.
    expect(level).toBe('emulated');
    expect((await send('Now')).calls).toEqual(['chat.postMessage']);
  },
  'ops.persona_override': async (level: Level) => {
    expect(level).toBe('native');
    const link = { ...deliveryTask().link, attribution: 'persona' as const };
    const sender = { display_name: 'Ann', profile_image: 'https://bridge.example/ann.png' };
    const given = taskContent(deliveryTask({ link, sender }), bench.adapter.capabilities());
    const sent = await send('', [], given);
    expect(shown(sent)).toMatchObject({ sender: 'Ann', text: 'Hello' });
    expect(stored(sent)?.persona).toEqual({ username: 'Ann', icon_url: sender.profile_image });
    expect(shown(await send('', [usualOf('image')], { persona: given.persona }))?.sender).toBe('Ann');
  },
  'ops.initiate': async () => {
    const chatId = (await bench.adapter.openDirect?.(Workspace.address(3))) ?? remoteChatId('');
    await bench.send(chatId, 'Hello');
    expect(bench.texts(chatId)).toEqual(['Hello']);
  },
  'ops.read_out': neverAsked,
  'ops.read_in': neverAsked,
  'ops.delivered': neverAsked,
  'ops.buttons': neverAsked,
  'ops.history': neverAsked,
  'ops.calls': neverAsked,
  media: async (value: unknown, rest: string) => {
    const [, type = '', cell = '', mime] = /^(\w+)\.(\w+)(?:\.(.+))?$/.exec(rest) ?? [];
    if (cell === 'mime') await proveMedia(type as AttachmentType, mime ?? '', value as Level);
    else limits[cell]?.(type as AttachmentType, value as number | null);
    expect(cell === 'mime' || cell in limits).toBe(true);
  },
  'edit.max_age_s': async (age: number | null) => {
    expect(age).toBeNull();
    await proofs['ops.edit']?.('native' as never, '');
    // A workspace may limit the time for edits. Slack then returns an error.
    const sent = await send('Old');
    bench.simulator.refuseNext('chat.update', 'edit_window_closed');
    const late = { type: 'edit', to, content: plainContent('New'), parts: partsOf(sent.receipts) } as const;
    expect(await problemOf(done(late))).toMatchObject({
      problem: { kind: 'rejected', reason: 'edit_expired' },
    });
  },
  'edit.max_count': async (count: number | null) => {
    expect(count).toBeNull();
    const sent = await send('0');
    for (let round = 1; round <= 10; round += 1)
      await done({ type: 'edit', to, content: plainContent(String(round)), parts: partsOf(sent.receipts) });
    expect(shown(sent)?.text).toBe('10');
  },
  'edit.media': async (media: boolean) => {
    expect(media).toBe(false);
    const sent = await send('Old', [usualOf('image')]);
    const before = [...(stored(sent)?.files?.keys() ?? [])];
    const content = { ...plainContent('New'), attachments: [usualOf('video')] };
    const { calls } = await done({ type: 'edit', to, content, parts: partsOf(sent.receipts, 'media') });
    expect(calls).toEqual(['chat.update']);
    expect(shown(sent)?.text).toBe('New');
    expect([...(stored(sent)?.files?.keys() ?? [])]).toEqual(before);
  },
  'delete.max_age_s': async (age: number | null) => {
    expect(age).toBeNull();
    const sent = await send('Look', [usualOf('image'), usualOf('file')]);
    const { calls } = await done({ type: 'delete', to, parts: partsOf(sent.receipts, 'media') });
    expect(calls).toEqual(['files.delete', 'files.delete', 'chat.delete']);
    expect(shown(sent)?.deleted).toBe(true);
  },
  'delete.others': async (others: boolean) => {
    expect(others).toBe(false);
    const hers = await bench.simulator.post({ chatId: CHANNEL, sender: 'Ann', text: 'Hers' });
    const parts = partsOf([{ remoteId: remoteMessageId(hers) }]);
    expect(await problemOf(done({ type: 'delete', to, parts }))).toMatchObject({
      code: 'cant_delete_message',
    });
  },
  'react.per_user': async (limit: number) => {
    const sent = await send('Nice');
    const emoji = [...'😀😃😄😁😆😅🤣😂🙂🙃😉😊😇🥰😍🤩😘😗😚😙😋😛😜🤪'];
    for (const one of emoji.slice(0, limit)) await react(sent, one);
    expect(stored(sent)?.reactions.size).toBe(limit);
    expect(await problemOf(react(sent, emoji[limit] ?? ''))).toMatchObject({
      problem: { kind: 'rejected', reason: 'unsupported' },
    });
  },
  'react.allowed': async (allowed: null) => {
    expect(allowed).toBeNull();
    const sent = await send('Nice');
    for (const emoji of ['🇩🇪', '1️⃣', '👨‍👩‍👧', ':party-parrot:'])
      expect((await react(sent, emoji)).calls).toEqual(['reactions.add']);
    expect(await react(sent, '🇦')).toMatchObject({ calls: [], degradations: ['react'] });
  },
};

async function proveMedia(type: AttachmentType, mime: string, level: Level): Promise<void> {
  for (const mimeType of [sampleOf(mime), usual[type] ?? 'application/pdf']) {
    const sent = await send('Look', [attachment(type, mimeType)]);
    if (level === 'native') {
      expect(sent.degradations).toEqual([]);
      expect(sent.calls).toEqual([
        'files.getUploadURLExternal',
        'POST /upload',
        'files.completeUploadExternal',
      ]);
      expect(shown(sent)).toMatchObject({ text: 'Look', files: [{ name: `f${files}` }] });
    } else {
      expect(level).toBe('emulated');
      expect(sent.calls).toEqual(['chat.postMessage']);
      expect(shown(sent)?.text).toMatch(type === 'location' ? /^Look\nhttps:.*mlat/ : /^Look\nBo \+431$/);
      expect(sent.degradations).toEqual([`media.${type}`]);
    }
  }
}

const limits: Record<string, (type: AttachmentType, value: number | null) => void> = {
  max_bytes: (type, limit) => {
    if (limit === null) return expect(planned('', [usualOf(type)]).steps[0]?.kind).toBe('text');
    const sized = (bytes: number) => planned('', [attachment(type, usual[type] ?? 'a/b', bytes)]);
    expect(sized(limit)).toMatchObject({ steps: [{ kind: 'media' }], degradations: [] });
    expect(sized(limit + 1)).toMatchObject({ steps: [{ kind: 'text' }], degradations: [`media.${type}`] });
  },
  caption_max: (type, limit) => {
    const kinds = (length: number) =>
      planned('x'.repeat(length), [usualOf(type)]).steps.map(({ kind }) => kind);
    if (limit === null) return expect(kinds(10)).toEqual(['text']);
    expect(kinds(limit)).toEqual(['media']);
    expect(kinds(limit + 1)).toEqual(['text', 'text', 'media']);
  },
  per_message: (type, limit) => {
    const count = limit ?? 12;
    const { steps } = planned(
      '',
      Array.from({ length: count }, () => usualOf(type)),
    );
    expect(steps).toHaveLength(1);
    if (limit !== null) expect(steps[0]?.payload.files).toHaveLength(limit);
  },
};

it.each(cellsOf(slackCapabilities).map((cell) => [cell.path, cell] as const))(
  'Slack has the capability %s',
  (_, cell) => prove(proofs, cell),
);

/** An app that was installed without the optional scopes, once it has learned that. */
async function poor(
  ...without: string[]
): Promise<{ readonly capabilities: Capabilities; readonly more: SlackBench }> {
  const more = new SlackBench();
  for (const scope of without) more.simulator.scopes.delete(scope);
  await more.startWebhook();
  return { capabilities: more.adapter.capabilities(), more };
}

it('an app without the optional scopes reports the missing features and works without them', async () => {
  const { capabilities, more } = await poor('chat:write.customize', 'reactions:write', 'files:write');
  try {
    expect(capabilities.ops).toMatchObject({ persona_override: 'emulated', react: 'dropped' });
    expect(capabilities.react).toBeNull();
    expect(capabilities.media.image?.mime).toEqual({ '*/*': 'emulated' });
    const operation = {
      type: 'send',
      to,
      content: { ...plainContent(''), attachments: [usualOf('image')] },
    } as const;
    expect(more.adapter.plan(operation, capabilities)).toMatchObject({
      steps: [{ kind: 'text' }],
      degradations: ['media.image'],
    });
    const sign = {
      type: 'react',
      to,
      messageId: remoteMessageId('1.000001'),
      emoji: '👍',
      change: 'added',
    } as const;
    expect(more.adapter.plan(sign, capabilities)).toEqual({ steps: [], degradations: ['react'] });
  } finally {
    await more.stop();
  }
});

it('a removed scope disables the feature and does not block the message', async () => {
  const { more } = await poor();
  const persona = { displayName: 'Ann' };
  try {
    const planned = more.adapter.plan(
      { type: 'send', to, content: plainContent('*Hello*'), persona },
      more.adapter.capabilities(),
    );
    more.simulator.scopes.delete('chat:write.customize');
    const context = { to, key: more.nextKey(), signal: new AbortController().signal };
    const [step] = planned.steps;
    const receipt = step && (await more.adapter.execute(step, context));
    expect(receipt?.degradations).toEqual(['persona_override']);
    expect(more.simulator.messages(CHANNEL)).toMatchObject([{ sender: 'Bridge', text: 'Ann: *Hello*' }]);
    expect(more.adapter.capabilities().ops.persona_override).toBe('emulated');
  } finally {
    await more.stop();
  }
});

it('blocks that Slack refuses are sent once more as mrkdwn, with a degradation', async () => {
  bench.simulator.refuseNext('chat.postMessage', 'invalid_blocks');
  const sent = await send('plain & simple');
  expect(sent.degradations).toEqual(['format']);
  expect(stored(sent)).toMatchObject({ text: 'plain &amp; simple' });
  expect(stored(sent)?.blocks).toBeUndefined();
});
