import {
  type AdapterHost,
  type Degradation,
  type ExecuteContext,
  type PartStep,
  PlatformError,
  type Receipt,
  remoteChatId,
  remoteMessageId,
} from '../../../src/contract/index.js';
import { uploadFiles } from '../client/files.js';
import type { Scopes } from '../client/scopes.js';
import type { SlackClient } from '../client/transport.js';
import type { ThreadHint, Threads } from '../directory/threads.js';
import { filesOfMessage, messageOfFile, tsOfPart } from './file-messages.js';
import { react } from './reactions.js';
import { type Shape, shapeOf, writeShape } from './shape.js';

/** Name of the metadata event with the key of a part. The key identifies a write whose response was lost. */
export const METADATA_EVENT = 'trunkline_part';

const GONE = new Set(['message_not_found', 'file_not_found', 'file_deleted']);

/** Leaves mentions, names and links in bridged text as they are: it notifies no one and unfurls no link. */
const literally = { parse: 'none', link_names: false } as const;

/** Executes one planned write. */
export class Writer {
  readonly #client: SlackClient;
  readonly #threads: Threads;
  readonly #host: AdapterHost;
  readonly #scopes: Scopes;

  constructor(client: SlackClient, threads: Threads, host: AdapterHost, scopes: Scopes) {
    this.#client = client;
    this.#threads = threads;
    this.#host = host;
    this.#scopes = scopes;
  }

  execute(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    switch (step.action) {
      case 'create':
        return step.kind === 'media' ? this.#share(step, context) : this.#create(step, context);
      case 'update':
        return this.#update(step, context);
      case 'remove':
        return this.#remove(step, context);
      case 'signal':
        return react(step, context, this.#client, this.#scopes);
    }
  }

  async #create(step: PartStep, { to, key, signal }: ExecuteContext): Promise<Receipt> {
    const { threadTs, lost } = await this.#threads.place(to.chatId, step.payload as ThreadHint, signal);
    const place = { channel: to.chatId, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) };
    const fixed = { ...literally, unfurl_links: false, unfurl_media: false };
    const metadata = { event_type: METADATA_EVENT, event_payload: { key } };
    const { answer, degradations } = await writeShape(
      shapeOf(step),
      step.index === 0,
      this.#scopes,
      (shape) =>
        this.#client.write(
          (web) => web.chat.postMessage({ ...place, ...fixed, metadata, ...shown(shape), ...shape.persona }),
          'chat',
          signal,
        ),
    );
    if (!answer.ts) throw unreadable();
    // For a message to a person, the channel that Slack opened for it.
    const chatId = remoteChatId(answer.channel ?? to.chatId);
    this.#threads.remember(chatId, answer.ts, threadTs);
    return { ...receipt(answer.ts, degradations, lost), chatId };
  }

  /** Uploads files and shares them in the chat with their text. */
  async #share(step: PartStep, { to, signal }: ExecuteContext): Promise<Receipt> {
    const { threadTs, lost } = await this.#threads.place(to.chatId, step.payload as ThreadHint, signal);
    const [first, ...others] = await this.#upload(step, signal);
    if (first === undefined) throw unplanned(step);
    const place = { channel_id: to.chatId, ...(threadTs === undefined ? {} : { thread_ts: threadTs }) };
    const files = { files: [first, ...others] as [typeof first, ...(typeof first)[]] };
    const { degradations } = await writeShape(shapeOf(step), step.index === 0, this.#scopes, (shape) =>
      this.#client.write(
        (web) =>
          web.files.completeUploadExternal({ ...files, ...place, ...comment(shape), ...shape.persona }),
        'chat',
        signal,
      ),
    );
    const ts = await this.#tsOf(to.chatId, first.id, signal);
    if (ts !== undefined) this.#threads.remember(to.chatId, ts, threadTs);
    return receipt(ts ?? first.id, degradations, lost);
  }

  /** An app without the upload scope sends links next time. */
  async #upload(step: PartStep, signal: AbortSignal) {
    try {
      return await uploadFiles(this.#client, this.#host, step.payload, signal);
    } catch (error) {
      if (!(error instanceof PlatformError) || error.code !== 'missing_scope') throw error;
      this.#scopes.deny('files:write');
      throw new PlatformError(
        { kind: 'unavailable', cause: 'platform_down' },
        { dispatched: 'no', code: 'missing_scope', message: 'The Slack app may not upload files.' },
      );
    }
  }

  /** The files are shared. A failed search for their message must not count as a failed write. */
  async #tsOf(chatId: ExecuteContext['to']['chatId'], file: string, signal: AbortSignal) {
    try {
      return await messageOfFile(this.#client, chatId, file, signal);
    } catch (error) {
      this.#host.log.warn('share.not_found', {
        code: error instanceof PlatformError ? error.code : undefined,
      });
      return undefined;
    }
  }

  async #update(step: PartStep, { to, signal }: ExecuteContext): Promise<Receipt> {
    const id = targetOf(step);
    const ts = await tsOfPart(this.#client, to.chatId, id, signal);
    if (ts === undefined) throw notYetShared();
    // Slack keeps the name of the original post.
    const { persona: _, ...shape } = shapeOf(step);
    const { degradations } = await writeShape(shape, false, this.#scopes, (each) =>
      this.#client.write(
        // Without blocks the old ones would remain.
        (web) =>
          web.chat.update({
            channel: to.chatId,
            ts,
            ...literally,
            text: notice(each),
            blocks: each.blocks as never,
          }),
        'method',
        signal,
      ),
    );
    return receipt(id, degradations);
  }

  async #remove(step: PartStep, { to, signal }: ExecuteContext): Promise<Receipt> {
    const id = targetOf(step);
    const ts = await this.#tsOrGone(to.chatId, id, signal);
    if (step.kind === 'media') {
      const files = ts === undefined ? [id] : await filesOfMessage(this.#client, to.chatId, ts, signal);
      for (const file of files) await this.#discard((web) => web.files.delete({ file }), signal);
    }
    if (ts !== undefined) await this.#discard((web) => web.chat.delete({ channel: to.chatId, ts }), signal);
    return { remoteId: remoteMessageId(id) };
  }

  async #tsOrGone(chatId: ExecuteContext['to']['chatId'], id: string, signal: AbortSignal) {
    try {
      return await tsOfPart(this.#client, chatId, id, signal);
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  }

  /** A message that is already deleted counts as success. */
  async #discard(call: Parameters<SlackClient['write']>[0], signal: AbortSignal): Promise<void> {
    try {
      await this.#client.write(call, 'method', signal);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

function isGone(error: unknown): boolean {
  return error instanceof PlatformError && GONE.has(error.code ?? '');
}

/** Slack shows the blocks. `text` is for notifications (docs.slack.dev/reference/methods/chat.postMessage). */
function shown({ text, blocks }: Shape): { text: string; blocks?: never } {
  return { text, ...(blocks.length === 0 ? {} : { blocks: blocks as never }) };
}

/** A comment is parsed as mrkdwn and hides the blocks, so it is used only if both would look alike. */
function comment({ text, blocks }: Shape): { initial_comment?: string; blocks?: never } {
  if (text === '') return {};
  const words = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
  const isPlain = JSON.stringify(blocks) === JSON.stringify([{ type: 'rich_text', elements: [words] }]);
  const alike = blocks.length === 0 || (isPlain && !/[*_~`<>&:]/.test(text));
  return alike ? { initial_comment: text } : { blocks: blocks as never };
}

/**
 * The `text` of an edit, cut to its limit (docs.slack.dev/reference/methods/chat.update). The blocks contain all of it.
 */
const MAX_NOTICE_LENGTH = 4_000;

function notice({ text, blocks }: Shape): string {
  if (blocks.length === 0 || text.length <= MAX_NOTICE_LENGTH) return text;
  return text.slice(0, MAX_NOTICE_LENGTH).replace(/[\uD800-\uDBFF]$|&[a-z]{0,3}$/, '');
}

function receipt(
  id: string,
  degradations: readonly Degradation[],
  lost: readonly Degradation[] = [],
): Receipt {
  const all = [...degradations, ...lost];
  return { remoteId: remoteMessageId(id), ...(all.length === 0 ? {} : { degradations: all }) };
}

function targetOf(step: PartStep): string {
  if (step.targetId === undefined) throw unplanned(step);
  return step.targetId;
}

function unplanned({ action }: PartStep): PlatformError {
  return new PlatformError(
    { kind: 'rejected', reason: 'unsupported' },
    { dispatched: 'no', message: `The adapter does not support this step (${action}).` },
  );
}

function notYetShared(): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'Slack has not yet shared the file whose text changes.' },
  );
}

function unreadable(): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'unknown', message: 'Slack accepted the message but did not return its id.' },
  );
}
