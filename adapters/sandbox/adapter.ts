import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  clock,
  type Envelope,
  type ExecuteContext,
  type InboundEvent,
  type LookupQuery,
  type LookupResult,
  type Operation,
  type PartStep,
  type Plan,
  type Receipt,
  type RemoteIdentity,
  type RemoteMedia,
  remoteMessageId,
  remoteUserId,
} from '../../src/contract/index.js';
import { sandboxCapabilities } from './capabilities.js';
import { scriptedError } from './client/errors.js';
import { decodeSandbox, messageEnvelope, receiptEnvelope } from './inbound/decode.js';
import { planSandbox } from './outbound/plan.js';
import { type LaterEvent, type Script, scriptOf } from './outbound/script.js';

/** Maximum number of remembered writes whose scripted first failure is over. The oldest is forgotten first. */
const REMEMBERED_TRIES = 10_000;

/** The sandbox platform of CONTRACT section 14 and the connection to it. The address selects the outcome. */
export class SandboxAdapter implements Adapter {
  readonly #host: AdapterHost;
  readonly #triedOnce = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(host: AdapterHost) {
    this.#host = host;
  }

  async identify(): Promise<RemoteIdentity> {
    return { externalId: remoteUserId('sandbox'), name: 'Sandbox' };
  }

  async start(): Promise<void> {
    this.#host.health({ code: 'ok', message: 'The sandbox is always available.' });
  }

  decode(envelope: Envelope): readonly InboundEvent[] {
    return decodeSandbox(envelope);
  }

  capabilities(): Capabilities {
    return sandboxCapabilities;
  }

  plan(operation: Operation, capabilities: Capabilities): Plan {
    return planSandbox(operation, capabilities);
  }

  /** The id of a part is the key of its write, so that a repeated write is the same message. */
  async execute(step: PartStep, { to, key }: ExecuteContext): Promise<Receipt> {
    if (step.action !== 'create') return this.#record(step);
    const script = scriptOf(to.chatId);
    this.#failAsScripted(script, key);
    for (const later of script.later ?? []) {
      // An automatic message gets no scripted reply.
      if (step.payload.automatic === true && typeof later.happens !== 'string') continue;
      this.#schedule(later, to.chatId, key, step);
    }
    return { remoteId: remoteMessageId(key) };
  }

  async lookup({ to, key }: LookupQuery): Promise<LookupResult> {
    const outcome = scriptOf(to.chatId).lookup;
    if (outcome === 'found') return { outcome, remoteId: remoteMessageId(key) };
    // A repeated write is the same message, since its key is the id.
    return outcome === 'absent' ? { outcome, resend: 'recognised' } : { outcome };
  }

  /** Opens a file of a person. It was uploaded to the bridge before. */
  async openMedia(ref: string): Promise<RemoteMedia> {
    const { blob, name, mimeType } = await this.#host.openMedia(ref);
    return { body: blob.stream(), name, mimeType };
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Changes, removals and signals always succeed and leave a line in the log. */
  #record({ action, index, targetId }: PartStep): Receipt {
    this.#host.log.info('sandbox.step_accepted', { action, index, targetId });
    return targetId === undefined ? {} : { remoteId: targetId };
  }

  #failAsScripted({ fails, firstTryFails }: Script, key: string): void {
    if (fails !== undefined) throw scriptedError(fails);
    if (firstTryFails === undefined || this.#triedOnce.delete(key)) return;
    this.#triedOnce.add(key);
    const [oldest] = this.#triedOnce;
    if (this.#triedOnce.size > REMEMBERED_TRIES && oldest !== undefined) this.#triedOnce.delete(oldest);
    throw scriptedError(firstTryFails);
  }

  #schedule({ afterMs, happens }: LaterEvent, address: string, key: string, step: PartStep): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const at = clock.date().toISOString();
      void this.#deliver(
        typeof happens === 'string'
          ? receiptEnvelope(address, key, happens, at)
          : answerEnvelope(address, key, happens.answer, step, at),
      );
    }, afterMs);
    this.#timers.add(timer);
  }

  async #deliver(envelope: Envelope): Promise<void> {
    try {
      await this.#host.receive(envelope);
    } catch (error) {
      // As on a real platform, a receipt can be lost. The message is unchanged.
      this.#host.log.warn('sandbox.event_lost', { dedupeKey: envelope.dedupeKey, error });
    }
  }
}

/** The envelope of a reply from the person at an address. */
function answerEnvelope(
  address: string,
  key: string,
  answer: 'same text' | 'STOP' | 'START',
  { payload }: PartStep,
  at: string,
): Envelope {
  const sent = typeof payload.text === 'string' ? payload.text : '';
  const text = answer === 'same text' ? sent : answer;
  return messageEnvelope({ address, text, external_message_id: `${key}.answer` }, at);
}
