import { randomBytes } from 'node:crypto';
import type {
  Chat,
  InlineKeyboardMarkup,
  Message,
  MessageEntity,
  MessageOrigin,
  Update,
  User,
} from 'grammy/types';
import type { SimulatedFile } from '../../../src/contract/simulation/index.js';

/** Ids of the initial chats, in the format of each kind. */
const ADA = 700_001;
export const GROUP = -1_001_000_000_001;
export const BASIC_GROUP = -500_001;
export const FORUM = -1_001_000_000_002;
/** The topic of the forum. */
export const FORUM_TOPIC = 2;
/** The direct messages of a channel: one chat with a topic for each person. */
export const CHANNEL_DIRECT = -1_001_000_000_003;
export const DIRECT_TOPICS = [701, 702] as const;
/** Ids of people who can be written to: this one and all that follow. */
export const FIRST_PERSON = 500_000_000;
const PEOPLE = 10_000_000;
/** A person who never pressed Start, so a bot may not write to them. */
export const STRANGER = 600_000_001;

/** The message field that contains its file. */
export const fileKinds = ['photo', 'animation', 'video', 'audio', 'voice', 'sticker', 'document'] as const;
export type FileKind = (typeof fileKinds)[number];

/** A message stored on the server. */
export interface StoredMessage {
  readonly id: number;
  readonly from: User;
  /** Unix seconds. */
  sentAt: number;
  readonly threadId?: number;
  readonly replyToId?: number;
  /** The file of the message, with its kind. */
  readonly file?: SimulatedFile & { readonly id: string; readonly kind: FileKind };
  /** Content that replaces the text. */
  readonly extra?: Partial<Pick<Message, 'location' | 'venue' | 'contact' | 'poll' | 'dice'>>;
  readonly forwardOrigin?: MessageOrigin;
  /** The buttons below it. */
  markup?: InlineKeyboardMarkup | undefined;
  /** Equal for messages of one album. */
  readonly albumId?: string;
  text: string;
  entities: MessageEntity[];
  /** The reaction of the bot. */
  reaction?: string | undefined;
  /** Those of people, by their account. */
  reactionsOfPeople?: Map<number, string>;
  edited: boolean;
  deleted: boolean;
}

/** A chat with its history. Each chat numbers its messages. */
export interface StoredChat {
  readonly chat: Chat;
  readonly messages: StoredMessage[];
  readonly topics: ReadonlySet<number>;
  blocked: boolean;
  movedTo: number | undefined;
}

/** Chats, people and messages of the simulated Telegram. */
export class TelegramState {
  readonly bot: User = {
    id: 7_000_000_001,
    is_bot: true,
    first_name: 'Simulated bot',
    username: 'simulated_trunkline_bot',
  };
  /** The bot's current token. */
  token = this.#newToken();
  readonly #chats = new Map<number, StoredChat>();
  readonly #files = new Map<string, SimulatedFile>();
  readonly #accounts = new Map<string, User>();
  #albums = 0;

  constructor(private readonly firstMessageId = 1) {
    this.#add({ id: ADA, type: 'private', first_name: 'Ada', last_name: 'Lovelace' });
    this.#add({ id: GROUP, type: 'supergroup', title: 'Operations room' });
    this.#add({ id: BASIC_GROUP, type: 'group', title: 'Small group' });
    this.#add({ id: FORUM, type: 'supergroup', title: 'Forum', is_forum: true }, [FORUM_TOPIC]);
    this.#add(
      { id: CHANNEL_DIRECT, type: 'supergroup', title: 'Channel', is_direct_messages: true },
      DIRECT_TOPICS,
    );
  }

  /** The chats that exist from the start. */
  listed(): readonly Chat[] {
    return [...this.#chats.values()].slice(0, 4).map(({ chat }) => chat);
  }

  find(id: string | number): StoredChat | undefined {
    const number = Number(id);
    const known = this.#chats.get(number);
    if (known !== undefined) return known;
    if (number === STRANGER) return this.#add({ id: number, type: 'private', first_name: 'Stranger' });
    const index = number - FIRST_PERSON;
    if (!Number.isInteger(index) || index < 0 || index >= PEOPLE) return undefined;
    return this.#add({ id: number, type: 'private', first_name: `Person ${index}` });
  }

  get(id: string | number): StoredChat {
    const chat = this.find(id);
    if (chat === undefined) throw new Error(`There is no simulated chat ${id}.`);
    return chat;
  }

  /** Finds the account of a name. A private chat has only one person. */
  account(chat: Chat, name: string, bot = false): User {
    if (chat.type === 'private') return { id: chat.id, is_bot: false, first_name: name, language_code: 'en' };
    const known = this.#accounts.get(name);
    if (known !== undefined) return known;
    const user: User = { id: 800_001 + this.#accounts.size, is_bot: bot, first_name: name };
    this.#accounts.set(name, user);
    return user;
  }

  write(stored: StoredChat, message: Pick<StoredMessage, 'from' | 'text'> & Partial<StoredMessage>) {
    const written: StoredMessage = {
      entities: [],
      ...message,
      id: this.firstMessageId + stored.messages.length + stored.topics.size * FORUM_TOPIC,
      sentAt: Math.floor(Date.now() / 1000),
      edited: false,
      deleted: false,
    };
    stored.messages.push(written);
    return written;
  }

  /** Finds a file by the bot's file id. */
  file(id: string): SimulatedFile | undefined {
    return this.#files.get(id);
  }

  /** A new album id. */
  newAlbum(): string {
    this.#albums += 1;
    return `album-${this.#albums}`;
  }

  /** Gives a file its id. */
  keep(file: SimulatedFile, kind: FileKind): NonNullable<StoredMessage['file']> {
    const id = `file-${this.#files.size + 1}`;
    this.#files.set(id, file);
    return { ...file, id, kind };
  }

  /** Replaces the token. */
  revokeToken(): void {
    this.token = this.#newToken();
  }

  /** Generated at each start, so that no token is ever stored in source. */
  #newToken(): string {
    return `${this.bot.id}:${randomBytes(27).toString('base64url').slice(0, 35)}`;
  }

  /** Migrates a group to an empty supergroup with a new id. */
  migrate(stored: StoredChat): StoredChat {
    const id = -1_002_000_000_000 + stored.chat.id;
    stored.movedTo = id;
    return this.#add({ id, type: 'supergroup', title: stored.chat.title ?? '' });
  }

  #add(chat: Chat, topics: readonly number[] = []): StoredChat {
    const stored: StoredChat = {
      chat,
      messages: [],
      topics: new Set(topics),
      blocked: false,
      movedTo: undefined,
    };
    this.#chats.set(chat.id, stored);
    return stored;
  }
}

/** Ids are consecutive, so the index of a message follows from the first id. */
export function messageOf({ messages }: StoredChat, id: number): StoredMessage | undefined {
  const message = messages[id - (messages[0]?.id ?? 1)];
  return message === undefined || message.deleted ? undefined : message;
}

/** The Message object of the Bot API for a stored message. */
export function messageObject(stored: StoredChat, message: StoredMessage): Message {
  const { id, from, sentAt, threadId, replyToId, edited, forwardOrigin, markup } = message;
  const target = replyToId === undefined ? undefined : messageOf(stored, replyToId);
  return {
    message_id: id,
    from,
    chat: stored.chat,
    date: sentAt,
    ...contentOf(message),
    ...(forwardOrigin === undefined ? {} : { forward_origin: forwardOrigin }),
    ...(markup === undefined ? {} : { reply_markup: markup }),
    ...(edited ? { edit_date: Math.floor(Date.now() / 1000) } : {}),
    ...(threadId === undefined ? {} : topicIn(stored, threadId)),
    ...(target === undefined
      ? {}
      : { reply_to_message: { ...messageObject(stored, target), reply_to_message: undefined } }),
  };
}

function topicIn({ chat }: StoredChat, threadId: number): Partial<Message> {
  if (chat.is_direct_messages !== true) return { message_thread_id: threadId, is_topic_message: true };
  const user: User = { id: FIRST_PERSON + threadId, is_bot: false, first_name: `Person ${threadId}` };
  return { direct_messages_topic: { topic_id: threadId, user } };
}

/** With a file the text is its caption. */
function contentOf({ file, extra, albumId, text, entities }: StoredMessage): Partial<Message> {
  if (extra !== undefined) return extra;
  if (file === undefined) return { text, ...(entities.length === 0 ? {} : { entities }) };
  const common = { file_id: file.id, file_unique_id: `u${file.id}`, file_size: file.bytes.length };
  const named = { ...common, file_name: file.name, mime_type: file.mimeType };
  const shown = file.kind === 'photo' ? [{ ...common, width: 90, height: 90 }] : named;
  const caption = text === '' ? {} : { caption: text, caption_entities: entities };
  const album = albumId === undefined ? {} : { media_group_id: albumId };
  return { [file.kind]: shown, ...caption, ...album } as Partial<Message>;
}

/** An update without its id. */
export type PendingUpdate = Omit<Update, 'update_id'>;

/** The update about a new or edited message. */
export function messageUpdate(stored: StoredChat, message: StoredMessage): PendingUpdate {
  const { chat } = stored;
  if (chat.type === 'channel') throw new Error('The simulator has no channels.');
  const body = { ...messageObject(stored, message), chat, from: message.from };
  return message.edited
    ? { edited_message: { ...body, edit_date: body.edit_date ?? body.date } }
    : { message: body };
}
