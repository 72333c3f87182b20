import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { slackDefinition } from '../../adapters/slack/definition.js';
import { SlackSimulator, type SlackSimulatorOptions } from '../../adapters/slack/simulator/index.js';
import {
  type Adapter,
  type Content,
  type InboundEvent,
  type Operation,
  PlatformError,
  plainContent,
  type Receipt,
  type RemotePart,
  remoteChatId,
  remoteMessageId,
  type SendOperation,
} from '../../src/contract/index.js';
import type { SimulatedAccount } from '../../src/contract/simulation/index.js';
import { RecordingHost } from './adapter-host.js';

/** One Slack adapter with the simulator, or with any other server of Slack's Web API. */
export class SlackBench {
  readonly host = new RecordingHost();
  readonly simulator: SlackSimulator;
  adapter!: Adapter;
  #http: Server | undefined;
  #keys = 0;

  constructor(options: SlackSimulatorOptions = {}) {
    this.simulator = new SlackSimulator({ limits: 'none', retriesMs: [10, 10, 10], ...options });
  }

  async startWebhook(): Promise<void> {
    await this.simulator.start();
    this.adapter = await createFrom(this.simulator.account(), this.host);
    await this.adapter.start();
    this.simulator.setWebhook(await this.#serve());
  }

  async startGateway(): Promise<void> {
    await this.simulator.start();
    this.adapter = await createFrom(this.simulator.accountForGateway(), this.host);
    await this.adapter.start();
  }

  async stop(): Promise<void> {
    await this.adapter.stop();
    await this.simulator.stop();
    this.#http?.closeAllConnections();
    this.#http?.close();
  }

  /** All events decoded from the stored envelopes. */
  events(): InboundEvent[] {
    return this.host.envelopes.flatMap((envelope) => this.adapter.decode(envelope));
  }

  /** Waits for a matching event. */
  async event<T extends InboundEvent['type']>(
    type: T,
    fits: (event: Extract<InboundEvent, { type: T }>) => boolean = () => true,
  ): Promise<Extract<InboundEvent, { type: T }>> {
    const find = () =>
      this.events().find(
        (event): event is Extract<InboundEvent, { type: T }> =>
          event.type === type && fits(event as Extract<InboundEvent, { type: T }>),
      );
    await this.host.until(() => find() !== undefined);
    return find() as Extract<InboundEvent, { type: T }>;
  }

  async run(operation: Operation, key = this.nextKey()): Promise<Receipt[]> {
    const { steps } = this.adapter.plan(operation, this.adapter.capabilities());
    const receipts: Receipt[] = [];
    for (const [index, step] of steps.entries()) {
      const stepKey = index === 0 ? key : this.nextKey();
      receipts.push(
        await this.adapter.execute(step, {
          to: operation.to,
          key: stepKey,
          signal: new AbortController().signal,
        }),
      );
    }
    return receipts;
  }

  send(chatId: string, content: string | Content, more: Partial<SendOperation> = {}): Promise<Receipt[]> {
    return this.run({
      type: 'send',
      to: { chatId: remoteChatId(chatId) },
      content: typeof content === 'string' ? plainContent(content) : content,
      ...more,
    });
  }

  edit(chatId: string, receipts: readonly Receipt[], text: string): Promise<Receipt[]> {
    return this.run({
      type: 'edit',
      to: { chatId: remoteChatId(chatId) },
      content: plainContent(text),
      parts: partsOf(receipts),
    });
  }

  delete(chatId: string, receipts: readonly Receipt[]): Promise<Receipt[]> {
    return this.run({ type: 'delete', to: { chatId: remoteChatId(chatId) }, parts: partsOf(receipts) });
  }

  nextKey(): string {
    this.#keys += 1;
    return this.#keys.toString(16).padStart(32, '0');
  }

  /** The texts that a person sees in the chat. */
  texts(chatId: string): string[] {
    return this.simulator
      .messages(chatId)
      .filter((message) => !message.deleted)
      .map((message) => message.text);
  }

  async #serve(): Promise<string> {
    const http = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await this.adapter.handle?.(
        new Request('https://bridge.example/hooks/slack/1', {
          method: request.method ?? 'GET',
          headers: request.headers as Record<string, string>,
          ...(request.method === 'POST' ? { body: Buffer.concat(chunks) } : {}),
        }),
      );
      response.writeHead(answer?.status ?? 500, Object.fromEntries(answer?.headers ?? []));
      response.end(Buffer.from((await answer?.arrayBuffer()) ?? new ArrayBuffer(0)));
    });
    this.#http = http;
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  }
}

export async function createFrom(account: SimulatedAccount, host: RecordingHost): Promise<Adapter> {
  return slackDefinition.create(
    {
      credentials: slackDefinition.credentials.parse(account.credentials),
      settings: {
        api_base_url: account.settings.api_base_url ?? '',
        ingress: account.settings.ingress === 'gateway' ? 'gateway' : 'webhook',
      },
    },
    host,
  );
}

export function partsOf(receipts: readonly Receipt[], kind: RemotePart['kind'] = 'text'): RemotePart[] {
  return receipts.map(({ remoteId }, index) => ({
    index,
    kind,
    id: remoteMessageId(remoteId ?? ''),
  }));
}

/** The error of a failed call. */
export async function problemOf(call: Promise<unknown>): Promise<PlatformError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlatformError)) throw new Error(`Expected a PlatformError, got ${String(error)}`);
  return error;
}
