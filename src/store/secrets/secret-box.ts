import { createHash, hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sealer, SecretBox, SecretLocation } from '../../core/common/secret-box.js';
import { decrypt, encrypt, type Key, keyIdBytes, keyIdOf, Version, versionOf } from './aes.js';
import { MasterKeyMismatchError, SecretUnreadableError } from './errors.js';

export { keyIdOf } from './aes.js';

const keyBytes = 32;
const MAX_DERIVED_KEYS = 1_000;

/** A master key in both of its uses. Each use has its own id, so that the database can name it. */
interface MasterKey {
  readonly id: Buffer;
  readonly key: Buffer;
  readonly wrapping: Key;
}

/**
 * The master keys of a process. The first one seals and wraps. The others only open what was sealed with them before.
 *
 * The first key wraps the random keys of workspaces. Values that are sealed under a derived key of their workspace are from
 * former releases.
 */
export class AesSecretBox implements SecretBox, Sealer {
  readonly #current: MasterKey;
  readonly #keys: readonly MasterKey[];
  readonly #derived = new LRUCache<string, Buffer>({ max: MAX_DERIVED_KEYS });

  constructor(current: Buffer, ...former: readonly Buffer[]) {
    this.#current = identified(current);
    this.#keys = [this.#current, ...former.map(identified)];
  }

  /** Id of the current master key in its use for derived keys. The key can't be computed from it. */
  get keyId(): Buffer {
    return this.#current.id;
  }

  /** Id of the current master key in its use for wrapping. */
  get wrappingId(): Buffer {
    return this.#current.wrapping.id;
  }

  /** Ids of all keys in all uses, except the current master key in its use for wrapping. */
  get replacedIds(): readonly Buffer[] {
    const ids = this.#keys.flatMap(({ id, wrapping }) => [id, wrapping.id]);
    return ids.filter((id) => !id.equals(this.wrappingId));
  }

  /** The key that seals, followed by the keys that only open. */
  get keys(): readonly Buffer[] {
    return this.#keys.map(({ key }) => key);
  }

  /** The key with this id. Raises MasterKeyMismatchError when it is not among them. */
  keyOf(keyId: Buffer): Buffer {
    return this.#find(keyId).key;
  }

  knows(keyId: Buffer): boolean {
    return this.#keys.some((master) => isNamed(master, keyId));
  }

  /** Whether the id names a key that wraps. */
  wrapsWith(keyId: Buffer): boolean {
    return this.#keys.some(({ wrapping }) => wrapping.id.equals(keyId));
  }

  async sealer(): Promise<Sealer> {
    return this;
  }

  /** Seals under the key with this id. Raises MasterKeyMismatchError when it is not among them. */
  sealerWith(keyId: Buffer): Sealer {
    const master = this.#find(keyId);
    return { seal: (plain, place) => this.#seal(master, plain, place) };
  }

  seal(plain: string, place: SecretLocation): Buffer {
    return this.#seal(this.#current, plain, place);
  }

  open(sealed: Buffer, place: SecretLocation): string {
    const master = this.#keys.find(({ id }) => id.equals(keyIdOf(sealed)));
    if (master === undefined) throw new SecretUnreadableError();
    return decrypt(this.#derivedKey(master, place), sealed, contextOf(place)).toString('utf8');
  }

  /** Wraps with the key with this id. Raises MasterKeyMismatchError when it is not among them. */
  wrap(plain: Buffer, context: readonly string[], keyId: Buffer = this.wrappingId): Buffer {
    return encrypt(this.#find(keyId).wrapping, plain, context);
  }

  /** Raises SecretUnreadableError. */
  unwrap(wrapped: Buffer, context: readonly string[]): Buffer {
    const master = this.#keys.find(({ wrapping }) => wrapping.id.equals(keyIdOf(wrapped)));
    if (master === undefined) throw new SecretUnreadableError();
    return decrypt(master.wrapping, wrapped, context);
  }

  #seal(master: MasterKey, plain: string, place: SecretLocation): Buffer {
    return encrypt(this.#derivedKey(master, place), Buffer.from(plain, 'utf8'), contextOf(place));
  }

  #find(keyId: Buffer): MasterKey {
    const master = this.#keys.find((each) => isNamed(each, keyId));
    if (master === undefined) throw new MasterKeyMismatchError();
    return master;
  }

  #derivedKey({ id, key }: MasterKey, { workspaceId }: SecretLocation): Key {
    const name = `${id.toString('hex')}:${workspaceId}`;
    const kept = this.#derived.get(name) ?? derive(key, workspaceId, 'trunkline secrets');
    this.#derived.set(name, kept);
    return { version: Version.derived, id, key: kept };
  }
}

/** The context that a sealed value is bound to. */
export function contextOf({ workspaceId, rowId, field }: SecretLocation): string[] {
  return [workspaceId, rowId, field];
}

/** Whether a value is sealed under a key that is derived from a master key, as former releases did. */
export function isDerived(sealed: Buffer): boolean {
  return versionOf(sealed) === Version.derived;
}

function isNamed({ id, wrapping }: MasterKey, keyId: Buffer): boolean {
  return id.equals(keyId) || wrapping.id.equals(keyId);
}

function identified(key: Buffer): MasterKey {
  const wrappingKey = derive(key, '', 'trunkline key wrapping');
  const wrapping = { version: Version.wrapped, id: idOf('trunkline wrapping key', key), key: wrappingKey };
  return { id: idOf('trunkline master key', key), key, wrapping };
}

function idOf(use: string, key: Buffer): Buffer {
  return createHash('sha256').update(use).update(key).digest().subarray(0, keyIdBytes);
}

function derive(key: Buffer, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, keyBytes));
}
