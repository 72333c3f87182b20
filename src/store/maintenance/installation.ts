import type { Pool } from 'pg';
import { recogniseInstallation } from '../calls.gen.js';
import type { Notifications } from '../connection/notifications.js';

/** Identifies the location of the database, as the database and the process know it. */
export type DatabaseLocation = Readonly<Record<string, string>>;

/** A difference between the location that the database recorded and the one where it was found. */
export type Difference = 'system' | 'database' | 'table' | 'files' | 'machine';

const CHANNEL = 'installation';

/** Detects whether this is the database that the installation last ran on, or a copy of it. */
export class Installation {
  constructor(
    private readonly pool: Pool,
    private readonly location: DatabaseLocation,
  ) {}

  /** Empty when the database is the one that the installation knows. The first database that is checked becomes the known one. */
  async differences(): Promise<readonly Difference[]> {
    return this.#recognise(false);
  }

  /** Makes this database the one of the installation, and notifies the paused processes. */
  async adopt(): Promise<void> {
    await this.#recognise(true);
  }

  /** When the database was last adopted. */
  async adoptedAt(): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ at: string | null }>(
      `SELECT place->>'adopted' AS at FROM installation`,
    );
    return rows[0]?.at ?? undefined;
  }

  /**
   * Calls `adopted` when the database was adopted, here or by another process. Calls `missed` when a notification of that may have
   * been missed.
   */
  async onAdopted(
    notifications: Notifications,
    { adopted, missed }: { readonly adopted: () => void; readonly missed: () => void },
  ): Promise<void> {
    await notifications.listen(CHANNEL, adopted);
    notifications.onReconnect(missed);
  }

  #recognise(adopt: boolean): Promise<readonly Difference[]> {
    return recogniseInstallation(this.pool, { here: this.location, adopt });
  }
}
