/** The format in which a 429 states the wait. `native`, the default, is the format of the platform. */
export type WaitShape = 'native' | 'seconds' | 'float' | 'milliseconds' | 'date' | 'absent';
export const waitShapes: readonly WaitShape[] = [
  'native',
  'seconds',
  'float',
  'milliseconds',
  'date',
  'absent',
];

/** A fault of one request or event. */
export type Fault =
  /** A 429 of the platform. It contains `scope` if the platform reports one. `chatId` of the rule limits it to one chat. */
  | {
      readonly kind: 'rate_limited';
      readonly retryAfterMs: number;
      readonly shape?: WaitShape;
      readonly scope?: 'chat' | 'account';
    }
  /** An HTTP status with a body that is not from the platform. With `written`, the write has happened nevertheless. */
  | { readonly kind: 'status'; readonly status: number; readonly written?: boolean }
  /** A refusal in the format of the platform, with an undocumented code. */
  | { readonly kind: 'refused'; readonly code: number }
  /** The connection is reset and nothing was written. */
  | { readonly kind: 'drop_before' }
  /** The write happens, and the connection is reset in the middle of the response. */
  | { readonly kind: 'drop_during' }
  /** The write happens, then the connection is reset. */
  | { readonly kind: 'drop_after' }
  /** The response is delayed. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The response is a redirect. */
  | { readonly kind: 'redirect'; readonly to: string }
  /** The credentials stop working. */
  | { readonly kind: 'revoked' }
  /** An event reaches the bot this many times in total. */
  | { readonly kind: 'duplicate'; readonly times: number }
  /** An event reaches the bot after the one that follows it. */
  | { readonly kind: 'reorder' }
  /** An event never reaches the bot. */
  | { readonly kind: 'lose' };
export type FaultKind = Fault['kind'];

/** The call name of events that are delivered to the bot. */
export const EVENT_CALL = 'event';
const ofEvents: readonly FaultKind[] = ['duplicate', 'reorder', 'lose'];

export interface FaultRule {
  readonly fault: Fault;
  /** Only this call; absent: every call. */
  readonly call?: string;
  /** Calls whose name matches are not affected. */
  readonly spares?: RegExp;
  readonly chatId?: string;
  /** The number of requests or events that it affects. Default 1. `Infinity`: until `clear`. */
  readonly times?: number;
}

/** Faults that wait for matching requests. Rules apply in the order in which they were set. */
export class FaultDial {
  #rules: { rule: FaultRule; left: number }[] = [];

  set(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times ?? 1 });
  }

  clear(): void {
    this.#rules = [];
  }

  /** The remaining rules, each with the number of times that it still applies. */
  waiting(): readonly FaultRule[] {
    return this.#rules.map(({ rule, left }) => ({ ...rule, times: left }));
  }

  /** The fault of this request, if any. Uses it up. Faults of events do not apply to requests. */
  strike(call: string, chatId?: string): Fault | undefined {
    return this.#take(({ fault }) => !ofEvents.includes(fault.kind), call, chatId);
  }

  /** The fault of an event that is delivered to the bot, if any. Uses it up. */
  strikeEvent(chatId?: string): Fault | undefined {
    return this.#take(({ fault }) => ofEvents.includes(fault.kind), EVENT_CALL, chatId);
  }

  #take(fits: (rule: FaultRule) => boolean, call: string, chatId: string | undefined): Fault | undefined {
    const hit = this.#rules.find(
      ({ rule, left }) =>
        left > 0 &&
        fits(rule) &&
        (rule.call === undefined || rule.call === call) &&
        rule.spares?.test(call) !== true &&
        (rule.chatId === undefined || rule.chatId === chatId),
    );
    if (hit === undefined) return undefined;
    hit.left -= 1;
    if (hit.left <= 0) this.#rules = this.#rules.filter((entry) => entry !== hit);
    return hit.rule.fault;
  }
}
