import { afterEach, beforeEach } from 'vitest';
import { telegramDefinition } from '../../../adapters/telegram/definition.js';
import { TelegramSimulator } from '../../../adapters/telegram/simulator/index.js';
import { GROUP } from '../../../adapters/telegram/simulator/state.js';
import {
  type Adapter,
  type Content,
  type InboundEvent,
  type IngressMode,
  type Operation,
  type PartStep,
  PlatformError,
  plainContent,
  type Receipt,
  remoteChatId,
} from '../../../src/contract/index.js';
import type { SimulatedMessage, SimulatorOptions } from '../../../src/contract/simulation/index.js';
import { RecordingHost } from '../../support/adapter-host.js';

export const group = String(GROUP);

/** One simulated Telegram and one host per test, with the actions of a test. */
export class TelegramBench {
  readonly simulator: TelegramSimulator;
  host = new RecordingHost();
  readonly #closers: (() => Promise<unknown>)[] = [];

  constructor(options: SimulatorOptions = {}) {
    this.simulator = new TelegramSimulator(options);
  }

  async open(): Promise<void> {
    await this.simulator.start();
    this.onClose(() => this.simulator.stop());
  }

  onClose(close: () => Promise<unknown>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }

  /** Connects as the core does, with the definition's own schemas. */
  async connect(
    ingress: IngressMode = 'poll',
    host = this.host,
    credentials: Record<string, string | undefined> = {},
  ): Promise<Adapter> {
    const account = this.simulator.account();
    const adapter = await telegramDefinition.create(
      {
        credentials: telegramDefinition.credentials.parse({ ...account.credentials, ...credentials }),
        settings: { api_base_url: account.settings.api_base_url ?? '', ingress },
      },
      host,
    );
    this.onClose(() => adapter.stop());
    return adapter;
  }

  events(adapter: Adapter): InboundEvent[] {
    return this.host.envelopes.flatMap((envelope) => adapter.decode(envelope));
  }

  healthCodes(): string[] {
    return this.host.reports.map(({ code }) => code);
  }

  visible(chatId: string): readonly SimulatedMessage[] {
    return this.simulator.messages(chatId).filter(({ deleted }) => !deleted);
  }
}

/** A bench for each test of the file. */
export function useTelegram(): () => TelegramBench {
  let bench: TelegramBench;
  beforeEach(async () => {
    bench = new TelegramBench();
    await bench.open();
  });
  afterEach(() => bench.close());
  return () => bench;
}

export async function perform(adapter: Adapter, operation: Operation): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const step of adapter.plan(operation, adapter.capabilities()).steps)
    receipts.push(await execute(adapter, step, operation.to));
  return receipts;
}

export const execute = (adapter: Adapter, step: PartStep, to: Operation['to'], signal?: AbortSignal) =>
  adapter.execute(step, { to, key: '0'.repeat(32), signal: signal ?? new AbortController().signal });

export const send = (adapter: Adapter, chatId: string, content: Content | string) =>
  perform(adapter, {
    type: 'send',
    to: { chatId: remoteChatId(chatId) },
    content: typeof content === 'string' ? plainContent(content) : content,
  });

export async function refusal(attempt: Promise<unknown>): Promise<PlatformError> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PlatformError)) throw new Error(`Expected a PlatformError, got ${error}`);
  return error;
}
