import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sealer, SecretBox, SecretPlace } from '../../core/common/secret-box.js';
import { MasterKeyMismatchError, SecretUnreadableError } from './errors.js';

// version (1) | key id (8) | nonce (12) | ciphertext | tag (16)
const version = 1;
const keyIdBytes = 8;
const nonceBytes = 12;
const tagBytes = 16;
const headBytes = 1 + keyIdBytes;
const keyBytes = 32;
const keptKeys = 1_000;

interface MasterKey {
  readonly id: Buffer;
  readonly key: Buffer;
}

/**
 * AES-256-GCM under a key of the workspace, derived from the master key.
 *
 * The first key seals; the others only open what was sealed with them before.
 */
export class AesSecretBox implements SecretBox, Sealer {
  readonly #current: MasterKey;
  readonly #keys: readonly MasterKey[];
  readonly #derived = new LRUCache<string, Buffer>({ max: keptKeys });

  constructor(current: Buffer, ...former: readonly Buffer[]) {
    this.#current = identified(current);
    this.#keys = [this.#current, ...former.map(identified)];
  }

  /** Recognises the master key that seals; the key can't be computed from it. */
  get keyId(): Buffer {
    return this.#current.id;
  }

  /** The key that seals, and behind it those that only open. */
  get keys(): readonly Buffer[] {
    return this.#keys.map(({ key }) => key);
  }

  /** One of the keys by what recognises it. Raises MasterKeyMismatchError when it is not among them. */
  keyOf(keyId: Buffer): Buffer {
    return this.#find(keyId).key;
  }

  knows(keyId: Buffer): boolean {
    return this.#keys.some(({ id }) => id.equals(keyId));
  }

  async sealer(): Promise<Sealer> {
    return this;
  }

  /** Seals under another one of the keys. Raises MasterKeyMismatchError when it is not among them. */
  sealerWith(keyId: Buffer): Sealer {
    const master = this.#find(keyId);
    return { seal: (plain, place) => this.#seal(master, plain, place) };
  }

  seal(plain: string, place: SecretPlace): Buffer {
    return this.#seal(this.#current, plain, place);
  }

  #seal(master: MasterKey, plain: string, place: SecretPlace): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.#workspaceKey(master, place), nonce);
    cipher.setAAD(authenticated(place));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.from([version]), master.id, nonce, body, cipher.getAuthTag()]);
  }

  open(sealed: Buffer, place: SecretPlace): string {
    const master = this.#keys.find(({ id }) => id.equals(keyIdOf(sealed)));
    if (sealed.length < headBytes + nonceBytes + tagBytes || sealed[0] !== version || master === undefined) {
      throw new SecretUnreadableError();
    }
    const nonce = sealed.subarray(headBytes, headBytes + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.#workspaceKey(master, place), nonce, {
      authTagLength: tagBytes,
    });
    decipher.setAAD(authenticated(place));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    try {
      const body = decipher.update(sealed.subarray(headBytes + nonceBytes, -tagBytes));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    } catch {
      throw new SecretUnreadableError();
    }
  }

  #find(keyId: Buffer): MasterKey {
    const master = this.#keys.find(({ id }) => id.equals(keyId));
    if (master === undefined) throw new MasterKeyMismatchError();
    return master;
  }

  #workspaceKey({ id, key }: MasterKey, { workspaceId }: SecretPlace): Buffer {
    const name = `${id.toString('hex')}:${workspaceId}`;
    const kept = this.#derived.get(name);
    if (kept !== undefined) return kept;
    const derived = Buffer.from(hkdfSync('sha256', key, workspaceId, 'trunkline secrets', keyBytes));
    this.#derived.set(name, derived);
    return derived;
  }
}

/** What recognises the master key of a sealed value. */
export function keyIdOf(sealed: Buffer): Buffer {
  return sealed.subarray(1, headBytes);
}

function identified(key: Buffer): MasterKey {
  const id = createHash('sha256').update('trunkline master key').update(key).digest().subarray(0, keyIdBytes);
  return { id, key };
}

function authenticated({ workspaceId, rowId, field }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([workspaceId, rowId, field, version]));
}
