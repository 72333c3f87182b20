import type { Message, MessageOrigin } from 'grammy/types';
import { z } from 'zod';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import { badRequest, success } from './answers.js';
import { type Method, method } from './method.js';
import * as parameters from './parameters.js';
import type { RequestValidator } from './request-validator.js';
import {
  messageObject,
  messageOf,
  type StoredChat,
  type StoredMessage,
  type TelegramState,
} from './state.js';

type Shown = Pick<StoredMessage, 'text' | 'entities' | 'file' | 'extra'>;

/** Number of faces of each dice (https://core.telegram.org/bots/api#senddice). */
const dice: Readonly<Record<string, number>> = { '🎲': 6, '🎯': 6, '🎳': 6, '🏀': 5, '⚽': 5, '🎰': 64 };

const option = z.union([z.string(), z.looseObject({ text: z.string() })]);
const pollParameters = parameters.writeParameters.extend({
  question: z.string().min(1).max(300),
  options: z.preprocess(parameters.parsedText, z.array(option).min(1).max(12)),
  is_anonymous: z.unknown().optional(),
  type: z.enum(['regular', 'quiz']).optional(),
  allows_multiple_answers: z.unknown().optional(),
});
const passParameters = parameters.writeParameters.extend({
  from_chat_id: parameters.chatId,
  message_id: parameters.integer,
  caption: z.string().optional(),
  parse_mode: z.string().optional(),
  caption_entities: z.preprocess(parameters.parsedText, z.unknown()),
});
const command = z.object({
  command: z.string().regex(/^\/?[a-z0-9_]{1,32}$/),
  description: z.string().min(1).max(256),
});
const ofCommands = z.object({
  scope: z.preprocess(
    parameters.parsedText,
    z.looseObject({ type: z.string() }).default({ type: 'default' }),
  ),
  language_code: z.string().default(''),
});
const commandsParameters = ofCommands.extend({
  commands: z.preprocess(parameters.parsedText, z.array(command).max(100)),
});
const memberParameters = z.object({ chat_id: parameters.chatId, user_id: parameters.integer });
const unpinParameters = z.object({ chat_id: parameters.chatId, message_id: parameters.integer.optional() });

/** Methods of chats other than writing and editing: pins, members, commands, polls, dice and forwards. */
export class ChatMethods {
  /** By scope and language. */
  readonly #commands = new Map<string, readonly z.infer<typeof command>[]>();
  readonly #pinned = new Map<number, number[]>();
  #polls = 0;

  constructor(
    private readonly state: TelegramState,
    private readonly validator: RequestValidator,
  ) {}

  methods(): Readonly<Record<string, Method>> {
    return {
      sendPoll: method(pollParameters, (sent) => this.#poll(sent)),
      sendDice: method(parameters.writeParameters.extend({ emoji: z.string().optional() }), (sent) =>
        this.#dice(sent),
      ),
      forwardMessage: method(passParameters, (sent) => this.#forward(sent)),
      copyMessage: method(passParameters, (sent) => this.#copy(sent)),
      pinChatMessage: method(parameters.messageParameters, (sent) => this.#pin(sent)),
      unpinChatMessage: method(unpinParameters, (sent) => this.#unpin(sent)),
      unpinAllChatMessages: method(parameters.chatParameters, ({ chat_id }) =>
        this.validator.reachable(chat_id, ({ chat }) => {
          this.#pinned.delete(chat.id);
          return success(true, true);
        }),
      ),
      setMyCommands: method(commandsParameters, ({ commands, ...where }) => {
        const bare = commands.map((one) => ({ ...one, command: one.command.replace('/', '') }));
        this.#commands.set(placeOf(where), bare);
        return success(true, true);
      }),
      getMyCommands: method(ofCommands, (where) => success([...(this.#commands.get(placeOf(where)) ?? [])])),
      deleteMyCommands: method(ofCommands, (where) => {
        this.#commands.delete(placeOf(where));
        return success(true, true);
      }),
      getChatMember: method(memberParameters, (asked) => this.#member(asked)),
    };
  }

  #write(stored: StoredChat, message: Partial<StoredMessage> & Shown): SimulatedAnswer {
    const wait = this.validator.strike(stored);
    if (wait !== undefined) return wait;
    const written = this.state.write(stored, { ...message, from: this.state.bot });
    return success(messageObject(stored, written), true);
  }

  #poll(sent: z.infer<typeof pollParameters>) {
    const {
      question,
      options,
      type = 'regular',
      is_anonymous,
      allows_multiple_answers: many,
      ...where
    } = sent;
    return this.validator.writable(where, (stored, place) => {
      if (stored.chat.is_direct_messages === true) return badRequest("polls can't be sent to this chat");
      this.#polls += 1;
      const texts = options.map((one) => (typeof one === 'string' ? one : one.text));
      const poll = {
        id: String(this.#polls),
        question,
        options: texts.map((text, index) => ({ persistent_id: String(index), text, voter_count: 0 })),
        total_voter_count: 0,
        is_closed: false,
        is_anonymous: is_anonymous !== false && is_anonymous !== 'false',
        type,
        allows_multiple_answers: many === true || many === 'true',
      };
      return this.#write(stored, {
        ...place,
        text: '',
        entities: [],
        extra: { poll: poll as unknown as Message['poll'] & object },
      });
    });
  }

  #dice({ emoji = '🎲', ...where }: parameters.WriteParameters & { readonly emoji?: string | undefined }) {
    const faces = dice[emoji];
    if (faces === undefined) return badRequest('unsupported dice emoji');
    return this.validator.writable(where, (stored, place) => {
      const value = 1 + (stored.messages.length % faces);
      return this.#write(stored, { ...place, text: '', entities: [], extra: { dice: { emoji, value } } });
    });
  }

  #source(from: string | number, id: number): { stored: StoredChat; message: StoredMessage } | undefined {
    const stored = this.state.find(from);
    const message = stored === undefined ? undefined : messageOf(stored, id);
    return stored === undefined || message === undefined ? undefined : { stored, message };
  }

  #forward({ from_chat_id, message_id, ...where }: z.infer<typeof passParameters>) {
    const source = this.#source(from_chat_id, message_id);
    if (source === undefined) return badRequest('message to forward not found');
    const { from, sentAt } = source.message;
    const forwardOrigin: MessageOrigin = { type: 'user', sender_user: from, date: sentAt };
    return this.validator.writable(where, (stored, place) =>
      this.#write(stored, { ...shownOf(source.message), ...place, forwardOrigin }),
    );
  }

  #copy(sent: z.infer<typeof passParameters>) {
    const source = this.#source(sent.from_chat_id, sent.message_id);
    if (source === undefined) return badRequest('message to copy not found');
    const shown = shownOf(source.message);
    const copied = (stored: StoredChat, message: Partial<StoredMessage> & Shown) => {
      const answer = this.#write(stored, message);
      if (answer.status !== 200) return answer;
      return success({ message_id: stored.messages.at(-1)?.id ?? 0 }, true);
    };
    return this.validator.writable(sent, (stored, place) =>
      sent.caption === undefined || shown.file === undefined
        ? copied(stored, { ...shown, ...place })
        : this.validator.captioned(sent.caption, sent.caption_entities, sent.parse_mode, (caption) =>
            copied(stored, { ...shown, ...place, ...caption }),
          ),
    );
  }

  #pin({ chat_id, message_id }: z.infer<typeof parameters.messageParameters>) {
    return this.validator.reachable(chat_id, (stored) => {
      if (messageOf(stored, message_id) === undefined) return badRequest('message to pin not found');
      const others = (this.#pinned.get(stored.chat.id) ?? []).filter((id) => id !== message_id);
      this.#pinned.set(stored.chat.id, [...others, message_id]);
      return success(true, true);
    });
  }

  /** Without an id: the message that was pinned last. */
  #unpin({ chat_id, message_id }: z.infer<typeof unpinParameters>) {
    return this.validator.reachable(chat_id, (stored) => {
      const pinned = this.#pinned.get(stored.chat.id) ?? [];
      const gone = message_id ?? pinned.at(-1);
      if (gone === undefined || !pinned.includes(gone)) return badRequest('message to unpin not found');
      this.#pinned.set(
        stored.chat.id,
        pinned.filter((id) => id !== gone),
      );
      return success(true, true);
    });
  }

  #member({ chat_id, user_id }: z.infer<typeof memberParameters>) {
    return this.validator.reachable(chat_id, (stored) => {
      const known = [this.state.bot, ...stored.messages.map(({ from }) => from)];
      const user = known.find(({ id }) => id === user_id);
      if (user !== undefined) return success({ status: 'member', user });
      if (stored.chat.id !== user_id) return badRequest('member not found');
      return success({
        status: 'member',
        user: this.state.account(stored.chat, stored.chat.first_name ?? ''),
      });
    });
  }
}

/** The scope of a list of commands (https://core.telegram.org/bots/api#determining-list-of-commands). */
function placeOf({ scope, language_code }: z.infer<typeof ofCommands>): string {
  const { type, chat_id, user_id } = scope as { type: string; chat_id?: unknown; user_id?: unknown };
  return [type, chat_id, user_id, language_code].map((part) => String(part ?? '')).join(' ');
}

const shownOf = ({ text, entities, file, extra }: StoredMessage): Shown => ({
  text,
  entities,
  ...(file === undefined ? {} : { file }),
  ...(extra === undefined ? {} : { extra }),
});
