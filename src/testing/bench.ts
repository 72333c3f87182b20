import { randomBytes } from 'node:crypto';
import {
  type Adapter,
  type Content,
  type EditOperation,
  type Envelope,
  type InboundEvent,
  type IngressMode,
  type Operation,
  type PartStep,
  type Plan,
  plainContent,
  type Receipt,
  type RemotePart,
  remoteChatId,
  type SendOperation,
} from '../contract/index.js';
import type { SimulatedAccount, SimulatedMessage, Simulator } from '../contract/simulation/index.js';
import { isReading, wrongPlan, wrongRate, wrongReceipt } from '../contract/validation/results.js';
import { createAdapter } from '../core/adapters/contract-versions.js';
import type { AnyKit, ConformanceStore } from './kit.js';
import { mustBeNamed, mustConform, mustCountFromZero } from './named.js';
import { ReferenceHost, Remains } from './reference-host.js';
import { must, mustBecome } from './verdict.js';
import { WebhookEndpoint } from './webhook-endpoint.js';

/** Identifies the writes of a bench in reports of its platform. */
export const REFERENCE = 'conformance-1.2';

export const newKey = (): string => randomBytes(16).toString('hex');

/** One simulator, a connection to it and its host. `close` closes everything that it opened. */
export class Bench {
  readonly endpoint = new WebhookEndpoint();
  readonly remains = new Remains();
  host!: ReferenceHost;
  adapter!: Adapter;
  #webhookUrl = '';
  /** The account and the chat of the simulator, read at the start and after changes. */
  account!: SimulatedAccount;
  chat = '';
  readonly #adapters: Adapter[] = [];
  readonly #hosts: ReferenceHost[] = [];

  private constructor(
    readonly kit: AnyKit,
    readonly simulator: Simulator,
    readonly store: ConformanceStore,
    readonly connection: string,
  ) {}

  /** Starts a simulator and creates an adapter without starting it. */
  static async open(
    kit: AnyKit,
    simulator: Simulator,
    store: ConformanceStore,
    connection: string,
  ): Promise<Bench> {
    const bench = new Bench(kit, simulator, store, connection);
    await simulator.start();
    await bench.refreshAccount();
    bench.chat = await chatOf(kit, simulator);
    bench.#webhookUrl = await bench.endpoint.start();
    await bench.connect();
    return bench;
  }

  /** Reads the account again, because a revocation changes the credentials. */
  async refreshAccount(): Promise<void> {
    const { kit, simulator } = this;
    this.account = await (kit.account === undefined ? simulator.account() : kit.account(simulator));
  }

  get ingress(): IngressMode {
    return ingressOf(this.kit, this.account);
  }

  /** Simulates a new process. Only the stored state of the previous one remains. */
  async connect(given?: SimulatedAccount): Promise<Adapter> {
    await this.refreshAccount();
    const account = given ?? this.account;
    const host = new ReferenceHost({
      webhookUrl: this.#webhookUrl,
      connection: this.connection,
      store: this.store,
      remains: this.remains,
      allowed: () => [account.settings.api_base_url ?? ''],
    });
    const adapter = await createAdapter(this.kit.definition, configOf(this.kit, account), host);
    host.adapter = adapter;
    this.host = host;
    this.#hosts.push(host);
    this.adapter = adapter;
    this.#adapters.push(adapter);
    this.endpoint.handler = (request) =>
      adapter.handle?.(request) ?? Promise.resolve(new Response(null, { status: 404 }));
    return adapter;
  }

  async start(): Promise<Adapter> {
    await this.adapter.start();
    await this.simulator.setWebhook?.(this.#webhookUrl);
    return this.adapter;
  }

  async close(): Promise<void> {
    for (const adapter of this.#adapters) await adapter.stop();
    await this.simulator.stop();
    await this.endpoint.stop();
  }

  /** Posts a message in the chat as a person. */
  post(text: string): Promise<string> {
    return this.simulator.post({ chatId: this.chat, sender: 'Ada', text });
  }

  /** The messages that a person in the chat sees. */
  async visible(chatId = this.chat): Promise<readonly SimulatedMessage[]> {
    return (await this.simulator.messages(chatId)).filter(({ deleted }) => !deleted);
  }

  async own(chatId = this.chat): Promise<readonly SimulatedMessage[]> {
    return (await this.visible(chatId)).filter(({ own }) => own);
  }

  /** What the hosts of all processes would have refused. */
  get misuses(): readonly string[] {
    return this.#hosts.flatMap(({ uses }) => [...uses.problems]);
  }

  events(): readonly InboundEvent[] {
    return this.envelopes.flatMap((envelope) => this.adapter.decode(envelope));
  }

  get envelopes(): readonly Envelope[] {
    return this.remains.envelopes;
  }

  async hears(text: string, count = 1): Promise<void> {
    await mustBecome(
      async () => (await this.store.texts(this.connection)).filter((each) => each === text).length >= count,
      `The message "${text}" arrives`,
    );
    // The store shows a message as soon as it is committed, before `remains` has its envelope.
    await mustBecome(() => this.host.storing === 0, `The envelope of "${text}" is recorded`);
  }

  operation(content: Content | string, chatId = this.chat): SendOperation {
    const neutral = typeof content === 'string' ? plainContent(content) : content;
    return { type: 'send', to: { chatId: remoteChatId(chatId) }, content: neutral };
  }

  plan(operation: Operation): Plan {
    const plan = this.adapter.plan(operation, this.adapter.capabilities(operation.to.chatId));
    mustConform('plan', wrongPlan(plan));
    if (operation.type === 'send') mustCountFromZero(plan);
    mustBeNamed(plan);
    return plan;
  }

  /** Executes a step as the bridge does, and checks the result against the contract. */
  async execute(
    step: PartStep,
    to: Operation['to'],
    key = newKey(),
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Receipt> {
    mustConform('rate', wrongRate(this.adapter.rate?.(step, to)));
    const receipt = await this.adapter.execute(step, { to, key, signal, reference: REFERENCE });
    mustConform('receipt', wrongReceipt(receipt));
    must((receipt.rates ?? []).every(isReading), 'A receipt has wrong rates.');
    return receipt;
  }

  async perform(operation: Operation): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    for (const step of this.plan(operation).steps) receipts.push(await this.execute(step, operation.to));
    return receipts;
  }

  send(content: Content | string, chatId = this.chat): Promise<Receipt[]> {
    return this.perform(this.operation(content, chatId));
  }

  edit(content: string, parts: readonly RemotePart[]): EditOperation {
    return { type: 'edit', to: { chatId: remoteChatId(this.chat) }, content: plainContent(content), parts };
  }

  /** Sends a message to find the ledger's name of the call that creates one, then clears the ledger. */
  async createCall(): Promise<string> {
    await this.send('first of all');
    const call = this.simulator.ledger.entries().findLast(({ committed }) => committed)?.call ?? '';
    this.simulator.ledger.clear();
    return call;
  }

  writes(call: string): number {
    return this.simulator.ledger.entries(call).length;
  }
}

async function chatOf(kit: AnyKit, simulator: Simulator): Promise<string> {
  if (kit.chat !== undefined) return kit.chat(simulator);
  const chats = await simulator.chats();
  return (chats.find(({ kind }) => kind === 'group') ?? chats[0])?.id ?? '';
}

export function ingressOf({ definition }: AnyKit, { settings }: SimulatedAccount): IngressMode {
  return (settings.ingress as IngressMode | undefined) ?? definition.ingress[0] ?? 'webhook';
}

/** The configuration, parsed with the definition's schemas as the bridge does. */
export function configOf(kit: AnyKit, account: SimulatedAccount) {
  const { api_base_url: base = kit.definition.defaultApiBaseUrl, ingress: _, ...settings } = account.settings;
  return {
    credentials: kit.definition.credentials.parse(account.credentials),
    settings: {
      ...(kit.definition.settings.parse(settings) as object),
      api_base_url: base,
      ingress: ingressOf(kit, account),
    },
  };
}

/** The parts of an executed plan, as the bridge stores them. */
export function partsOf(steps: readonly PartStep[], receipts: readonly Receipt[]): RemotePart[] {
  return steps.flatMap((step, place) => {
    const id = receipts[place]?.remoteId;
    return step.action === 'remove' || id === undefined ? [] : [{ index: step.index, kind: step.kind, id }];
  });
}
