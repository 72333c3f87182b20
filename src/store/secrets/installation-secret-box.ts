import type { Pool } from 'pg';
import type { Sealer, SecretBox, SecretLocation } from '../../core/common/secret-box.js';
import { decrypt, encrypt } from './aes.js';
import { MasterKeyMismatchError, SecretUnreadableError } from './errors.js';
import { readKeyState } from './master-key.js';
import { type AesSecretBox, contextOf, isDerived } from './secret-box.js';
import { type WorkspaceKey, WorkspaceKeys } from './workspace-keys.js';

/**
 * Maximum number of attempts. A rotation can end after the wrapping master key was read and before a key that it wraps is stored.
 */
const MAX_TRIES = 3;

/**
 * Seals and opens the secrets of a running process. The database names the master key, so that all processes switch keys at the
 * same moment. A process that knows only the former key then seals nothing that other processes must open.
 */
export class InstallationSecretBox implements SecretBox {
  readonly #keys: WorkspaceKeys;

  constructor(
    private readonly pool: Pool,
    private readonly box: AesSecretBox,
  ) {
    this.#keys = new WorkspaceKeys(pool, box);
  }

  async sealer(workspaceId: string | null): Promise<Sealer> {
    for (let tries = 1; ; tries += 1) {
      const { sealing } = await this.#state();
      if (!this.box.wrapsWith(sealing)) return this.box.sealerWith(sealing);
      try {
        return sealerOf(await this.#keys.of(workspaceId, sealing));
      } catch (error) {
        if (tries === MAX_TRIES || (await this.#state()).sealing.equals(sealing)) throw error;
      }
    }
  }

  async open(sealed: Buffer, place: SecretLocation): Promise<string> {
    if (isDerived(sealed)) return this.box.open(sealed, place);
    const key = await this.#keys.sealing(sealed);
    if (!isFor(key, place)) throw new SecretUnreadableError();
    return decrypt(key, sealed, contextOf(place)).toString('utf8');
  }

  async #state() {
    const state = await readKeyState(this.pool);
    if (state === undefined) throw new MasterKeyMismatchError();
    return state;
  }
}

function sealerOf(key: WorkspaceKey): Sealer {
  return {
    seal: (plain, place) => {
      if (!isFor(key, place)) throw new Error('The secret belongs to another workspace than its key.');
      return encrypt(key, Buffer.from(plain, 'utf8'), contextOf(place));
    },
  };
}

function isFor({ workspaceId }: WorkspaceKey, place: SecretLocation): boolean {
  return workspaceId === null || workspaceId === place.workspaceId;
}
