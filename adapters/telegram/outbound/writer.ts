import type { Api } from 'grammy';
import type {
  AdapterHost,
  Degradation,
  ExecuteContext,
  PartStep,
  Receipt,
} from '../../../src/contract/index.js';
import { isAlreadyGone, isNotModified, isTopicClosed } from '../client/errors.js';
import { clientSignal } from '../client/transport.js';
import type { DirectTopics } from '../directory/direct-topics.js';
import { type OutgoingText, withFormatting } from './formatting-fallback.js';
import {
  albumPayload,
  captionPayload,
  contactPayload,
  filePayload,
  locationPayload,
  payloadOf,
  signalPayload,
  targetOf,
  textPayload,
} from './step-payloads.js';
import { receiptOf, type SendTarget, sendAlbum, sendFile } from './upload.js';

/** Executes steps at the Bot API with one remote write each. Throws the errors of the client. */
export class Writer {
  constructor(
    private readonly api: Api,
    /** The client for calls with files. It has no timeout of its own; only the signal ends a call. */
    private readonly uploads: Api,
    private readonly host: AdapterHost,
    private readonly directTopics: DirectTopics,
  ) {}

  write(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    switch (step.action) {
      case 'create':
        return this.#create(step, context);
      case 'update':
        return step.kind === 'media' ? this.#editCaption(step, context) : this.#edit(step, context);
      case 'remove':
        return this.#remove(step, context);
      case 'signal':
        return this.#signal(step, context);
    }
  }

  #create(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    switch (step.kind) {
      case 'text':
        return this.#send(step, context);
      case 'media':
        return step.others === undefined ? this.#sendFile(step, context) : this.#sendAlbum(step, context);
      case 'location':
        return this.#sendPlace(step, context);
      case 'contact':
        return this.#sendCard(step, context);
    }
  }

  #send(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const { buttons, ...payload } = payloadOf(textPayload, step);
    const below = buttons === undefined ? {} : { reply_markup: { inline_keyboard: [buttons] } };
    return this.#writeAt(context, payload.replyTo, (place) =>
      withFormatting(payload, async ({ text, entities }) => {
        const sent = { ...place, ...below, text, entities };
        return receiptOf(await this.api.raw.sendMessage(sent, clientSignal(context.signal)), place);
      }),
    );
  }

  #sendFile(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const payload = payloadOf(filePayload, step);
    return this.#writeAt(context, payload.replyTo, (place) =>
      sendFile(this.uploads, this.host, payload, place, context.signal),
    );
  }

  #sendAlbum(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const payload = payloadOf(albumPayload, step);
    return this.#writeAt(context, payload.replyTo, (place) =>
      sendAlbum(this.uploads, this.host, payload, place, context.signal),
    );
  }

  #sendPlace(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const { latitude, longitude, venue, replyTo } = payloadOf(locationPayload, step);
    const until = clientSignal(context.signal);
    return this.#writeAt(context, replyTo, async (place) => {
      const point = { ...place, latitude, longitude };
      return receiptOf(
        venue === undefined
          ? await this.api.raw.sendLocation(point, until)
          : await this.api.raw.sendVenue({ ...point, ...venue }, until),
        place,
      );
    });
  }

  #sendCard(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const { phone, name, replyTo } = payloadOf(contactPayload, step);
    return this.#writeAt(context, replyTo, async (place) => {
      const card = { ...place, phone_number: phone, first_name: name };
      return receiptOf(await this.api.raw.sendContact(card, clientSignal(context.signal)), place);
    });
  }

  #edit(step: PartStep, { to, signal }: ExecuteContext): Promise<Receipt> {
    return this.#change(step, payloadOf(textPayload, step), (messageId, { text, entities }) =>
      this.api.raw.editMessageText(
        { chat_id: to.chatId, message_id: messageId, text, entities },
        clientSignal(signal),
      ),
    );
  }

  #editCaption(step: PartStep, { to, signal }: ExecuteContext): Promise<Receipt> {
    return this.#change(step, payloadOf(captionPayload, step), (messageId, { text, entities }) =>
      this.api.raw.editMessageCaption(
        { chat_id: to.chatId, message_id: messageId, caption: text, caption_entities: entities },
        clientSignal(signal),
      ),
    );
  }

  async #change(
    step: PartStep,
    payload: { readonly text: string; readonly entities: readonly unknown[] },
    write: (messageId: number, text: OutgoingText) => Promise<unknown>,
  ): Promise<Receipt> {
    const { targetId, messageId } = targetOf(step);
    return withFormatting(payload, async (text) => {
      try {
        await write(messageId, text);
      } catch (error) {
        if (!isNotModified(error)) throw error;
      }
      return { remoteId: targetId };
    });
  }

  async #remove(step: PartStep, { to, signal }: ExecuteContext): Promise<Receipt> {
    const { targetId, messageId } = targetOf(step);
    try {
      await this.api.raw.deleteMessage({ chat_id: to.chatId, message_id: messageId }, clientSignal(signal));
    } catch (error) {
      if (!isAlreadyGone(error)) throw error;
    }
    return { remoteId: targetId };
  }

  async #signal(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const payload = payloadOf(signalPayload, step);
    const until = clientSignal(context.signal);
    if (payload.action === 'typing')
      return this.#writeIn(context, async (place) => {
        // Telegram shows no actions in the direct messages of a channel.
        if (!this.directTopics.holds(context.to))
          await this.api.raw.sendChatAction({ ...place, action: 'typing' }, until);
        return {};
      });
    const { targetId, messageId } = targetOf(step);
    const { reaction: emoji } = payload;
    const reaction = emoji === null ? [] : [{ type: 'emoji' as const, emoji }];
    await this.api.raw.setMessageReaction(
      { chat_id: context.to.chatId, message_id: messageId, reaction },
      until,
    );
    return { remoteId: targetId };
  }

  /** Writes into the topic, or into the chat if the topic accepts no messages and the link is to the whole chat. */
  async #writeAt(
    context: ExecuteContext,
    replyTo: number | undefined,
    write: (place: SendTarget) => Promise<Receipt>,
  ): Promise<Receipt> {
    const { to } = context;
    const reply =
      replyTo === undefined
        ? {}
        : { reply_parameters: { message_id: replyTo, allow_sending_without_reply: true } };
    try {
      return await this.#writeIn(context, (place) => write({ ...place, ...reply }));
    } catch (error) {
      if (to.mayLeaveThread !== true || !isTopicClosed(error)) throw error;
    }
    // A reply would lead back into the topic.
    const receipt = await write({ chat_id: to.chatId });
    const lost: readonly Degradation[] = replyTo === undefined ? ['thread'] : ['thread', 'reply'];
    return { ...receipt, threadId: null, degradations: [...(receipt.degradations ?? []), ...lost] };
  }

  #writeIn({ to, signal }: ExecuteContext, write: (place: SendTarget) => Promise<Receipt>): Promise<Receipt> {
    return this.directTopics.write(to, signal, () =>
      write({ chat_id: to.chatId, ...this.directTopics.placeOf(to) }),
    );
  }
}
