import {
  type Adapter,
  type Capabilities,
  type Destination,
  type ExecuteContext,
  formats,
  type LookupResult,
  type Operation,
  ops,
  type PartStep,
  type Plan,
  PlatformError,
  type PlatformProblem,
  type RateBucket,
  type Receipt,
  remoteMessageId,
  remoteUserId,
} from '../../src/contract/index.js';
import type { SendingConnection, SendingConnections } from '../../src/core/deliveries/ports.js';
import type { UncertainPolicy } from '../../src/core/platforms/uncertain-policy.js';
import type { AccountRate } from '../../src/core/rates/rates.js';

export const scriptedCapabilities: Capabilities = {
  text: { max: null, unit: 'utf16', formats: formats('native') },
  ops: ops('native'),
  media: {},
  edit: { max_age_s: null, max_count: null, media: false },
  delete: { max_age_s: null, others: false },
  react: null,
};

/** One call of `execute`, as the platform received it. */
export interface ScriptedCall {
  readonly chatId: string;
  readonly action: PartStep['action'];
  readonly text: string;
  readonly key: string;
  readonly at: number;
  /** Set if the call is the first part of a reply. */
  readonly replyToId?: string;
}

/** Determines the result of a call: throws, or returns the platform's receipt. */
export type Script = (
  call: ScriptedCall,
  number: number,
) => Promise<Receipt | undefined> | Receipt | undefined;

/** An adapter without a network. The lines of a text are its parts, and a script determines the result of each call. */
export class ScriptedPlatform implements SendingConnections {
  readonly calls: ScriptedCall[] = [];
  readonly refusals: unknown[] = [];
  /** Ends of requested waits of the account. */
  readonly waits: Date[] = [];
  script: Script = () => undefined;
  /** The results of the next lookups of lost messages; an error is thrown. */
  lookups: (LookupResult | Error)[] = [];
  policy: UncertainPolicy = 'hold';
  account: AccountRate | null = null;
  /** Buckets of each write in addition to the account's. */
  buckets: (step: PartStep, to: Destination) => readonly RateBucket[] = () => [];
  cost = 1;
  pausedUntil: Date | null = null;
  generation = 1;
  react: Capabilities['react'] = null;
  /** False: no connection of this process can send. */
  usable = true;
  openDirect: ((address: string) => Promise<string>) | undefined;
  /** Whether a first write may use the address itself as the chat. */
  writesToAddress = false;

  find(): SendingConnection | undefined {
    if (!this.usable) return undefined;
    return {
      generation: this.generation,
      workspaceId: 'w1',
      platform: 'scripted',
      adapter: this.adapter(),
      capabilities: { ...scriptedCapabilities, react: this.react },
      uncertainPolicy: this.policy,
      account: this.account,
      rate: (step, to) => ({ cost: this.cost, buckets: this.buckets(step, to) }),
      pausedUntil: this.pausedUntil,
    };
  }

  refused(_connectionId: string, cause: unknown, _generation?: number): void {
    this.refusals.push(cause);
    this.usable = false;
  }

  limited(_connectionId: string, until: Date): void {
    this.waits.push(until);
  }

  texts(chatId?: string): string[] {
    return this.calls
      .filter((call) => chatId === undefined || call.chatId === chatId)
      .map(({ text }) => text);
  }

  adapter(): Adapter {
    const { openDirect } = this;
    return {
      identify: async () => ({ externalId: remoteUserId('me') }),
      start: async () => undefined,
      stop: async () => undefined,
      decode: () => [],
      capabilities: () => scriptedCapabilities,
      plan: planLines,
      execute: (step, context) => this.#execute(step, context),
      lookup: async () => {
        const answer = this.lookups.shift() ?? { outcome: 'undecidable' };
        if (answer instanceof Error) throw answer;
        return answer;
      },
      writesToAddress: () => this.writesToAddress,
      ...(openDirect === undefined ? {} : { openDirect: openDirect as Adapter['openDirect'] & object }),
    };
  }

  async #execute(step: PartStep, { to, key }: ExecuteContext): Promise<Receipt> {
    const text = String(step.payload.text ?? '');
    const { replyToId } = step.payload;
    const reply = typeof replyToId === 'string' ? { replyToId } : {};
    const call = { chatId: String(to.chatId), action: step.action, text, key, at: Date.now(), ...reply };
    this.calls.push(call);
    const receipt = await this.script(call, this.calls.length);
    return receipt ?? { remoteId: step.targetId ?? remoteMessageId(`${key.slice(0, 12)}`) };
  }
}

const sign = { action: 'signal', index: 0, kind: 'text' } as const;

function planLines(operation: Operation): Plan {
  if (operation.type === 'delete') return { degradations: [], steps: operation.parts.map(toRemoval) };
  if (operation.type === 'react') {
    const { messageId, emoji, change } = operation;
    return {
      degradations: [],
      steps: [{ ...sign, targetId: messageId, payload: { text: `${emoji} ${change}` } }],
    };
  }
  if (operation.type === 'typing') {
    return { degradations: [], steps: [{ ...sign, payload: { text: operation.state } }] };
  }
  const known = operation.type === 'edit' ? operation.parts : [];
  const replyToId = operation.type === 'send' ? operation.replyToId : undefined;
  const reply = replyToId === undefined ? {} : { replyToId };
  const lines = operation.content.text.split('\n');
  const steps = lines.map((text, index): PartStep => {
    const target = known.find((part) => part.index === index);
    return target === undefined
      ? { action: 'create', index, kind: 'text', payload: index === 0 ? { text, ...reply } : { text } }
      : { action: 'update', index, kind: 'text', targetId: target.id, payload: { text } };
  });
  return {
    degradations: [],
    steps: [...steps, ...known.filter(({ index }) => index >= lines.length).map(toRemoval)],
  };
}

function toRemoval({ index, id }: { index: number; id: PartStep['targetId'] & string }): PartStep {
  return { action: 'remove', index, kind: 'text', targetId: id, payload: {} };
}

export function problem(kind: PlatformProblem, dispatched: 'no' | 'yes' | 'unknown' = 'no'): PlatformError {
  return new PlatformError(kind, { dispatched, message: 'As scripted.', code: 'scripted' });
}
