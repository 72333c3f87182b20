import type {
  APIWebhook,
  RESTPostAPIChannelWebhookJSONBody,
  RESTPostAPIWebhookWithTokenJSONBody,
} from 'discord-api-types/v10';
import type { SimulatedAnswer } from '../../../src/contract/simulation/index.js';
import {
  allowedIn,
  changed,
  failure,
  given,
  type Handler,
  inChannel,
  invalid,
  invalidFiles,
  invalidForm,
  nothing,
  ok,
  type Request,
  record,
  unmarked,
} from './answers.js';
import type { Extras } from './extras.js';
import { editWith } from './messages.js';
import type { Channel } from './shapes.js';
import type { DiscordState } from './state.js';

/** https://docs.discord.com/developers/resources/webhook#create-webhook */
const MAX_PER_CHANNEL = 10;
const MAX_NAME_LENGTH = 80;
const INCOMING = 1 as number as APIWebhook['type'];

interface Kept {
  readonly api: APIWebhook & { readonly token: string };
  readonly channel: Channel;
}

/** Webhooks of channels. They accept any name and no nonce, cannot reply, and change only their own messages. */
export class SimulatedWebhooks {
  readonly #state: DiscordState;
  readonly #webhooks = new Map<string, Kept>();

  constructor(state: DiscordState) {
    this.#state = state;
  }

  readonly handlers: Readonly<Record<string, Handler>> = {
    'GET /channels/:id/webhooks': inChannel((channel) => this.#refusal(channel) ?? ok(this.in(channel))),
    'POST /channels/:id/webhooks': inChannel((channel, { body }) => this.#make(channel, body)),
    'POST /webhooks/:id/:token': (request) => this.#by(request, (kept) => this.#post(kept, request)),
    'GET /webhooks/:id/:token/messages/:id': (request) =>
      this.#onOwn(request, (_channel, stored) => ok(unmarked(this.#state.relinked(stored.message)))),
    'GET /webhooks/:id/:token': (request) => this.#by(request, ({ api }) => ok(api)),
    'GET /webhooks/:id': (request) => this.#ofBot(request, ({ api }) => ok(api)),
    'PATCH /webhooks/:id': (request) => this.#ofBot(request, (kept) => this.#rename(kept, request.body)),
    'PATCH /webhooks/:id/:token': (request) => this.#by(request, (kept) => this.#rename(kept, request.body)),
    'DELETE /webhooks/:id': (request) => this.#ofBot(request, (kept) => this.#delete(kept)),
    'DELETE /webhooks/:id/:token': (request) => this.#by(request, (kept) => this.#delete(kept)),
    'PATCH /webhooks/:id/:token/messages/:id': (request) =>
      this.#onOwn(request, (channel, stored) => {
        return editWith(this.#state, channel, stored, request);
      }),
    'DELETE /webhooks/:id/:token/messages/:id': (request) =>
      this.#onOwn(request, (channel, stored) => {
        this.#state.remove(channel, stored);
        return { ...nothing, committed: true };
      }),
  };

  in(channel: Channel): APIWebhook[] {
    return [...this.#webhooks.values()].filter((each) => each.channel === channel).map(({ api }) => api);
  }

  /** A person creates a webhook in the channel settings. The bot does not see its token. */
  add(channel: Channel, name: string): void {
    const id = this.#state.nextId();
    const { token: _, ...api } = this.#api(id, channel, name);
    const foreign = { ...api, application_id: null, user: this.#state.person('Ada') };
    this.#webhooks.set(id, { api: foreign as Kept['api'], channel });
  }

  /** A person deletes all webhooks of the channel. */
  clear(channel: Channel): void {
    for (const { id } of this.in(channel)) this.#webhooks.delete(id);
  }

  #refusal(channel: Channel): SimulatedAnswer | undefined {
    if (channel.kind === 'direct' || channel.kind === 'thread')
      return failure(403, 50024, 'Cannot execute action');
    return this.#state.withoutWebhooks.has(channel.id)
      ? failure(403, 50013, 'Missing Permissions')
      : undefined;
  }

  #make(channel: Channel, body: unknown): SimulatedAnswer {
    const { name = '' } = record<RESTPostAPIChannelWebhookJSONBody>(body);
    const bad = this.#refusal(channel) ?? invalidName(name, 'name');
    if (bad !== undefined) return bad;
    if (this.in(channel).length >= MAX_PER_CHANNEL)
      return failure(400, 30007, 'Maximum number of webhooks reached (10)');
    const id = this.#state.nextId();
    const api = this.#api(id, channel, name);
    this.#webhooks.set(id, { api, channel });
    return changed(api);
  }

  #api(id: string, channel: Channel, name: string): Kept['api'] {
    const state = this.#state;
    return {
      id,
      type: INCOMING,
      guild_id: state.guildId,
      channel_id: channel.id,
      user: state.self,
      name,
      avatar: null,
      token: `simulated-webhook-token-${id}`,
      application_id: state.application.id,
    };
  }

  #by({ ids, token }: Request, act: (kept: Kept) => SimulatedAnswer): SimulatedAnswer {
    const kept = this.#webhooks.get(ids[0] ?? '');
    if (kept === undefined) return failure(404, 10015, 'Unknown Webhook');
    return kept.api.token === token ? act(kept) : failure(401, 50027, 'Invalid Webhook Token');
  }

  /** Handles a request that uses the bot's token instead of the webhook's token. */
  #ofBot({ ids }: Request, act: (kept: Kept) => SimulatedAnswer): SimulatedAnswer {
    const kept = this.#webhooks.get(ids[0] ?? '');
    return kept === undefined ? failure(404, 10015, 'Unknown Webhook') : act(kept);
  }

  #rename({ api, channel }: Kept, body: unknown): SimulatedAnswer {
    const name = given<RESTPostAPIChannelWebhookJSONBody>(body).name ?? api.name ?? '';
    const bad = invalidName(name, 'name');
    if (bad !== undefined) return bad;
    this.#webhooks.set(api.id, { api: { ...api, name }, channel });
    return changed({ ...api, name });
  }

  #delete({ api }: Kept): SimulatedAnswer {
    this.#webhooks.delete(api.id);
    return { ...nothing, committed: true };
  }

  #post({ api, channel }: Kept, { body, files, query }: Request): SimulatedAnswer {
    const sent = given<RESTPostAPIWebhookWithTokenJSONBody>(body);
    const { content = '', username, thread_name, embeds, components, poll, flags } = sent;
    const extras: Extras = { embeds, components, poll, flags };
    const allowed = allowedIn(sent.allowed_mentions);
    const name = username ?? api.name ?? '';
    const bad =
      invalid(content, files.length, extras) ?? invalidFiles(files) ?? invalidName(name, 'username');
    if (bad !== undefined) return bad;
    const place = this.#placeOf(channel, query, thread_name, api.id);
    if (place === undefined) return failure(404, 10003, 'Unknown Channel');
    if (place.kind === 'forum')
      return failure(400, 220001, 'Webhooks posted to forum channels must have a thread_name or thread_id');
    const author = {
      id: api.id,
      username: name,
      discriminator: '0000',
      global_name: null,
      avatar: null,
      bot: true,
    };
    const opens = channel.kind === 'forum' && thread_name !== undefined;
    const draft = {
      ...extras,
      content,
      files,
      allowed,
      webhookId: api.id,
      ...(opens ? { id: place.id } : {}),
    };
    const message = this.#state.create(place, author, draft);
    return /^(?:true|1)$/i.test(query.get('wait') ?? '') ? changed(message) : { ...nothing, committed: true };
  }

  #placeOf(
    channel: Channel,
    query: URLSearchParams,
    title: string | null | undefined,
    owner: string,
  ): Channel | undefined {
    const threadId = query.get('thread_id');
    if (threadId !== null) {
      const thread = this.#state.channels.get(threadId);
      return thread?.parentId === channel.id ? thread : undefined;
    }
    return channel.kind === 'forum' && title ? this.#state.openThread(channel, title, owner) : channel;
  }

  #onOwn(
    request: Request,
    act: (channel: Channel, stored: NonNullable<ReturnType<Channel['messages']['get']>>) => SimulatedAnswer,
  ): SimulatedAnswer {
    return this.#by(request, ({ api, channel }) => {
      const threadId = request.query.get('thread_id');
      const place = threadId === null ? channel : this.#state.channels.get(threadId);
      const stored = place?.messages.get(request.ids[1] ?? '');
      const own = stored !== undefined && !stored.deleted && stored.message.webhook_id === api.id;
      return place === undefined || !own ? failure(404, 10008, 'Unknown Message') : act(place, stored);
    });
  }
}

/** https://docs.discord.com/developers/resources/webhook#create-webhook and the rules of nicknames. */
function invalidName(name: string, field: string): SimulatedAnswer | undefined {
  if (name.length < 1 || name.length > MAX_NAME_LENGTH)
    return invalidForm(field, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 80 in length.');
  if (/clyde|discord|@|#|:|```/i.test(name) || /^(everyone|here)$/i.test(name))
    return invalidForm(field, 'USERNAME_INVALID_CONTAINS', 'The name contains what it may not.');
  return undefined;
}
