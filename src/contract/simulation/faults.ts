/** How a 429 says how long to wait. `native`, the default, is as the platform itself says it. */
export type WaitShape = 'native' | 'seconds' | 'float' | 'milliseconds' | 'date' | 'absent';
export const waitShapes: readonly WaitShape[] = [
  'native',
  'seconds',
  'float',
  'milliseconds',
  'date',
  'absent',
];

/** What can go wrong with one request. */
export type Fault =
  /** The platform's own 429. It carries `scope` where the platform does. The rule's `chatId` limits it to one chat. */
  | {
      readonly kind: 'rate_limited';
      readonly retryAfterMs: number;
      readonly shape?: WaitShape;
      readonly scope?: 'chat' | 'account';
    }
  /** A bare HTTP status with a body that is not the platform's. With `written` the write has happened nevertheless. */
  | { readonly kind: 'status'; readonly status: number; readonly written?: boolean }
  /** A refusal in the platform's own shape, with a code that no documentation lists. */
  | { readonly kind: 'refused'; readonly code: number }
  /** The connection is reset and nothing was written. */
  | { readonly kind: 'drop_before' }
  /** The write happens, and the connection is reset in the middle of the answer. */
  | { readonly kind: 'drop_during' }
  /** The write happens, then the connection is reset. */
  | { readonly kind: 'drop_after' }
  /** The answer comes late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The answer sends the caller elsewhere. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** The credentials stop working. */
  | { readonly kind: 'revoked' }
  /** An event reaches the bot this many times in all. */
  | { readonly kind: 'duplicate'; readonly times: number }
  /** An event reaches the bot after the one that follows it. */
  | { readonly kind: 'reorder' }
  /** An event never reaches the bot. */
  | { readonly kind: 'lose' };
export type FaultKind = Fault['kind'];

/** The name under which events on their way to the bot meet the dial. */
export const EVENT_CALL = 'event';
const ofEvents: readonly FaultKind[] = ['duplicate', 'reorder', 'lose'];

export interface FaultRule {
  readonly fault: Fault;
  /** Only this call; absent: every call. */
  readonly call?: string;
  readonly chatId?: string;
  /** How many requests or events it strikes. Default 1; `Infinity` until `clear`. */
  readonly times?: number;
}

/** Faults that wait for matching requests. Rules strike in the order in which they were set. */
export class FaultDial {
  #rules: { rule: FaultRule; left: number }[] = [];

  set(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times ?? 1 });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The rules that wait, and how often each will strike yet. */
  waiting(): readonly FaultRule[] {
    return this.#rules.map(({ rule, left }) => ({ ...rule, times: left }));
  }

  /** The fault that strikes this request, if any; uses it up. Those of events strike none. */
  strike(call: string, chatId?: string): Fault | undefined {
    return this.#take(({ fault }) => !ofEvents.includes(fault.kind), call, chatId);
  }

  /** The fault that strikes an event on its way to the bot. */
  strikeEvent(chatId?: string): Fault | undefined {
    return this.#take(({ fault }) => ofEvents.includes(fault.kind), EVENT_CALL, chatId);
  }

  #take(fits: (rule: FaultRule) => boolean, call: string, chatId: string | undefined): Fault | undefined {
    const hit = this.#rules.find(
      ({ rule, left }) =>
        left > 0 &&
        fits(rule) &&
        (rule.call === undefined || rule.call === call) &&
        (rule.chatId === undefined || rule.chatId === chatId),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) this.#rules = this.#rules.filter((entry) => entry !== hit);
    return hit.rule.fault;
  }
}
