import type { ChatDeleteResponse, ChatPostMessageResponse, ChatUpdateResponse } from '@slack/web-api';
import type { JsonObject } from '../../../src/contract/index.js';
import { type Answer, type Arguments, failed, listed, type OpenAnswer } from './answers.js';
import { blocksProblem } from './blocks.js';
import { DOMAIN } from './records.js';
import { BOT_USER, type StoredMessage, type Workspace } from './workspace.js';

/** Callbacks of the write methods. Slack echoes every change as an event. */
export interface Changes {
  posted(message: StoredMessage): void;
  changed(message: StoredMessage, previous: Pick<StoredMessage, 'text' | 'blocks'>): void;
  deleted(message: StoredMessage): void;
  reacted(message: StoredMessage, userId: string, name: string, change: 'added' | 'removed'): void;
}

/** Longer text is truncated silently (docs.slack.dev/reference/methods/chat.postMessage). */
const TRUNCATE_AT = 40_000;
/** Longer text is refused (docs.slack.dev/reference/methods/chat.update, msg_too_long). */
const MAX_UPDATE_LENGTH = 4_000;

/** The methods that post, update and delete messages of the app. */
export class Chat {
  readonly #workspace: Workspace;
  readonly #changes: Changes;

  constructor(workspace: Workspace, changes: Changes) {
    this.#workspace = workspace;
    this.#changes = changes;
  }

  readonly methods: Readonly<Record<string, (args: Arguments) => Answer<object>>> = {
    'chat.postMessage': (args) => this.#postMessage(args),
    'chat.update': (args) => this.#update(args),
    'chat.delete': (args) => this.#delete(args),
    'chat.getPermalink': (args) => this.#permalink(args),
    'chat.postEphemeral': (args) => this.#postEphemeral(args),
  };

  #postMessage(args: Arguments): Answer<ChatPostMessageResponse> {
    const { channel = '', text = '', thread_ts, metadata } = args;
    const target = this.#workspace.target(channel);
    if (typeof target === 'string') return failed(target);
    const blocks = readBlocks(args);
    if (typeof blocks === 'string') return failed(blocks);
    const attachments = attachmentsIn(args);
    if (text === '' && blocks === undefined && attachments === undefined) return failed('no_text');
    const stored = this.#workspace.add({
      channel: target.id,
      author: BOT_USER,
      text: text.slice(0, TRUNCATE_AT),
      ...(blocks === undefined ? {} : { blocks }),
      ...(attachments === undefined ? {} : { attachments }),
      ...personaIn(args),
      ...(thread_ts === undefined ? {} : { threadTs: thread_ts }),
      ...(metadata === undefined ? {} : { metadata: JSON.parse(metadata) as StoredMessage['metadata'] }),
    });
    this.#changes.posted(stored);
    return { ok: true, channel: target.id, ts: stored.ts, message: listed(stored, true) };
  }

  #update(args: Arguments): Answer<ChatUpdateResponse> {
    const { channel = '', ts = '', text = '' } = args;
    const message = this.#workspace.ownMessage(channel, ts, 'cant_update_message');
    if (typeof message === 'string') return failed(message);
    const blocks = readBlocks(args);
    if (typeof blocks === 'string') return failed(blocks);
    if (text === '' && blocks === undefined) return failed('no_text');
    if (text.length > MAX_UPDATE_LENGTH) return failed('msg_too_long');
    const previous = {
      text: message.text,
      ...(message.blocks === undefined ? {} : { blocks: message.blocks }),
    };
    message.text = text;
    // Absent blocks keep the old ones. An empty list removes them.
    if (blocks !== undefined) message.blocks = blocks;
    if (args.blocks === '[]') delete message.blocks;
    message.edited = this.#workspace.tick();
    this.#changes.changed(message, previous);
    return { ok: true, channel, ts, text };
  }

  #permalink({ channel = '', message_ts: ts = '' }: Arguments): OpenAnswer {
    if (this.#workspace.channel(channel) === undefined) return failed('channel_not_found');
    const message = this.#workspace.find(channel, ts);
    if (message === undefined) return failed('message_not_found');
    const { threadTs } = message;
    const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channel}`;
    const permalink = `https://${DOMAIN}.slack.com/archives/${channel}/p${ts.replace('.', '')}${thread}`;
    return { ok: true, channel, permalink };
  }

  /** An ephemeral message is visible to one person and appears in neither the history nor events. */
  #postEphemeral(args: Arguments): OpenAnswer {
    const { channel = '', user = '', text = '' } = args;
    const target = this.#workspace.target(channel);
    if (typeof target === 'string') return failed(target);
    if (this.#workspace.user(user) === undefined) return failed('user_not_in_channel');
    const blocks = readBlocks(args);
    if (typeof blocks === 'string') return failed(blocks);
    if (text === '' && blocks === undefined && attachmentsIn(args) === undefined) return failed('no_text');
    return { ok: true, message_ts: this.#workspace.tick() };
  }

  #delete({ channel = '', ts = '' }: Arguments): Answer<ChatDeleteResponse> {
    const message = this.#workspace.ownMessage(channel, ts, 'cant_delete_message');
    if (typeof message === 'string') return failed(message);
    message.deleted = true;
    this.#changes.deleted(message);
    return { ok: true, channel, ts };
  }
}

/** The blocks of a call, or the error that they cause. */
export function readBlocks({ blocks }: Arguments): readonly JsonObject[] | string | undefined {
  if (blocks === undefined || blocks === '[]') return undefined;
  try {
    const parsed = JSON.parse(blocks) as JsonObject[];
    return blocksProblem(parsed) ?? parsed;
  } catch {
    return 'invalid_blocks_format';
  }
}

/** The attachments of a call. Undefined if the argument is not a non-empty list. */
function attachmentsIn({ attachments = '[]' }: Arguments): readonly JsonObject[] | undefined {
  try {
    const parsed: unknown = JSON.parse(attachments);
    return Array.isArray(parsed) && parsed.length > 0 ? (parsed as JsonObject[]) : undefined;
  } catch {
    return undefined;
  }
}

export function personaIn({ username, icon_url }: Arguments): Pick<StoredMessage, 'persona'> {
  if (username === undefined) return {};
  return { persona: { username, ...(icon_url === undefined ? {} : { icon_url }) } };
}
