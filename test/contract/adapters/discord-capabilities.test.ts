import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { discordCapabilities } from '../../../adapters/discord/capabilities.js';
import {
  type Adapter,
  type AttachmentType,
  type CapabilityOp,
  type Content,
  type Mark,
  type Operation,
  type Plan,
  plainContent,
  type Receipt,
  remoteChatId,
  remoteMessageId,
  remoteThreadId,
} from '../../../src/contract/index.js';
import { context, DiscordBench, sendTo } from '../../support/discord.js';

/** Each cell of the served table has a proof here, and there is no proof without a cell. */
const { text, ops, media, edit, delete: deletion, react } = discordCapabilities;

let bench: DiscordBench;
let adapter: Adapter;
beforeAll(async () => {
  bench = await DiscordBench.open({ limits: 'none' });
  adapter = await bench.started();
});
beforeEach(() => {
  bench.simulator.ledger.clear();
});
afterAll(() => bench.close());

const to = () => ({ chatId: remoteChatId(bench.chat()) });
const plan = (operation: Operation): Plan => adapter.plan(operation, adapter.capabilities());
const perform = async (operation: Operation): Promise<Receipt[]> => {
  const receipts: Receipt[] = [];
  for (const step of plan(operation).steps)
    receipts.push(await adapter.execute(step, { ...context(bench.chat()), to: operation.to }));
  return receipts;
};
const last = (chatId = bench.chat()) => bench.simulator.messages(chatId).at(-1);
const sent = async (content: Content | string) => {
  const [receipt] = await bench.send(adapter, bench.chat(), content);
  return receipt?.remoteId ?? remoteMessageId('');
};
const part = (id: string) => ({ index: 0, kind: 'text' as const, id: remoteMessageId(id) });
const heard = async (type: string, act: () => unknown) => {
  const count = () => bench.events(adapter).filter((event) => event.type === type).length;
  const before = count();
  await act();
  await bench.host.until(() => count() > before);
};
/** No operation or event of the contract causes such a call. */
const nothingOfTheKind = async () => {
  for (const operation of ['history', 'markRead', 'call']) expect(operation in adapter).toBe(false);
  expect(bench.simulator.ledger.entries()).toEqual([]);
};

describe('every Discord operation works as the table states', () => {
  const proofs: Readonly<Record<CapabilityOp, () => Promise<void>>> = {
    edit: async () => {
      const id = await sent('before');
      await perform({ type: 'edit', to: to(), content: plainContent('after'), parts: [part(id)] });
      expect(last()).toMatchObject({ id, text: 'after', edited: true });
    },
    delete: async () => {
      const id = await sent('gone');
      await perform({ type: 'delete', to: to(), parts: [part(id)] });
      expect(last()).toMatchObject({ id, deleted: true });
    },
    react: async () => {
      const id = await sent('look');
      await perform({ type: 'react', to: to(), messageId: id, emoji: '👍', change: 'added' });
      expect(bench.simulator.reactions(bench.chat(), id)).toEqual({ '👍': 1 });
    },
    reply: async () => {
      const id = await sent('question');
      await perform({ ...sendTo(bench.chat(), 'answer'), replyToId: id });
      expect(last()).toMatchObject({ text: 'answer', replyToId: id });
    },
    thread: async () => {
      const place = { ...to(), threadId: remoteThreadId(bench.thread) };
      await perform({ type: 'send', to: place, content: plainContent('in there') });
      expect(last(bench.thread)).toMatchObject({ text: 'in there' });
    },
    typing: async () => {
      await perform({ type: 'typing', to: to(), state: 'started' });
      expect(bench.count('POST /channels/:id/typing')).toBe(1);
    },
    read_out: nothingOfTheKind,
    read_in: nothingOfTheKind,
    delivered: async () => {
      await sent('received?');
      await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'yes' });
      await bench.host.until(() => bench.texts(adapter).includes('yes'));
      expect(bench.events(adapter).filter(({ type }) => type === 'receipt')).toEqual([]);
    },
    buttons: async () => {
      // The adapter cannot send buttons. Presses of buttons that other programs made for the same bot are received.
      const id = await sent('Shall we?');
      expect(JSON.stringify(bench.simulator.ledger.entries())).not.toContain('components');
      const press = bench.simulator.people.press(bench.chat(), 'Ada', id, 'Yes');
      await bench.host.until(() => bench.simulator.people.answerTo(press) !== undefined);
      const [said] = bench
        .events(adapter)
        .filter((event) => 'messageId' in event && event.messageId === press);
      expect(said).toMatchObject({ content: { text: 'Yes' } });
    },
    schedule: async () => {
      // The bridge holds a scheduled message back. The adapter sends at once.
      await sent('now');
      expect(bench.simulator.ledger.counts()).toEqual({ 'POST /channels/:id/messages': 1 });
    },
    history: nothingOfTheKind,
    membership: async () => {
      await heard('membership', () => bench.simulator.people.join('Newcomer'));
      const without = await DiscordBench.open({ members: false });
      await without.started();
      without.simulator.people.join('Newcomer');
      await without.simulator.post({ chatId: without.chat(), sender: 'Ada', text: 'later' });
      await without.host.until(() => without.host.envelopes.length > 0);
      expect(without.host.envelopes).toHaveLength(1);
      await without.close();
    },
    persona_override: async () => {
      await perform({ ...sendTo(bench.chat(), 'hi'), persona: { displayName: 'Ada' } });
      expect(last()).toMatchObject({ text: 'hi', sender: 'Ada', own: true });
    },
    location: async () => {
      const place = { type: 'location' as const, latitude: 52.5, longitude: 13.4 };
      const content = { text: 'here', spans: [], attachments: [place] };
      expect(plan(sendTo(bench.chat(), content)).degradations).toEqual(['media.location']);
      await sent(content);
      expect(last()?.text).toBe('here\nhttps://www.openstreetmap.org/?mlat=52.5&mlon=13.4');
    },
    live_location: nothingOfTheKind,
    calls: nothingOfTheKind,
    initiate: async () => {
      const chat = await adapter.openDirect!(bench.simulator.address(3));
      await bench.send(adapter, chat, 'hello');
      expect(last(chat)).toMatchObject({ text: 'hello' });
    },
  };

  it.each(Object.entries(ops))('%s is %s', async (op) => {
    await proofs[op as CapabilityOp]();
  });

  it('no capability is claimed without a proof', () => {
    const working = Object.entries(ops).filter(([, level]) => level === 'native' || level === 'emulated');
    for (const [op] of working) expect(proofs[op as CapabilityOp]).not.toBe(nothingOfTheKind);
    const dropped = ['read_out', 'read_in', 'delivered', 'buttons', 'history', 'live_location', 'calls'];
    expect(Object.entries(ops).flatMap(([op, level]) => (level === 'dropped' ? [op] : []))).toEqual(dropped);
  });
});

describe('every mark is sent as the Discord table states', () => {
  const written: Readonly<Record<Mark, string>> = {
    bold: '**word**',
    italic: '*word*',
    underline: '__word__',
    strike: '~~word~~',
    spoiler: '||word||',
    code: '`word`',
    code_block: '```js\nword\n```',
    quote: '> word',
    link: '[word](https://example.com)',
    heading: '## word',
    // The stated fallbacks: bullets become characters, and mentions become names without a notification.
    list: 'word',
    mention: 'word',
  };
  const values: Partial<Record<Mark, string>> = {
    code_block: 'js',
    link: 'https://example.com',
    heading: '2',
    mention: '42',
  };

  it.each(Object.entries(text.formats))('%s is %s', async (name, level) => {
    const mark = name as Mark;
    const value = values[mark];
    const span = { mark, start: 0, end: 4, ...(value === undefined ? {} : { value }) };
    await sent({ text: 'word', spans: [span], attachments: [] });
    expect(last()?.text).toBe(written[mark]);
    expect(level).toBe(written[mark] === 'word' ? 'emulated' : 'native');
  });

  it('text is split at the maximum length of the table, in UTF-16 units', async () => {
    expect(text.unit).toBe('utf16');
    const longest = '😀'.repeat((text.max ?? 0) / 2);
    expect(plan(sendTo(bench.chat(), longest)).steps).toHaveLength(1);
    expect(plan(sendTo(bench.chat(), `${longest}a`)).steps).toHaveLength(2);
    await sent(longest);
    expect(last()?.text).toBe(longest);
  });
});

describe('every kind of file is sent as the Discord table states', () => {
  const attachment = (type: AttachmentType, sizeBytes: number) => {
    const [mimeType = ''] =
      { image: ['image/png'], video: ['video/mp4'], audio: ['audio/ogg'] }[String(type)] ?? [];
    const ref = `${type}-${sizeBytes}`;
    const blob = new Blob([Buffer.alloc(Math.min(sizeBytes, 1_000))]);
    bench.host.media.set(ref, { name: `${type}.bin`, mimeType, sizeBytes, blob });
    return { type, mediaRef: ref, mimeType, sizeBytes, url: `https://bridge.example/${ref}` };
  };
  const withFiles = (attachments: Content['attachments'], words = 'see') =>
    sendTo(bench.chat(), { text: words, spans: [], attachments });

  const uploaded = Object.entries(media).filter(([, { mime }]) => mime['*/*'] === 'native');

  it.each(uploaded.map(([type]) => type as AttachmentType))(
    '%s is uploaded with its text, and sent as a link when it is too large',
    async (type) => {
      const { max_bytes, per_message, caption_max } = media[type] ?? {};
      await perform(withFiles([attachment(type, 5)]));
      expect(last()).toMatchObject({ text: 'see', files: [{ name: `${type}.bin` }] });
      const tooLarge = plan(withFiles([attachment(type, (max_bytes ?? 0) + 1)]));
      expect([tooLarge.steps.length, tooLarge.degradations]).toEqual([1, [`media.${type}`]]);
      expect(tooLarge.steps[0]?.payload.content).toContain('https://bridge.example/');
      const many = Array.from({ length: (per_message ?? 0) + 1 }, () => attachment(type, 5));
      const { steps } = plan(withFiles(many));
      expect(steps[0]?.payload.files).toHaveLength(per_message ?? 0);
      expect(plan(withFiles([attachment(type, 5)], 'a'.repeat(caption_max ?? 0))).steps).toHaveLength(1);
    },
  );

  it('contacts and locations are sent as text and reported as degraded', async () => {
    const contact = { type: 'contact' as const, metadata: { name: 'Ada', phone: '+49 1' } };
    const place = { type: 'location' as const, latitude: 52.5, longitude: 13.4 };
    const words = Object.entries(media).filter(([, { mime }]) => mime['*/*'] === 'emulated');
    expect(words.map(([type]) => type)).toEqual(['contact', 'location']);
    expect(plan(withFiles([contact, place])).degradations).toEqual(['media.contact', 'media.location']);
    await perform(withFiles([contact, place]));
    expect(last()?.text).toBe('see\nAda +49 1\nhttps://www.openstreetmap.org/?mlat=52.5&mlon=13.4');
  });
});

describe('the limits of changes are those of the Discord table', () => {
  it('edits and deletions have no time limit, files stay, and the bot can’t delete messages of others', async () => {
    expect([edit, deletion]).toEqual([
      { max_age_s: null, max_count: null, media: false },
      { max_age_s: null, others: false },
    ]);
    const id = await sent('0');
    for (let count = 1; count <= 5; count += 1)
      await perform({ type: 'edit', to: to(), content: plainContent(`${count}`), parts: [part(id)] });
    expect(last()?.text).toBe('5');
    const foreign = await bench.simulator.post({ chatId: bench.chat(), sender: 'Ada', text: 'mine' });
    await expect(perform({ type: 'delete', to: to(), parts: [part(foreign)] })).rejects.toMatchObject({
      problem: { kind: 'rejected', reason: 'forbidden' },
    });
  });

  it('a message has as many different reactions as the table states, of any emoji', async () => {
    expect(react?.allowed).toBeNull();
    const id = await sent('look');
    const emojis = [...'🍎🍐🍊🍋🍌🍉🍇🍓🍈🍒🍑🥭🍍🥥🥝🍅🍆🥑🥦🥬🥒'];
    const show = (emoji: string) =>
      perform({ type: 'react', to: to(), messageId: id, emoji, change: 'added' });
    for (const emoji of emojis.slice(0, react?.per_user ?? 0)) await show(emoji);
    await expect(show(emojis[react?.per_user ?? 0] ?? '')).rejects.toMatchObject({
      problem: { kind: 'rejected', reason: 'unsupported' },
    });
  });
});
