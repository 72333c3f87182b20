import type { SmsConfig } from '../../adapters/sms/config.js';
import { smsDefinition } from '../../adapters/sms/definition.js';
import { TwilioSimulator } from '../../adapters/sms/simulator/index.js';
import {
  type Adapter,
  type InboundEvent,
  type PartStep,
  PlatformError,
  plainContent,
  type Receipt,
  remoteChatId,
} from '../../src/contract/index.js';
import type { SimulatedAccount, SimulatorOptions } from '../../src/contract/simulation/index.js';
import { RecordingHost } from './adapter-host.js';
import { WebhookServer } from './webhook-server.js';

/** A live SMS connection to a simulated Twilio, both on real sockets, and one person as the recipient. */
export class SmsBench {
  readonly person: string;
  private constructor(
    readonly simulator: TwilioSimulator,
    readonly host: RecordingHost,
    readonly webhooks: WebhookServer,
  ) {
    this.person = simulator.chats()[0]?.id ?? '';
  }

  static async start(options: SimulatorOptions = {}): Promise<SmsBench> {
    const simulator = new TwilioSimulator(options);
    const webhooks = new WebhookServer();
    await simulator.start();
    const host = new RecordingHost(await webhooks.start());
    simulator.setWebhook(host.webhookUrl);
    const bench = new SmsBench(simulator, host, webhooks);
    await bench.connect(simulator.account());
    return bench;
  }

  async stop(): Promise<void> {
    await this.adapter.stop();
    await this.simulator.stop();
    await this.webhooks.stop();
  }

  get adapter(): Adapter {
    if (this.webhooks.adapter === undefined) throw new Error('There is no connection.');
    return this.webhooks.adapter;
  }

  /** Replaces the connection with one that has these credentials and settings. */
  async connect(account: SimulatedAccount): Promise<void> {
    this.webhooks.adapter = await smsDefinition.create(smsConfig(account), this.host);
  }

  stepFor(text: string, chatId = this.person): PartStep {
    const to = { chatId: remoteChatId(chatId) };
    const operation = { type: 'send', to, content: plainContent(text) } as const;
    const [step] = this.adapter.plan(operation, this.adapter.capabilities()).steps;
    if (step === undefined) throw new Error('The plan has no step.');
    return step;
  }

  context(chatId = this.person, signal = new AbortController().signal) {
    return { to: { chatId: remoteChatId(chatId) }, key: 'a'.repeat(32), signal };
  }

  send(text: string, chatId = this.person): Promise<Receipt> {
    return this.adapter.execute(this.stepFor(text, chatId), this.context(chatId));
  }

  events(): readonly InboundEvent[] {
    return this.host.envelopes.flatMap((envelope) => this.adapter.decode(envelope));
  }

  /** The texts on the person's phone, in both directions. */
  texts(): readonly string[] {
    return this.simulator.messages(this.person).map(({ text }) => text);
  }
}

/** The account as a parsed configuration. */
export function smsConfig({ credentials, settings }: SimulatedAccount): SmsConfig {
  return {
    credentials: smsDefinition.credentials.parse(credentials),
    settings: {
      ...smsDefinition.settings.parse(settings),
      api_base_url: settings.api_base_url ?? '',
      ingress: 'webhook',
    },
  };
}

/** The PlatformError of a failed attempt. */
export async function platformFailure(attempt: Promise<unknown>): Promise<PlatformError> {
  const outcome = await attempt.catch((error: unknown) => error);
  if (outcome instanceof PlatformError) return outcome;
  throw new Error(`Not a PlatformError: ${String(outcome)}`);
}
