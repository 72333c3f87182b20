import type { ChatFullInfo, UserFromGetMe } from 'grammy/types';
import type { z } from 'zod';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import { reactionOf } from '../outbound/reactions.js';
import { badRequest, failure, success } from './answers.js';
import { ChatMethods } from './chat-methods.js';
import { MediaMethods } from './media-methods.js';
import { type Answer, type Files, type Method, method } from './method.js';
import * as parameters from './parameters.js';
import { buttonsOf, RequestValidator } from './request-validator.js';
import { fileKinds, messageObject, messageOf, type StoredMessage, type TelegramState } from './state.js';
import type { UpdateFeed } from './update-feed.js';

/** https://core.telegram.org/bots/api#sendchataction */
const actions =
  /^(?:typing|(?:upload|record)_(?:photo|video|voice|document|video_note)|choose_sticker|find_location)$/;

/** The methods of the Bot API that the adapter uses. */
export class BotApi {
  readonly #state: TelegramState;
  readonly #feed: UpdateFeed;
  readonly #validator: RequestValidator;
  readonly #methods: ReadonlyMap<string, Method>;
  #expired = 0;

  constructor(state: TelegramState, feed: UpdateFeed, limits: number | undefined) {
    this.#state = state;
    this.#feed = feed;
    this.#validator = new RequestValidator(state, limits);
    const others = new ChatMethods(state, this.#validator).methods();
    const methods = { ...this.#readers(), ...this.#writers(), ...this.#senders(), ...others };
    this.#methods = new Map(
      Object.entries<Method>(methods).map(([name, method]) => [name.toLowerCase(), method]),
    );
  }

  /** The current path prefix of file links. */
  get links(): string {
    return `files${this.#expired}`;
  }

  expireLinks(): void {
    this.#expired += 1;
  }

  /** Method names are case-insensitive. */
  call(name: string, raw: unknown, files: Files): Answer {
    const method = this.#methods.get(name.toLowerCase());
    return method === undefined ? failure(404, 'Not Found: method not found') : method(raw, files);
  }

  #readers() {
    return {
      getMe: () => success(this.#me()),
      getUpdates: method(parameters.pollParameters, (request) => this.#feed.poll(request)),
      setWebhook: method(parameters.webhookParameters, ({ url = '', ...rest }) =>
        this.#feed.setWebhook({ url, ...rest }),
      ),
      deleteWebhook: method(parameters.webhookParameters, ({ drop_pending_updates }) =>
        this.#feed.setWebhook({ url: '', drop_pending_updates }),
      ),
      getWebhookInfo: () => this.#feed.webhookInfo(),
      getFile: method(parameters.fileIdParameters, ({ file_id: id }) =>
        this.#state.file(id) === undefined
          ? badRequest('invalid file_id')
          : success({ file_id: id, file_unique_id: `u${id}`, file_path: `${this.links}/${id}` }),
      ),
      getChat: method(parameters.chatParameters, ({ chat_id }) => this.#chat(chat_id)),
    };
  }

  #senders() {
    const media = new MediaMethods(this.#state, this.#validator);
    return {
      sendMessage: method(parameters.sendParameters, (sent) =>
        this.#validator.writable(sent, (stored, place) =>
          this.#validator.texted(sent.text ?? '', sent.entities, sent.parse_mode, (text) =>
            this.#write(stored, { ...place, ...text }),
          ),
        ),
      ),
      sendLocation: method(parameters.locationParameters, ({ latitude, longitude, ...where }) =>
        this.#show(where, { location: { latitude, longitude } }),
      ),
      sendVenue: method(parameters.venueParameters, ({ latitude, longitude, title, address, ...where }) => {
        const location = { latitude, longitude };
        return this.#show(where, { location, venue: { location, title, address } });
      }),
      sendContact: method(parameters.contactParameters, ({ phone_number, first_name, ...where }) =>
        this.#show(where, { contact: { phone_number, first_name } }),
      ),
      sendMediaGroup: method(parameters.albumParameters, (sent, files) => media.sendAlbum(sent, files)),
      ...Object.fromEntries(
        fileKinds.map((kind) => [
          `send${kind}`,
          method(parameters.fileParameters, (sent, files) => media.sendFile(kind, sent, files)),
        ]),
      ),
    };
  }

  #writers() {
    return {
      editMessageText: method(parameters.editParameters, (edit) =>
        this.#validator.reachable(edit.chat_id, (stored) =>
          this.#validator.texted(edit.text ?? '', edit.entities, edit.parse_mode, (text) => {
            const message = messageOf(stored, edit.message_id);
            if (message !== undefined && (message.file ?? message.extra) !== undefined)
              return badRequest('there is no text in the message to edit');
            return this.#edit(stored, edit.message_id, { ...text, markup: buttonsOf(edit.reply_markup) });
          }),
        ),
      ),
      editMessageCaption: method(parameters.editCaptionParameters, (edit) =>
        this.#validator.reachable(edit.chat_id, (stored) =>
          this.#validator.captioned(edit.caption, edit.caption_entities, edit.parse_mode, (text) => {
            const message = messageOf(stored, edit.message_id);
            const kind = message?.file?.kind;
            if (message !== undefined && (kind === undefined || kind === 'sticker'))
              return badRequest('there is no caption in the message to edit');
            return this.#edit(stored, edit.message_id, { ...text, markup: buttonsOf(edit.reply_markup) });
          }),
        ),
      ),
      editMessageReplyMarkup: method(parameters.markupParameters, (edit) =>
        this.#validator.reachable(edit.chat_id, (stored) => {
          const { text = '', entities = [] } = messageOf(stored, edit.message_id) ?? {};
          return this.#edit(stored, edit.message_id, {
            text,
            entities,
            markup: buttonsOf(edit.reply_markup),
          });
        }),
      ),
      deleteMessage: method(parameters.messageParameters, (sent) => this.#delete(sent)),
      setMessageReaction: method(parameters.reactionParameters, (sent) => this.#react(sent)),
      answerCallbackQuery: method(parameters.callbackParameters, ({ callback_query_id: id }) =>
        this.#feed.answerCallback(id) ? success(true, true) : badRequest('query is too old or invalid'),
      ),
      sendChatAction: method(parameters.actionParameters, ({ action, ...where }) =>
        this.#validator.writable(
          { ...where, reply_parameters: undefined, reply_markup: undefined },
          ({ chat }) =>
            chat.is_direct_messages !== true && actions.test(action)
              ? success(true, true)
              : badRequest('wrong parameter action in request'),
        ),
      ),
    };
  }

  #write(
    stored: Parameters<TelegramState['write']>[0],
    message: Omit<Parameters<TelegramState['write']>[1], 'from'>,
  ): SimulatedAnswer {
    const wait = this.#validator.strike(stored);
    if (wait !== undefined) return wait;
    const written = this.#state.write(stored, { from: this.#state.bot, ...message });
    return success(messageObject(stored, written), true);
  }

  #show(where: parameters.WriteParameters, extra: NonNullable<StoredMessage['extra']>): SimulatedAnswer {
    return this.#validator.writable(where, (stored, place) =>
      this.#write(stored, { ...place, text: '', extra }),
    );
  }

  #edit(
    stored: Parameters<TelegramState['write']>[0],
    id: number,
    shown: Pick<StoredMessage, 'text' | 'entities' | 'markup'>,
  ): SimulatedAnswer {
    const message = messageOf(stored, id);
    if (message === undefined) return badRequest('message to edit not found');
    if (message.from.id !== this.#state.bot.id) return badRequest("message can't be edited");
    const contentOf = ({ text, entities, markup }: typeof shown) => JSON.stringify([text, entities, markup]);
    if (contentOf(message) === contentOf(shown)) return badRequest(NOT_MODIFIED);
    const wait = this.#validator.strike(stored);
    if (wait !== undefined) return wait;
    Object.assign(message, { ...shown, edited: true });
    return success(messageObject(stored, message), true);
  }

  #delete({ chat_id, message_id }: z.infer<typeof parameters.messageParameters>): SimulatedAnswer {
    return this.#validator.reachable(chat_id, (stored) => {
      const message = messageOf(stored, message_id);
      if (message === undefined) return badRequest('message to delete not found');
      // The bot is not an administrator of groups.
      if (message.from.id !== this.#state.bot.id && stored.chat.type !== 'private')
        return badRequest("message can't be deleted");
      if (Date.now() / 1000 - message.sentAt > DELETABLE_S)
        return badRequest("message can't be deleted for everyone");
      message.deleted = true;
      return success(true, true);
    });
  }

  /** https://core.telegram.org/bots/api#setmessagereaction */
  #react({ chat_id, message_id, reaction }: z.infer<typeof parameters.reactionParameters>): SimulatedAnswer {
    return this.#validator.reachable(chat_id, (stored) => {
      const message = messageOf(stored, message_id);
      if (message === undefined) return badRequest('message to react not found');
      if (reaction.length > 1) return badRequest('REACTIONS_TOO_MANY');
      const [first] = reaction;
      if (first !== undefined && (first.type !== 'emoji' || reactionOf(first.emoji ?? '') !== first.emoji))
        return badRequest('REACTION_INVALID');
      message.reaction = first?.emoji;
      return success(true, true);
    });
  }

  #me(): UserFromGetMe {
    return {
      ...this.#state.bot,
      is_bot: true,
      username: this.#state.bot.username ?? '',
      can_join_groups: true,
      can_read_all_group_messages: true,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
      has_topics_enabled: false,
      allows_users_to_create_topics: false,
      can_manage_bots: false,
      supports_join_request_queries: false,
    };
  }

  #chat(id: string | number): SimulatedAnswer {
    return this.#validator.reachable(id, ({ chat }) => {
      const info = {
        ...chat,
        accent_color_id: 0,
        max_reaction_count: 11,
        accepted_gift_types: {
          unlimited_gifts: false,
          limited_gifts: false,
          unique_gifts: false,
          premium_subscription: false,
          gifts_from_channels: false,
        },
      } as ChatFullInfo;
      return success(info);
    });
  }
}

/** https://core.telegram.org/bots/api#deletemessage */
const DELETABLE_S = 48 * 60 * 60;

const NOT_MODIFIED =
  'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message';
