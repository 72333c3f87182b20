import type { APIChannel, APIUser } from 'discord-api-types/v10';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type ChatSummary,
  type ConnectionConfig,
  type Destination,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type LookupQuery,
  type LookupResult,
  type Operation,
  type PartStep,
  type Plan,
  PlatformError,
  type Receipt,
  type RemoteChatId,
  type RemoteIdentity,
  type RemoteMedia,
  remoteChatId,
  remoteUserId,
  type WriteRate,
} from '../../src/contract/index.js';
import { discordCapabilities } from './capabilities.js';
import { openFile } from './client/files.js';
import { rateOf } from './client/rates.js';
import { DiscordRest } from './client/transport.js';
import type { DiscordCredentials, DiscordSettings } from './config.js';
import { Directory } from './directory/directory.js';
import { decode } from './inbound/decode.js';
import { Gateway } from './ingress/gateway.js';
import { Intake } from './ingress/intake.js';
import { InteractionEndpoint } from './ingress/interaction-endpoint.js';
import { lookup } from './outbound/lookup.js';
import { plan } from './outbound/plan.js';
import { isGone, problemCodes } from './outbound/signals.js';
import { Writer } from './outbound/writer.js';
import { isSnowflake } from './snowflake.js';

/** A live connection of one Discord bot. */
export class DiscordAdapter implements Adapter {
  readonly #host: AdapterHost;
  readonly #rest: DiscordRest;
  readonly #directory: Directory;
  readonly #writer: Writer;
  readonly #gateway: Gateway;
  readonly #endpoint: InteractionEndpoint;
  #identity: RemoteIdentity | undefined;

  constructor(config: ConnectionConfig<DiscordCredentials, DiscordSettings>, host: AdapterHost) {
    this.#host = host;
    const token = config.credentials.bot_token;
    this.#rest = new DiscordRest(token, config.settings.api_base_url, host);
    const directory = new Directory(this.#rest);
    this.#directory = directory;
    this.#writer = new Writer(this.#rest, host, directory, () => this.#selfId());
    this.#gateway = new Gateway(this.#rest, token, host, directory);
    const intake = new Intake(host, directory);
    this.#endpoint = new InteractionEndpoint(config.credentials.public_key, intake, () => this.#selfId());
  }

  async identify(): Promise<RemoteIdentity> {
    this.#rest.rearm();
    const user = await this.#rest.record<APIUser>({ method: 'GET', route: '/users/@me', write: false });
    this.#identity = {
      externalId: remoteUserId(user.id),
      handle: user.username,
      name: user.global_name ?? user.username,
    };
    return this.#identity;
  }

  start(): Promise<void> {
    return this.#gateway.start();
  }

  handle(request: Request): Promise<Response> {
    return this.#endpoint.handle(request);
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    return decode(envelope);
  }

  capabilities(): Capabilities {
    return discordCapabilities;
  }

  plan(operation: Operation, capabilities: Capabilities): Plan {
    return plan(operation, capabilities);
  }

  rate(step: PartStep, to: Destination): WriteRate {
    return rateOf(step, to);
  }

  execute(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    return this.#writer.execute(step, context);
  }

  async lookup(query: LookupQuery): Promise<LookupResult> {
    const { threadId, chatId } = query.to;
    const writers = {
      selfId: await this.#selfId(),
      webhooks: this.#writer.webhooks,
      directory: this.#directory,
      isForum: async () => (await this.#directory.find(threadId ?? chatId)).kind === 'forum',
    };
    try {
      return await lookup(this.#rest, writers, query);
    } catch (error) {
      // A forum has posts and no history of its own.
      if (isGone(error, problemCodes.noTextChannel)) return { outcome: 'undecidable' };
      throw error;
    }
  }

  async openDirect(address: string): Promise<RemoteChatId> {
    if (!isSnowflake(address)) {
      throw new PlatformError(
        { kind: 'rejected', reason: 'recipient_gone' },
        {
          dispatched: 'no',
          message: 'The address is not a Discord user id.',
          fix: 'Enter the numeric user id.',
        },
      );
    }
    const body = { recipient_id: address };
    // Opening an open direct channel returns that channel, so a lost response is not ambiguous.
    const route = '/users/@me/channels';
    const channel = await this.#rest.record<APIChannel>({ method: 'POST', route, body, write: false });
    return remoteChatId(channel.id);
  }

  async findChat(chatId: RemoteChatId): Promise<ChatSummary> {
    if (!isSnowflake(chatId)) {
      throw new PlatformError(
        { kind: 'rejected', reason: 'recipient_gone' },
        {
          dispatched: 'no',
          message: 'The id is not that of a Discord channel.',
          fix: 'Enter the numeric id of the channel.',
        },
      );
    }
    const route = `/channels/${chatId}` as const;
    const channel = await this.#rest.record<APIChannel>({ method: 'GET', route, write: false });
    return channel.name ? { title: channel.name } : {};
  }

  openMedia(ref: string, signal: AbortSignal): Promise<RemoteMedia> {
    return openFile(this.#rest, this.#host, ref, signal);
  }

  async stop(): Promise<void> {
    await this.#gateway.stop();
    this.#rest.close();
  }

  async #selfId(): Promise<string> {
    return (this.#identity ?? (await this.identify())).externalId;
  }
}
