import type { Pool } from 'pg';
import { v7 as uuid7 } from 'uuid';
import type { SecretBox, SecretLocation } from '../../core/common/secret-box.js';
import type { PushKey, PushKeys } from '../../core/notifications/ports.js';
import { newPushKey } from '../../core/notifications/vapid.js';
import { storePushKey } from '../calls.gen.js';

interface Row {
  readonly id: string;
  readonly public_key: string;
  readonly secret: Buffer;
}

/** The push key pair of the installation, in PostgreSQL. */
export class PostgresPushKeys implements PushKeys {
  constructor(
    private readonly pool: Pool,
    private readonly secrets: SecretBox,
  ) {}

  async key(): Promise<PushKey> {
    const { rows } = await this.pool.query<Row>('SELECT id, public_key, secret FROM push_keys');
    const { id, public_key: publicKey, secret } = rows[0] ?? (await this.#make());
    return { publicKey, privateKey: await this.secrets.open(secret, place(id)) };
  }

  /** When two processes create a key at once, the first key is kept. */
  async #make(): Promise<Row> {
    const id = uuid7();
    const { publicKey, privateKey } = newPushKey();
    const sealer = await this.secrets.sealer(null);
    const sealed = sealer.seal(privateKey, place(id));
    const [kept] = await storePushKey(this.pool, { keyId: id, keyPublic: publicKey, sealed });
    return kept!;
  }
}

/** The key belongs to no workspace. Its own id replaces the workspace id. */
function place(id: string): SecretLocation {
  return { workspaceId: id, rowId: id, field: 'push_keys.secret' };
}
