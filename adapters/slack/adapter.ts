import type { App } from '@slack/bolt';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type ChatSummary,
  type Destination,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type JsonObject,
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
import { capabilitiesWithin } from './capabilities.js';
import { checkAppToken } from './client/app-token.js';
import { createBolt, listen } from './client/bolt.js';
import { openFile, type SlackAccess } from './client/files.js';
import { rateOf } from './client/rates.js';
import { Scopes, withoutScope } from './client/scopes.js';
import { SlackClient } from './client/transport.js';
import type { SlackConfig } from './config.js';
import { Channels } from './directory/channels.js';
import { Directory } from './directory/directory.js';
import { Threads } from './directory/threads.js';
import { decodeEnvelope } from './inbound/decode.js';
import { Backfill, type BackfillOptions } from './ingress/backfill.js';
import { GapDetector } from './ingress/gap-detector.js';
import { HistoryReader } from './ingress/history-reader.js';
import { Intake, type IntakeObserver, type OwnIds } from './ingress/intake.js';
import { SocketReceiver } from './ingress/socket-receiver.js';
import { WebhookReceiver } from './ingress/webhook-receiver.js';
import { lookUp } from './outbound/lookup.js';
import { planOperation } from './outbound/plan.js';
import { Writer } from './outbound/writer.js';

/** Wires one connection together. Makes no request. */
export async function createSlackAdapter(config: SlackConfig, host: AdapterHost): Promise<Adapter> {
  return new SlackAdapter(config, host);
}

class SlackAdapter implements Adapter {
  readonly #app: App;
  readonly #client: SlackClient;
  readonly #webhook: WebhookReceiver | undefined;
  readonly #threads: Threads;
  readonly #writer: Writer;
  readonly #host: AdapterHost;
  readonly #access: SlackAccess;
  readonly #scopes = new Scopes();
  /** Only Socket Mode uses an app token. */
  readonly checkIngress?: () => Promise<void>;
  readonly #watch: IntakeObserver;
  #ownIds: OwnIds = {};
  #started: Promise<void> | undefined;
  #stopping = new AbortController();

  constructor(config: SlackConfig, host: AdapterHost) {
    const { credentials, settings } = config;
    // The receivers need the directory, which needs the client, which Bolt creates together with the receiver.
    const directory = new Directory(() => this.#client);
    const intake = new Intake(
      host,
      directory,
      () => this.#ownIds,
      () => this.#watch,
    );
    const webhook = new WebhookReceiver(credentials.signing_secret ?? '', intake, host);
    const gateway = settings.ingress === 'gateway';
    const access = { appToken: credentials.app_token ?? '', apiBaseUrl: settings.api_base_url, host };
    const onGap = (since: string) => void this.#watch.backfill.away(since);
    const socket = new SocketReceiver({ ...access, intake, onGap, scopes: this.#scopes });
    this.#app = createBolt(config, gateway ? socket : webhook, host, this.#scopes);
    this.#client = new SlackClient(this.#app.client);
    const mode = { host, byWebhook: !gateway, isOpen: () => socket.isOpen };
    this.#watch = watchOver(this.#client, intake, mode);
    this.#webhook = gateway ? undefined : webhook;
    if (gateway) this.checkIngress = () => checkAppToken(access);
    this.#threads = new Threads(this.#client);
    this.#writer = new Writer(this.#client, this.#threads, host, this.#scopes);
    this.#host = host;
    this.#access = { token: credentials.bot_token, apiBaseUrl: settings.api_base_url };
    listen(this.#app, host, { renamed: (id) => directory.forget(id) });
  }

  async identify(): Promise<RemoteIdentity> {
    const answer = await this.#client.read((web) => web.auth.test());
    const { user_id: userId, bot_id: botId, team_id: teamId, enterprise_id: enterpriseId, user } = answer;
    if (!userId) throw unreadableIdentity();
    this.#ownIds = {
      selfUserId: userId,
      ...(botId && { selfBotId: botId }),
      ...(teamId && { teamId }),
      ...(enterpriseId && { enterpriseId }),
    };
    return { externalId: remoteUserId(userId), ...(user === undefined ? {} : { handle: user, name: user }) };
  }

  start(): Promise<void> {
    if (this.#started === undefined) {
      this.#stopping = new AbortController();
      this.#started = this.#begin(this.#stopping.signal);
    }
    return this.#started;
  }

  async #begin(stopping: AbortSignal): Promise<void> {
    try {
      const { externalId } = await this.identify();
      await this.#watch.backfill.prepare(externalId);
      // The adapter was stopped during the calls above, so nothing may be opened.
      if (stopping.aborted) return;
      await this.#app.start();
      if (stopping.aborted) return;
      this.#watch.backfill.start();
      this.#host.health(this.#scopes.healthy('Connected to Slack.'));
    } catch (error) {
      if (stopping.aborted) return;
      this.#started = undefined;
      throw error;
    }
  }

  async handle(request: Request): Promise<Response> {
    // Without webhooks no valid signature exists.
    return this.#webhook?.handle(request) ?? new Response(null, { status: 401 });
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    return decodeEnvelope(envelope);
  }

  capabilities(): Capabilities {
    return capabilitiesWithin(this.#scopes);
  }

  plan(operation: Operation, capabilities: Capabilities): Plan {
    return planOperation(operation, capabilities);
  }

  rate(step: PartStep, to: Destination): WriteRate {
    return rateOf(step, to);
  }

  execute(step: PartStep, context: ExecuteContext): Promise<Receipt> {
    return this.#writer.execute(step, context);
  }

  lookup(query: LookupQuery): Promise<LookupResult> {
    return lookUp(query, this.#client, this.#threads, this.#ownIds);
  }

  /**
   * chat.postMessage accepts a user id as its `channel` and returns the channel's own id (D…), which all other methods
   * require (docs.slack.dev/reference/methods/chat.postMessage#channels). conversations.open allows fifty calls per
   * minute.
   */
  writesToAddress({ action, kind }: PartStep, address: string): boolean {
    return action === 'create' && kind !== 'media' && /^[UW][A-Z0-9]+$/.test(address);
  }

  async openDirect(address: string): Promise<RemoteChatId> {
    if (/^[CDG][A-Z0-9]+$/.test(address)) return remoteChatId(address);
    const { channel } = await this.#client
      .read((web) => web.conversations.open({ users: address }))
      .catch(withoutScope('im:write'));
    if (!channel?.id) throw unreadableIdentity();
    return remoteChatId(channel.id);
  }

  async findChat(chatId: RemoteChatId): Promise<ChatSummary> {
    // chat.postMessage also accepts user ids, but conversations.info does not.
    if (/^[UW]/.test(chatId)) return {};
    const { channel } = await this.#client.read((web) => web.conversations.info({ channel: chatId }));
    return channel?.name === undefined ? {} : { title: channel.name };
  }

  openMedia(ref: string, signal: AbortSignal): Promise<RemoteMedia> {
    return openFile(this.#client, this.#host, this.#access, ref, signal);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#started = undefined;
    await Promise.all([this.#app.stop(), this.#watch.backfill.stop()]);
  }
}

/** Creates the gap detector and the backfill. */
function watchOver(
  client: SlackClient,
  intake: Intake,
  mode: Pick<BackfillOptions, 'host' | 'byWebhook' | 'isOpen'>,
): IntakeObserver {
  const channels = new Channels(client, mode.host);
  const store = (key: string, body: JsonObject) => intake.backfill(key, body);
  const backfill = new Backfill({ ...mode, channels, reader: new HistoryReader(client), store });
  const continuity = new GapDetector({ ...mode, onGap: () => backfill.wake() });
  return { channels, backfill, continuity };
}

function unreadableIdentity(): PlatformError {
  return new PlatformError(
    { kind: 'unavailable', cause: 'platform_down' },
    { dispatched: 'no', message: 'The response of Slack does not contain the requested id.' },
  );
}
