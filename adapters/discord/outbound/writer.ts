import type { APIMessage } from 'discord-api-types/v10';
import {
  type AdapterHost,
  type ExecuteContext,
  type JsonObject,
  type PartStep,
  type RateReading,
  type Receipt,
  type RemoteMessageId,
  remoteMessageId,
} from '../../../src/contract/index.js';
import { bodyOf } from '../client/files.js';
import { readingOf } from '../client/rates.js';
import type { DiscordRest } from '../client/transport.js';
import type { Directory } from '../directory/directory.js';
import { LruMap } from '../directory/lru.js';
import { ForumPosts, titleOf } from './forum-posts.js';
import { nonceOf } from './nonce.js';
import { replyEmbed } from './persona.js';
import { problemCodes as code, isGone, Signals } from './signals.js';
import { messageOf, targetIdOf } from './targets.js';
import {
  hasLostReply,
  isClosed,
  outsideThread,
  type SendTarget,
  sendTargetFor,
  threadOfMade,
  withLosses,
} from './threads.js';
import { Webhooks, type WebhookTarget } from './webhooks.js';

/** Executes steps with one visible write each. */
export class Writer {
  readonly webhooks: Webhooks;
  readonly #rest: DiscordRest;
  readonly #host: AdapterHost;
  readonly #directory: Directory;
  readonly #selfId: () => Promise<string>;
  readonly #signals: Signals;
  readonly #posts: ForumPosts;
  /** Ids of the webhooks that wrote the latest messages. Older messages are looked up. */
  readonly #writtenBy = new LruMap<string>(10_000);
  readonly #forums = new LruMap<true>(1_000);

  constructor(rest: DiscordRest, host: AdapterHost, directory: Directory, selfId: () => Promise<string>) {
    this.#rest = rest;
    this.#host = host;
    this.#directory = directory;
    this.#selfId = selfId;
    this.webhooks = new Webhooks(rest, directory, selfId);
    this.#signals = new Signals(rest, directory);
    this.#posts = new ForumPosts(rest, directory, host);
  }

  async execute(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const chatId = context.to.threadId ?? context.to.chatId;
    switch (step.action) {
      case 'create':
        return this.#create(step, context);
      case 'update':
        await this.#onMessage(chatId, targetIdOf(step), context.signal, (channel) =>
          this.#update(channel, step, context.signal),
        );
        return { remoteId: targetIdOf(step) };
      case 'remove':
        await this.#onMessage(chatId, targetIdOf(step), context.signal, (channel) =>
          this.#remove(channel, targetIdOf(step), context.signal),
        );
        return { remoteId: targetIdOf(step) };
      case 'signal':
        await this.#signals.show(chatId, step, context.signal);
        return step.targetId === undefined ? {} : { remoteId: step.targetId };
    }
  }

  /** Writes into the thread, or into the chat if the thread accepts no messages. */
  async #create(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const { to, signal } = context;
    const target = await sendTargetFor(step.payload, to, this.#directory, signal);
    const mayLeave = to.mayLeaveThread === true || step.payload.thread_of !== undefined;
    try {
      return await this.#createAt(target, step, context);
    } catch (error) {
      if (target.channel === to.chatId || !mayLeave || !isClosed(error)) throw error;
    }
    return this.#createAt(outsideThread(target, to.chatId), step, context);
  }

  async #createAt(target: SendTarget, step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const { channel, degradations: lost } = target;
    const { persona, attributed, ...message } = target.message;
    if (persona === undefined)
      return withLosses(await this.#writeAsBot(channel, message, step, context), lost);
    const shown = await this.#writeAsPersona(channel, message, persona as JsonObject, step, context);
    if (shown !== undefined) return withLosses(shown, lost);
    const { message_reference: reply, ...alone } = message;
    const isElsewhere = reply !== undefined && (reply as JsonObject).channel_id !== undefined;
    const own = isElsewhere ? alone : message;
    const named = typeof attributed === 'string' ? { ...own, content: attributed } : own;
    return withLosses(await this.#writeAsBot(channel, named, step, context), ['persona_override', ...lost]);
  }

  /** Writes as the bot. For a repeated nonce of the last minutes Discord returns the first message. */
  async #writeAsBot(
    chatId: string,
    message: JsonObject,
    step: PartStep,
    context: ExecuteContext,
  ): Promise<Receipt> {
    if (this.#forums.get(chatId)) return this.#post(chatId, message, step, context);
    try {
      return await this.#createIn(chatId, message, context);
    } catch (error) {
      if (isGone(error, code.noHistory) && message.message_reference !== undefined) {
        const { message_reference: _, ...alone } = message;
        return withLosses(await this.#createIn(chatId, alone, context), ['reply']);
      }
      if (!isGone(error, code.noTextChannel) || !(await this.#posts.isForum(chatId, context.signal)))
        throw error;
      this.#forums.set(chatId, true);
      return this.#post(chatId, message, step, context);
    }
  }

  async #createIn(
    channel: string,
    message: JsonObject,
    { key, signal, to }: ExecuteContext,
  ): Promise<Receipt> {
    let rates: readonly RateReading[] = [];
    const onHeaders = (headers: Headers) => {
      if (channel === (to.threadId ?? to.chatId)) rates = readingOf(headers, 'create', to);
    };
    const body = await bodyOf({ ...message, nonce: nonceOf(key), enforce_nonce: true }, this.#host);
    const route = `/channels/${channel}/messages` as const;
    const call = { method: 'POST', route, body, signal, write: true, onHeaders } as const;
    const made = await this.#rest.record<APIMessage>(call);
    const receipt = { remoteId: remoteMessageId(made.id), rates, ...threadOfMade(made, to) };
    return withLosses(receipt, hasLostReply(message, made) ? ['reply'] : []);
  }

  async #post(forum: string, message: JsonObject, step: PartStep, context: ExecuteContext): Promise<Receipt> {
    const { signal, to } = context;
    if (step.index > 0) {
      const post = await this.#posts.holding(forum, undefined, [await this.#selfId()], signal);
      return this.#createIn(post, message, context);
    }
    const { message_reference: _, ...opening } = message;
    // The thread of a post has the id of its first message.
    const id = await this.#posts.open(forum, opening, signal);
    return { remoteId: remoteMessageId(id), ...threadOfMade({ channel_id: id }, to) };
  }

  /** Writes through the channel's webhook under the person's name. Undefined without a webhook. */
  async #writeAsPersona(
    chatId: string,
    message: JsonObject,
    persona: JsonObject,
    step: PartStep,
    context: ExecuteContext,
  ): Promise<Receipt | undefined> {
    const webhook = await this.webhooks.findWebhook(chatId);
    if (webhook === undefined) return undefined;
    try {
      return await this.#postByWebhook(webhook, chatId, message, persona, step, context);
    } catch (error) {
      if (!isGone(error, code.unknownWebhook, code.invalidWebhook)) throw error;
    }
    // The webhook was deleted. Nothing was written, and a new webhook is created.
    await this.webhooks.forget(chatId);
    const other = await this.webhooks.findWebhook(chatId);
    return other && this.#postByWebhook(other, chatId, message, persona, step, context);
  }

  async #postByWebhook(
    { webhook, threadId }: WebhookTarget,
    chatId: string,
    { message_reference: reply, ...message }: JsonObject,
    { name, avatar }: JsonObject,
    step: PartStep,
    { signal, to }: ExecuteContext,
  ): Promise<Receipt> {
    const { kind, guildId } = await this.#directory.find(chatId, signal);
    const owners = [webhook.id, await this.#selfId()];
    const later = kind === 'forum' && step.index > 0;
    const thread = later ? await this.#posts.holding(chatId, undefined, owners, signal) : threadId;
    const title = kind === 'forum' && !later ? { thread_name: titleOf(String(message.content ?? '')) } : {};
    const quoted = reply === undefined ? {} : { embeds: [replyEmbed(reply as JsonObject, chatId, guildId)] };
    const as = { username: name ?? null, ...(avatar === undefined ? {} : { avatar_url: avatar }) };
    const made = await this.#rest.record<APIMessage>({
      method: 'POST',
      route: `/webhooks/${webhook.id}/${webhook.token}`,
      query: { wait: 'true', ...(thread === undefined ? {} : { thread_id: thread }) },
      body: await bodyOf({ ...message, ...as, ...title, ...quoted }, this.#host),
      signal,
      auth: false,
      write: true,
    });
    this.#writtenBy.set(made.id, webhook.id);
    const degradations = reply === undefined ? {} : { degradations: ['reply'] as const };
    return { remoteId: remoteMessageId(made.id), ...threadOfMade(made, to), ...degradations };
  }

  /** The messages of a forum are in its posts. */
  async #onMessage(
    chatId: string,
    messageId: string,
    signal: AbortSignal,
    act: (channel: string) => Promise<void>,
  ): Promise<void> {
    try {
      if (!this.#forums.get(chatId)) return await act(chatId);
    } catch (error) {
      const misplaced = isGone(error, code.unknownMessage, code.unknownChannel, code.noTextChannel);
      if (!misplaced || !(await this.#posts.isForum(chatId, signal))) throw error;
      this.#forums.set(chatId, true);
    }
    const owners = [await this.#selfId(), ...(await this.webhooks.idsIn(chatId))];
    await act(await this.#posts.holding(chatId, messageId, owners, signal));
  }

  async #update(channel: string, { payload, ...step }: PartStep, signal: AbortSignal): Promise<void> {
    const id = targetIdOf(step);
    const { attributed, ...body } = payload;
    const known = await this.#webhookOf(channel, this.#writtenBy.get(id));
    if (known !== undefined) return this.#patch(known, id, body, signal);
    const route = `/channels/${channel}/messages/${id}` as const;
    const own = typeof attributed === 'string' ? { ...body, content: attributed } : body;
    try {
      await this.#rest.call({ method: 'PATCH', route, body: own, signal, write: true });
    } catch (error) {
      const webhook = isGone(error, code.foreignMessage)
        ? await this.#writerOf(channel, id, signal)
        : undefined;
      if (webhook === undefined) throw error;
      await this.#patch(webhook, id, body, signal);
    }
  }

  async #patch(webhook: WebhookTarget, id: string, body: JsonObject, signal: AbortSignal): Promise<void> {
    await this.#rest.call({
      method: 'PATCH',
      ...messageOf(webhook, id),
      body,
      signal,
      auth: false,
      write: true,
    });
  }

  /** Removing a message that is already deleted succeeds. */
  async #remove(channel: string, id: RemoteMessageId, signal: AbortSignal): Promise<void> {
    try {
      const known = await this.#webhookOf(channel, this.#writtenBy.get(id));
      if (known !== undefined) return await this.#erase(known, id, signal);
      const route = `/channels/${channel}/messages/${id}` as const;
      await this.#rest.call({ method: 'DELETE', route, signal, write: true });
    } catch (error) {
      if (isGone(error, code.unknownMessage)) return this.#assertNoForum(channel, error, signal);
      const refused = isGone(error, code.missingPermission, code.foreignMessage);
      const webhook = refused ? await this.#writerOf(channel, id, signal) : undefined;
      if (webhook === undefined) throw error;
      await this.#erase(webhook, id, signal);
    }
  }

  /** In a forum a missing message is searched for in its post before it counts as deleted. */
  async #assertNoForum(channel: string, error: unknown, signal: AbortSignal): Promise<void> {
    const known = this.#directory.known(channel);
    if (known?.kind === 'forum' || (known === undefined && (await this.#posts.isForum(channel, signal))))
      throw error;
  }

  async #erase(webhook: WebhookTarget, id: string, signal: AbortSignal): Promise<void> {
    await this.#rest.call({
      method: 'DELETE',
      ...messageOf(webhook, id),
      signal,
      auth: false,
      write: true,
    });
  }

  async #webhookOf(channel: string, webhookId: string | undefined): Promise<WebhookTarget | undefined> {
    if (webhookId === undefined) return undefined;
    const usual = await this.webhooks.findWebhook(channel);
    return usual?.webhook.id === webhookId ? usual : this.webhooks.findWebhookById(webhookId, channel);
  }

  /** The webhook that wrote a message, if it belongs to the bot. */
  async #writerOf(channel: string, id: string, signal: AbortSignal): Promise<WebhookTarget | undefined> {
    const route = `/channels/${channel}/messages/${id}` as const;
    const message = await this.#rest.call<APIMessage>({ method: 'GET', route, signal, write: false });
    if (message.webhook_id === undefined) return undefined;
    this.#writtenBy.set(id, message.webhook_id);
    return this.#webhookOf(channel, message.webhook_id);
  }
}
