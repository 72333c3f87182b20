import { clock } from '../../contract/clock.js';
import { remoteChatId, remoteThreadId } from '../../contract/index.js';
import type { Log } from '../common/log.js';
import type { PlatformErrorEffects } from '../deliveries/platform-error-effects.js';
import type { SendingConnection, SendingConnections } from '../deliveries/ports.js';
import type { Rates } from '../rates/rates.js';
import { perform } from './perform.js';
import type { TypingSigns, TypingTarget } from './ports.js';
import type { SignalShares } from './signal-shares.js';

/** Older signals are ignored. */
const FRESH_MS = 5_000;

export interface TypingSign {
  readonly conversationId: string;
  readonly state: 'started' | 'stopped';
  /** The time of the signal, ISO 8601 UTC. */
  readonly at: string;
  /** The chat that the signal came from. */
  readonly fromLinkId: string | undefined;
}

/** Shows in other chats that a user is typing. A failed call is not retried, because the next signal comes soon. */
export class ShowTyping {
  constructor(
    private readonly signs: TypingSigns,
    private readonly effects: PlatformErrorEffects,
    private readonly connections: SendingConnections,
    private readonly rates: Rates,
    private readonly log: Log,
    private readonly shares: SignalShares,
  ) {}

  async run(sign: TypingSign, signal: AbortSignal): Promise<void> {
    if (clock.now() - Date.parse(sign.at) > FRESH_MS) return;
    const targets = await this.signs.targets(sign.conversationId, sign.fromLinkId);
    await Promise.all(targets.map((target) => this.#show(target, sign.state, signal)));
  }

  async #show(target: TypingTarget, state: TypingSign['state'], signal: AbortSignal): Promise<void> {
    const connection = this.connections.find(target.connection_id);
    if (connection === undefined) return;
    // A typing signal alone does not open a chat.
    if (target.address !== null && connection.adapter.openDirect !== undefined) return;
    await this.shares.try(connection.workspaceId, () => this.#send(target, connection, state, signal));
  }

  async #send(
    target: TypingTarget,
    connection: SendingConnection,
    state: TypingSign['state'],
    signal: AbortSignal,
  ): Promise<void> {
    const thread = target.external_thread_id;
    const to = {
      chatId: remoteChatId(target.external_chat_id),
      ...(thread === null ? {} : { threadId: remoteThreadId(thread) }),
    };
    try {
      const outlet = {
        connectionId: target.connection_id,
        connection,
        rates: this.rates,
        effects: this.effects,
      };
      await perform({ type: 'typing', to, state }, outlet, signal);
    } catch (cause) {
      this.log.info({ err: cause, connection_id: target.connection_id }, 'typing.failed');
    }
  }
}
