import type { Pool } from 'pg';
import type { Sealer, SecretBox, SecretPlace } from '../../core/common/secret-box.js';
import { MasterKeyMismatchError } from './errors.js';
import { readKeyState } from './master-key.js';
import type { AesSecretBox } from './secret-box.js';

/**
 * The secrets of a running process. The database names the key that seals, so that all processes change it in the same moment,
 * and a process that knows only the former key seals nothing that others have to open.
 */
export class InstallationSecretBox implements SecretBox {
  constructor(
    private readonly pool: Pool,
    private readonly box: AesSecretBox,
  ) {}

  async sealer(): Promise<Sealer> {
    const state = await readKeyState(this.pool);
    if (state === undefined) throw new MasterKeyMismatchError();
    return this.box.sealerWith(state.sealing);
  }

  open(sealed: Buffer, place: SecretPlace): string {
    return this.box.open(sealed, place);
  }
}
