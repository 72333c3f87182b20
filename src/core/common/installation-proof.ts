import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** The header of `GET /healthz` by which `trunkline doctor` recognises its own installation. */
export const challengeHeader = 'trunkline-challenge';

/** How a request came: with the headers of a proxy that TRUST_PROXY names, of another one, or of none. */
export type Forwarding = 'none' | 'trusted' | 'untrusted';

export interface Proof {
  readonly proof: string;
  readonly forwarding: Forwarding;
}

const NONCE_BYTES = 16;
const WHOLE = /^[0-9a-f]{32}\.[0-9a-f]{64}$/;

/**
 * Proves that a process has the master key of this installation, to another process that has it. What asks without the key gets
 * no answer, so that a stranger learns nothing about the proxies.
 */
export class InstallationProof {
  readonly #key: Buffer;

  constructor(masterKey: Buffer) {
    this.#key = Buffer.from(hkdfSync('sha256', masterKey, '', 'installation proof', 32));
  }

  /** A value for the header that no one has seen before. */
  challenge(): string {
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    return `${nonce}.${this.#mac('ask', nonce)}`;
  }

  /** Undefined for a challenge that was made without the key. */
  answer(challenge: unknown, forwarding: Forwarding): Proof | undefined {
    if (typeof challenge !== 'string' || !WHOLE.test(challenge)) return undefined;
    const [nonce = '', mac = ''] = challenge.split('.');
    if (!isSame(mac, this.#mac('ask', nonce))) return undefined;
    return { proof: this.#mac('answer', nonce, forwarding), forwarding };
  }

  /** How the challenge came to a process of this installation. Undefined: what answered has not the key. */
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
