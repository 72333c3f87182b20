import { clock } from '../../../src/contract/index.js';

const MAX_MS = 86_400_000;
/** Messages are limited by their channel, which the bridge keeps. */
const BY_CHANNEL = 'chat.postMessage';

/**
 * Until when Slack wants its methods not to be called. Each has a limit of its own in a workspace, whoever calls it for
 * whatever chat (docs.slack.dev/apis/web-api/rate-limits); those that only read pass no bucket of the bridge.
 */
export class MethodWaits {
  readonly #until = new Map<string, number>();

  /** Slack asked for a wait in its answer to this call. */
  note(url: string, seconds: number): void {
    const method = methodIn(url);
    if (method === BY_CHANNEL) return;
    this.#until.set(method, clock.now() + Math.min(seconds * 1000, MAX_MS));
  }

  /** Whole seconds that are left; 0 when it may be called. */
  secondsLeft(url: string): number {
    const until = this.#until.get(methodIn(url)) ?? 0;
    return Math.max(0, Math.ceil((until - clock.now()) / 1000));
  }
}

function methodIn(url: string): string {
  return new URL(url).pathname.split('/').at(-1) ?? '';
}
