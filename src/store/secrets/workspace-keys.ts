import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { type Key, keyIdOf, newKeyId, Version, versionOf } from './aes.js';
import { SecretUnreadableError } from './errors.js';
import { isReadable } from './is-readable.js';
import type { AesSecretBox } from './secret-box.js';

/** The random key that seals the secrets of a workspace. A null workspace means secrets that belong to no workspace. */
export interface WorkspaceKey extends Key {
  readonly workspaceId: string | null;
}

/** A row of `workspace_keys`. */
export interface WrappedKey {
  readonly key_id: Buffer;
  readonly workspace_id: string | null;
  readonly wrapped: Buffer;
}

/** Maximum number of unwrapped keys in memory. For another workspace, opening a secret costs a read by primary key. */
const MAX_KEYS = 10_000;
const PAGE = 200;
const KEY_BYTES = 32;
const FIND = 'SELECT key_id, workspace_id, wrapped FROM workspace_keys WHERE key_id = $1';
const FIND_OF = 'SELECT key_id, workspace_id, wrapped FROM workspace_keys WHERE workspace_id = $1';
const FIND_SHARED = 'SELECT key_id, workspace_id, wrapped FROM workspace_keys WHERE workspace_id IS NULL';
// When two processes create a key at once, the first key is kept.
const ADD = `
  INSERT INTO workspace_keys (key_id, workspace_id, wrapped) VALUES ($1, $2, $3)
  ON CONFLICT (workspace_id) DO NOTHING`;
const WRAP_AGAIN = `
  UPDATE workspace_keys k SET wrapped = n.wrapped
  FROM unnest($1::bytea[], $2::bytea[], $3::bytea[]) AS n (key_id, former, wrapped)
  WHERE k.key_id = n.key_id AND k.wrapped = n.former`;

/** The keys of workspaces: created once, wrapped by the master key in the database, unwrapped in memory. */
export class WorkspaceKeys {
  readonly #known = new LRUCache<string, WorkspaceKey>({ max: MAX_KEYS });

  constructor(
    private readonly pool: Pool,
    private readonly box: AesSecretBox,
  ) {}

  /** The key of a workspace. If there is none, it is created and wrapped by the master key of this id. */
  async of(workspaceId: string | null, masterKeyId: Buffer): Promise<WorkspaceKey> {
    const found = (await this.#find(workspaceId)) ?? (await this.#make(workspaceId, masterKeyId));
    return this.#known.get(nameOf(found.key_id)) ?? this.#keep(found);
  }

  /** The key that sealed a value. Raises SecretUnreadableError. */
  async sealing(sealed: Buffer): Promise<WorkspaceKey> {
    if (versionOf(sealed) !== Version.workspace) throw new SecretUnreadableError();
    const keyId = keyIdOf(sealed);
    const known = this.#known.get(nameOf(keyId));
    if (known !== undefined) return known;
    const { rows } = await this.pool.query<WrappedKey>(FIND, [keyId]);
    if (rows[0] === undefined) throw new SecretUnreadableError();
    return this.#keep(rows[0]);
  }

  #keep(row: WrappedKey): WorkspaceKey {
    const key = unwrapKey(this.box, row);
    this.#known.set(nameOf(row.key_id), key);
    return key;
  }

  async #find(workspaceId: string | null): Promise<WrappedKey | undefined> {
    const found =
      workspaceId === null
        ? await this.pool.query<WrappedKey>(FIND_SHARED)
        : await this.pool.query<WrappedKey>(FIND_OF, [workspaceId]);
    return found.rows[0];
  }

  async #make(workspaceId: string | null, masterKeyId: Buffer): Promise<WrappedKey> {
    const keyId = newKeyId();
    const wrapped = this.box.wrap(randomBytes(KEY_BYTES), contextOf(keyId, workspaceId), masterKeyId);
    await this.pool.query(ADD, [keyId, workspaceId, wrapped]);
    const made = await this.#find(workspaceId);
    if (made === undefined) throw new Error('The workspace has ended.');
    return made;
  }
}

/**
 * Raises SecretUnreadableError when the key was altered, belongs to another workspace, or is wrapped by no master key of the box.
 */
export function unwrapKey(
  box: AesSecretBox,
  { key_id: id, workspace_id, wrapped }: WrappedKey,
): WorkspaceKey {
  const key = box.unwrap(wrapped, contextOf(id, workspace_id));
  return { version: Version.workspace, id, key, workspaceId: workspace_id };
}

/** Wraps a page of keys with the current master key of the box. Keys that the box can't open are not changed. */
export async function wrapAgain(pool: Pool, box: AesSecretBox, page: readonly WrappedKey[]): Promise<number> {
  const found: WrappedKey[] = [];
  for (const row of page) {
    if (!keyIdOf(row.wrapped).equals(box.wrappingId) && (await isReadable(() => unwrapKey(box, row))))
      found.push(row);
  }
  if (found.length === 0) return 0;
  const wrapped = found.map((row) =>
    box.wrap(unwrapKey(box, row).key, contextOf(row.key_id, row.workspace_id)),
  );
  const values = [found.map((row) => row.key_id), found.map((row) => row.wrapped), wrapped];
  return (await pool.query(WRAP_AGAIN, values)).rowCount ?? 0;
}

function nameOf(keyId: Buffer): string {
  return keyId.toString('hex');
}

function contextOf(keyId: Buffer, workspaceId: string | null): string[] {
  return [workspaceId ?? '', nameOf(keyId), 'workspace_keys'];
}

/** Display name of a key. */
export function keyName({ workspace_id }: WrappedKey): string {
  return workspace_id === null ? 'key of the installation' : `key of workspace ${workspace_id}`;
}

/** All keys, in pages. */
export async function* wrappedKeys(pool: Pool): AsyncIterable<readonly WrappedKey[]> {
  for (let last: Buffer | undefined = Buffer.alloc(0); last !== undefined; ) {
    const { rows }: { rows: WrappedKey[] } = await pool.query<WrappedKey>(
      `SELECT key_id, workspace_id, wrapped FROM workspace_keys WHERE key_id > $1 ORDER BY key_id LIMIT ${PAGE}`,
      [last],
    );
    if (rows.length > 0) yield rows;
    last = rows.at(-1)?.key_id;
  }
}
