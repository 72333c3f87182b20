import { expect } from 'vitest';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import {
  type Adapter,
  type AttachmentType,
  type ContentAttachment,
  type Level,
  type Operation,
  plainContent,
  type Receipt,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
} from '../../../src/contract/index.js';
import { sampleOf } from '../../support/capability-cells.js';
import { png } from '../../support/files.js';
import { execute, TelegramBench } from './telegram-bench.js';

const { capabilities } = telegramDefinition;

/** The calls and results of an operation. */
export interface Done {
  readonly chat: string;
  readonly receipts: readonly Receipt[];
  readonly degradations: readonly string[];
  readonly calls: readonly { readonly call: string; readonly request: Record<string, unknown> }[];
}

/** The most typical MIME type of each type of attachment. */
const usual: Record<string, string> = {
  image: 'image/png',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  sticker: 'image/webp',
};

/** A connection that executes operations as the core does, each in its own chat. */
export class TelegramStage extends TelegramBench {
  #adapter: Adapter | undefined;
  #people = 0;
  #files = 0;

  constructor() {
    super({ limits: 'none' });
  }

  get adapter(): Adapter {
    if (this.#adapter === undefined) throw new Error('There is no connection.');
    return this.#adapter;
  }

  override async open(): Promise<void> {
    await super.open();
    this.#adapter = await this.connect();
  }

  /** A person without any messages. */
  person(): string {
    this.#people += 1;
    return this.simulator.address(this.#people);
  }

  async done(operation: Operation): Promise<Done> {
    const before = this.simulator.ledger.entries().length;
    const { steps, degradations } = this.adapter.plan(operation, capabilities);
    const receipts: Receipt[] = [];
    for (const step of steps) receipts.push(await execute(this.adapter, step, operation.to));
    const calls = this.simulator.ledger.entries().slice(before) as never;
    return { chat: String(operation.to.chatId), receipts, degradations, calls };
  }

  send(
    text: string,
    more: object = {},
    attachments: ContentAttachment[] = [],
    chat = this.person(),
  ): Promise<Done> {
    const content = { ...plainContent(text), attachments };
    return this.done({ type: 'send', to: { chatId: remoteChatId(chat) }, content, ...more } as Operation);
  }

  /** An attachment of this type with a stored copy. A type that is not a file needs none. */
  attachment(type: AttachmentType, mimeType: string, sizeBytes?: number): ContentAttachment {
    if (type === 'location') return { type, latitude: 48.2, longitude: 16.4 };
    if (type === 'contact') return { type, metadata: { name: 'Bo', phone: '+431' } };
    this.#files += 1;
    const bytes = png(this.#files, 1);
    const [mediaRef, name] = [`m${this.#files}`, `f${this.#files}`];
    const blob = new Blob([new Uint8Array(bytes)]);
    this.host.media.set(mediaRef, { name, mimeType, sizeBytes: bytes.length, blob });
    const url = `https://bridge.example/${mediaRef}`;
    return { type, mimeType, mediaRef, name, url, sizeBytes: sizeBytes ?? bytes.length };
  }

  usual(type: AttachmentType, sizeBytes?: number): ContentAttachment {
    return this.attachment(type, usual[type] ?? 'application/pdf', sizeBytes);
  }

  #planned(text: string, attachments: ContentAttachment[]) {
    const to = { chatId: remoteChatId('1') };
    return this.adapter.plan(
      { type: 'send', to, content: { ...plainContent(text), attachments } },
      capabilities,
    );
  }

  async proveMedia(type: AttachmentType, mime: string, level: Level): Promise<void> {
    const usualOne = level === 'native' ? [this.usual(type)] : [];
    for (const one of [this.attachment(type, sampleOf(mime)), ...usualOne]) {
      const sent = await this.send('', {}, [one]);
      expect(sent.degradations).toEqual(level === 'native' ? [] : [`media.${type}`]);
      if (level !== 'native') expect(sent.calls).toMatchObject([{ call: 'sendDocument' }]);
      expect(sent.calls).toMatchObject([{ committed: true }]);
      if (type === 'location') expect(sent.calls).toMatchObject([{ call: 'sendLocation' }]);
      else if (type === 'contact') expect(sent.calls).toMatchObject([{ call: 'sendContact' }]);
      else expect(this.visible(sent.chat)).toMatchObject([{ files: [{ name: one.name }] }]);
    }
  }

  proveMaxBytes(type: AttachmentType, limit: number | null): void {
    if (limit === null) {
      expect(this.#planned('', [this.usual(type)])).toMatchObject({ steps: [{ kind: type }] });
      return;
    }
    const within = this.#planned('', [this.usual(type, limit)]);
    expect(within).toMatchObject({ steps: [{ kind: 'media' }], degradations: [] });
    // A file above the limit of its type becomes a document, and above the limit of documents a link.
    const isDocument = limit < (capabilities.media.file?.max_bytes ?? 0);
    expect(this.#planned('', [this.usual(type, limit + 1)])).toMatchObject({
      steps: [isDocument ? { payload: { method: 'sendDocument' } } : { kind: 'text' }],
      degradations: [`media.${type}`],
    });
  }

  /** A text that fits is the caption of the attachment. A longer one is sent before it. */
  async proveCaption(type: AttachmentType, limit: number): Promise<void> {
    const shown = async (length: number) => {
      const { chat } = await this.send('x'.repeat(length), {}, [this.usual(type)]);
      return this.visible(chat).map(({ text }) => text.length);
    };
    if (limit > 0) expect(await shown(limit)).toEqual([limit]);
    expect(await shown(limit + 1)).toEqual([limit + 1, 0]);
  }

  async provePerMessage(type: AttachmentType, limit: number): Promise<void> {
    const many = (count: number) => Array.from({ length: count }, () => this.usual(type));
    const sent = await this.send('', {}, many(limit));
    expect([sent.calls.length, this.visible(sent.chat).length]).toEqual([1, limit]);
    const ids = sent.receipts.flatMap(({ remoteId, otherIds = [] }) => [remoteId, ...otherIds]);
    expect(ids).toEqual(this.visible(sent.chat).map(({ id }) => id));
    // The excess is in another write, or in the text.
    const more = await this.send('', {}, many(limit + 1));
    for (const { otherIds = [] } of more.receipts) expect(1 + otherIds.length).toBeLessThanOrEqual(limit);
    expect([more.calls.length, more.degradations]).not.toEqual([1, []]);
  }
}

export const firstOf = ({ receipts }: Done) => receipts[0]?.remoteId ?? remoteMessageId('');

export const partOf = (done: Done, kind: RemotePart['kind'] = 'text'): RemotePart[] => [
  { index: 0, kind, id: firstOf(done) },
];
