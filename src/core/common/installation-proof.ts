import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The header of `GET /healthz` by which `trunkline doctor` recognizes its own installation. */
export const challengeHeader = 'trunkline-challenge';

/** How a request was forwarded: with headers of a proxy in TRUST_PROXY, with those of another proxy, or without any. */
export type Forwarding = 'none' | 'trusted' | 'untrusted';

export interface Proof {
  readonly proof: string;
  readonly forwarding: Forwarding;
}

const NONCE_BYTES = 16;
const WHOLE = /^[0-9a-f]{32}\.[0-9a-f]{64}$/;

/**
 * Proves to another process with the master key that this process has the same key. A request without the key gets no
 * response, so that unauthenticated clients learn nothing about the proxies.
 */
export class InstallationProof {
  readonly #key: Buffer;

  constructor(masterKey: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', masterKey, '', 'installation proof', 32));
  }

  /** A new, unique value for the header. */
  challenge(): string {
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    return `${nonce}.${this.#mac('ask', nonce)}`;
  }

  /** The response to a challenge. Undefined if the challenge was made without the key. */
  answer(challenge: unknown, forwarding: Forwarding): Proof | undefined {
    if (typeof challenge !== 'string' || !WHOLE.test(challenge)) return undefined;
    const [nonce = '', mac = ''] = challenge.split('.');
    if (!isSame(mac, this.#mac('ask', nonce))) return undefined;
    return { proof: this.#mac('answer', nonce, forwarding), forwarding };
  }

  /** How the challenge reached a process of this installation. Undefined if the responding process does not have the key. */
  verify(challenge: string, answer: unknown): Forwarding | undefined {
    const { proof, forwarding } = (answer ?? {}) as Record<string, unknown>;
    if (typeof proof !== 'string') return undefined;
    const [nonce = ''] = challenge.split('.');
    const ways: readonly Forwarding[] = ['none', 'trusted', 'untrusted'];
    return ways.find((way) => way === forwarding && isSame(proof, this.#mac('answer', nonce, way)));
  }

  #mac(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex');
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
