import { clock } from '../../contract/clock.js';
import { waitMsIn } from '../../contract/retry-after.js';
import { OutgoingError, type OutgoingRequests } from '../common/outgoing.js';
import { encryptPush } from './encrypt.js';
import type { PushKeys, PushTarget } from './ports.js';
import { vapidHeader } from './vapid.js';

/** How long a push service keeps a push for an offline browser. A push for a ringing call has its own time. */
const TTL_SECONDS = 4 * 60 * 60;
const FORGOTTEN = [404, 410];
const TOO_MANY = 429;
const FAILING = 500;

/** The payload for the service worker of the dashboard. */
export interface PushPayload {
  /** A later push with the same tag replaces this one. */
  readonly tag: string;
  /** A repeated push has the same id and does not alert again. */
  readonly id: string;
  /** Null: the service worker uses its own text. */
  readonly title: string | null;
  readonly body: string | null;
  /** The page to open. */
  readonly path: string;
  /** A ringing or missed call. */
  readonly call?: { readonly id: string; readonly type: 'voice' | 'video'; readonly is_missed: boolean };
}

/** The result of a push. `later`: the same push may succeed, after `waitMs` if the service named a time. */
export type PushOutcome =
  | { readonly result: 'sent' | 'gone' }
  | { readonly result: 'refused'; readonly status: number | null }
  | { readonly result: 'later'; readonly status: number | null; readonly waitMs: number | undefined };

/** Sends single pushes. */
export class PushSender {
  constructor(
    private readonly keys: PushKeys,
    private readonly client: OutgoingRequests,
    private readonly publicUrl: () => string,
  ) {}

  /** The push service keeps the push for `ttlSeconds`. */
  async send(target: PushTarget, payload: PushPayload, ttlSeconds = TTL_SECONDS): Promise<PushOutcome> {
    const key = await this.keys.key();
    const headers = {
      authorization: vapidHeader(target.endpoint, this.#contact(), key, clock.now()),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency: 'high',
      topic: payload.tag.replaceAll('-', ''),
    };
    const body = encryptPush(Buffer.from(JSON.stringify(payload)), target);
    try {
      const answer = await this.client.request({ url: target.endpoint, method: 'POST', headers, body });
      return outcomeOf(answer.status, answer.headers['retry-after']);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      if (error.problem === 'forbidden_target') return { result: 'refused', status: null };
      return { result: 'later', status: null, waitMs: undefined };
    }
  }

  /** The contact of the operator for push services. */
  #contact(): string {
    const url = this.publicUrl();
    return url.startsWith('https://') ? url : 'mailto:trunkline@localhost';
  }
}

function outcomeOf(status: number, retryAfter: string | string[] | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { result: 'sent' };
  if (FORGOTTEN.includes(status)) return { result: 'gone' };
  if (status !== TOO_MANY && status < FAILING) return { result: 'refused', status };
  const waitMs = typeof retryAfter === 'string' ? waitMsIn(retryAfter, clock.now()) : undefined;
  return { result: 'later', status, waitMs };
}
