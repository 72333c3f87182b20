import type { InlineKeyboardMarkup } from 'grammy/types';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import { badRequest, failure, tooManyRequests } from './answers.js';
import { entityProblem, type FormattedText, trimmed } from './entities.js';
import { SendLimits } from './limits.js';
import type { WriteParameters } from './parameters.js';
import { parsed } from './parse-mode.js';
import { messageOf, STRANGER, type StoredChat, type StoredMessage, type TelegramState } from './state.js';

/** Limits after entity parsing (https://core.telegram.org/bots/api#sendmessage, #sendphoto). */
const MAX_TEXT = 4096;
const MAX_CAPTION = 1024;

type Written = Pick<StoredMessage, 'text' | 'entities'>;
type Placed = Pick<StoredMessage, 'threadId' | 'replyToId' | 'markup'>;

/** Checks that all methods share, in the server's order: chat, thread and reply, text, rate limit. */
export class RequestValidator {
  readonly #limits: SendLimits | undefined;

  constructor(
    private readonly state: TelegramState,
    /** Factor by which the limits exceed the documented ones. Undefined: no limits. */
    limits: number | undefined,
  ) {
    this.#limits = limits === undefined ? undefined : new SendLimits(limits);
  }

  reachable(id: string | number, then: (stored: StoredChat) => SimulatedAnswer): SimulatedAnswer {
    const stored = this.state.find(id);
    if (stored === undefined) return badRequest('chat not found');
    if (stored.chat.id === STRANGER)
      return failure(403, "Forbidden: bot can't initiate conversation with a user");
    if (stored.blocked) return failure(403, 'Forbidden: bot was blocked by the user');
    if (stored.movedTo !== undefined)
      return failure(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: stored.movedTo,
      });
    return then(stored);
  }

  /** Finds the chat, the topic and the message replied to. */
  writable(
    { chat_id, reply_parameters, reply_markup, ...where }: WriteParameters,
    then: (stored: StoredChat, place: Placed) => SimulatedAnswer,
  ): SimulatedAnswer {
    return this.reachable(chat_id, (stored) => {
      const reply = reply_parameters ?? repliedBefore(where);
      const isDirect = stored.chat.is_direct_messages === true;
      const threadId = isDirect ? where.direct_messages_topic_id : where.message_thread_id;
      if (isDirect && threadId === undefined) return badRequest('direct messages topic must be specified');
      if (threadId !== undefined && !stored.topics.has(threadId))
        return badRequest(isDirect ? 'direct messages topic not found' : 'message thread not found');
      const target = reply?.message_id === undefined ? undefined : messageOf(stored, reply.message_id);
      if (reply !== undefined && target === undefined && reply.allow_sending_without_reply !== true)
        return badRequest('message to be replied not found');
      if (!areButtonsValid(reply_markup)) return badRequest('BUTTON_DATA_INVALID');
      return then(stored, {
        ...(threadId === undefined ? {} : { threadId }),
        ...(target === undefined ? {} : { replyToId: target.id }),
        ...(reply_markup?.inline_keyboard === undefined ? {} : { markup: buttonsOf(reply_markup) }),
      });
    });
  }

  texted(
    text: string,
    entities: unknown,
    mode: string | undefined,
    then: (written: Written) => SimulatedAnswer,
  ): SimulatedAnswer {
    const formatted = formattedBy(text, entities, mode);
    if (typeof formatted === 'string') return badRequest(formatted);
    if (formatted.text === '') return badRequest('message text is empty');
    return formatted.text.length > MAX_TEXT ? badRequest('message is too long') : then(formatted);
  }

  /** Like `texted`, but the text may be absent. */
  captioned(
    text: string | undefined,
    entities: unknown,
    mode: string | undefined,
    then: (written: Written) => SimulatedAnswer,
  ): SimulatedAnswer {
    const formatted = formattedBy(text ?? '', entities, mode);
    if (typeof formatted === 'string') return badRequest(formatted);
    return formatted.text.length > MAX_CAPTION ? badRequest('message caption is too long') : then(formatted);
  }

  /** Returns a rate limit response, or undefined if the messages may pass. They then count. */
  strike(stored: StoredChat, messages = 1): SimulatedAnswer | undefined {
    let waitMs = 0;
    for (let count = 0; count < messages; count += 1)
      waitMs = Math.max(waitMs, this.#limits?.strike(stored.chat.id) ?? 0);
    return waitMs > 0 ? tooManyRequests(waitMs) : undefined;
  }
}

function repliedBefore({ reply_to_message_id: id, allow_sending_without_reply }: Partial<WriteParameters>) {
  return id === undefined ? undefined : { message_id: id, allow_sending_without_reply };
}

/** The data of a button have 1 to 64 bytes (https://core.telegram.org/bots/api#inlinekeyboardbutton). */
function areButtonsValid(markup: WriteParameters['reply_markup']): boolean {
  return (markup?.inline_keyboard ?? []).flat().every(({ callback_data: data }) => {
    const bytes = typeof data === 'string' ? Buffer.byteLength(data) : 1;
    return bytes >= 1 && bytes <= 64;
  });
}

/** The inline buttons of a message. */
export const buttonsOf = (markup: WriteParameters['reply_markup']) =>
  markup?.inline_keyboard === undefined
    ? undefined
    : ({ inline_keyboard: markup.inline_keyboard } as unknown as InlineKeyboardMarkup);

/** Parses the text. A parse mode replaces entities. Returns the error description of a refusal. */
function formattedBy(text: string, entities: unknown, mode: string | undefined): FormattedText | string {
  const source = mode === undefined || mode === '' ? { text, entities } : parsed(text, mode);
  if (typeof source === 'string') return source;
  return entityProblem(source.text, source.entities) ?? trimmed(source.text, source.entities);
}
