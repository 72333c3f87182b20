import { randomBytes } from 'node:crypto';
import { discordDefinition } from '../../adapters/discord/definition.js';
import { DiscordSimulator, type DiscordSimulatorOptions } from '../../adapters/discord/simulator/index.js';
import {
  type Adapter,
  type Content,
  type EditOperation,
  type InboundEvent,
  plainContent,
  type Receipt,
  remoteChatId,
  type SendOperation,
} from '../../src/contract/index.js';
import { RecordingHost } from './adapter-host.js';

/** A simulator, a host and any number of adapters on them. `close` stops everything. */
export class DiscordBench {
  readonly host = new RecordingHost();
  readonly #adapters: Adapter[] = [];

  private constructor(readonly simulator: DiscordSimulator) {}

  static async open(options: DiscordSimulatorOptions = {}): Promise<DiscordBench> {
    const simulator = new DiscordSimulator(options);
    await simulator.start();
    return new DiscordBench(simulator);
  }

  /** A live adapter with the simulator's current token, or another one. */
  async adapter(
    options: { token?: string; host?: RecordingHost; apiBaseUrl?: string } = {},
  ): Promise<Adapter> {
    const { credentials, settings } = this.simulator.account();
    const adapter = await discordDefinition.create(
      {
        credentials: { bot_token: options.token ?? String(credentials.bot_token) },
        settings: { api_base_url: options.apiBaseUrl ?? String(settings.api_base_url), ingress: 'gateway' },
      },
      options.host ?? this.host,
    );
    this.#adapters.push(adapter);
    return adapter;
  }

  async started(): Promise<Adapter> {
    const adapter = await this.adapter();
    await adapter.start();
    return adapter;
  }

  /** The `index`-th group chat. */
  chat(index = 0): string {
    return this.simulator.chats().filter(({ kind }) => kind === 'group')[index]?.id ?? '';
  }

  /** A thread of the first group chat. */
  get thread(): string {
    return this.simulator.threads()[0]?.id ?? '';
  }

  get direct(): string {
    return this.simulator.chats().find(({ kind }) => kind === 'direct')?.id ?? '';
  }

  count(call: string): number {
    return this.simulator.ledger.counts()[call] ?? 0;
  }

  events(adapter: Adapter): InboundEvent[] {
    return this.host.envelopes.flatMap((envelope) => adapter.decode(envelope));
  }

  /** Texts of the message events, without echoes. */
  texts(adapter: Adapter): string[] {
    return this.events(adapter).flatMap((event) =>
      event.type === 'message' && event.echo !== true ? [event.content.text] : [],
    );
  }

  async run(adapter: Adapter, operation: SendOperation | EditOperation): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const step of adapter.plan(operation, adapter.capabilities()).steps)
      receipts.push(await adapter.execute(step, context(operation.to.chatId)));
    return receipts;
  }

  send(adapter: Adapter, chatId: string, content: Content | string): Promise<Receipt[]> {
    return this.run(adapter, sendTo(chatId, content));
  }

  async close(): Promise<void> {
    for (const adapter of this.#adapters) await adapter.stop();
    await this.simulator.stop();
  }
}

export const newKey = (): string => randomBytes(16).toString('hex');

export const context = (chatId: string, key = newKey()) => ({
  to: { chatId: remoteChatId(chatId) },
  key,
  signal: new AbortController().signal,
});

export const sendTo = (chatId: string, content: Content | string): SendOperation => ({
  type: 'send',
  to: { chatId: remoteChatId(chatId) },
  content: typeof content === 'string' ? plainContent(content) : content,
});
