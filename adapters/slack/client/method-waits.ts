import { clock } from '../../../src/contract/index.js';

const MAX_MS = 86_400_000;
/** The bridge itself enforces the limit of this method, because the limit is per channel. */
const BY_CHANNEL = 'chat.postMessage';

/**
 * Tracks how long each method is rate limited. Each method has its own limit per workspace, for all chats and callers
 * (docs.slack.dev/apis/web-api/rate-limits). Read methods have no bucket in the bridge.
 */
export class MethodWaits {
  readonly #until = new Map<string, number>();

  /** Records the wait of a response. */
  note(url: string, seconds: number): void {
    const method = methodIn(url);
    if (method === BY_CHANNEL) return;
    this.#until.set(method, clock.now() + Math.min(seconds * 1000, MAX_MS));
  }

  /** Remaining wait in whole seconds; 0 if the call is allowed. */
  secondsLeft(url: string): number {
    const until = this.#until.get(methodIn(url)) ?? 0;
    return Math.max(0, Math.ceil((until - clock.now()) / 1000));
  }
}

function methodIn(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
