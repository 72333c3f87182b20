import type { Log } from '../common/log.js';
import type { Addresses } from '../platforms/addresses.js';
import { FairWork } from '../shares/fair-work.js';
import type { ClaimedImport, ContactImportWork } from './ports.js';
import { RowReader } from './read-row.js';
import type { ContactImportStatus } from './record.js';

/** Rows of a transaction: few enough that what waits for one of its contacts does not wait long. */
const CHUNK = 50;
/** Imports under way at once in this process. */
const IMPORTS_AT_ONCE = 2;
/** Reminders that are kept here; the sweeper finds what is beyond them. */
const MAX_WAITING = 1_000;
/** A step ends soon, and another process does the next one. */
const STOP_GRACE_MS = 0;

/** Imports the rows of files and undoes imports. Driven by rows: a call for an import without work does nothing. */
export class RunContactImports {
  readonly #work: FairWork;

  constructor(
    private readonly store: ContactImportWork,
    private readonly addresses: Addresses,
    log: Log,
  ) {
    const shares = { capacity: IMPORTS_AT_ONCE, mostWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (id, err) =>
      log.error({ err, contact_import_id: id }, 'contact_import.broke'),
    );
  }

  /** Works on an import once its workspace has its turn. */
  ask(workspaceId: string, id: string): void {
    this.#work.ask(workspaceId, id, (stopping) => this.run(id, stopping));
  }

  /** Takes nothing more; resolves when what is under way has been left to other processes. */
  stop(): Promise<void> {
    return this.#work.stop(STOP_GRACE_MS);
  }

  /** Does step after step while there is work. A process that dies leaves the rest to the one that is reminded next. */
  async run(id: string, stopping: AbortSignal): Promise<void> {
    const claimed = await this.store.claim(id);
    if (claimed === undefined) return;
    const reader = new RowReader(claimed.mapping, this.addresses);
    let status: ContactImportStatus | null = claimed.status;
    while (status === 'running' || status === 'undoing') {
      if (stopping.aborted) return this.store.release(id);
      status = await this.#step(id, status, reader);
    }
  }

  async #step(id: string, status: ClaimedImport['status'], reader: RowReader) {
    if (status === 'undoing') return this.store.undoRows(id, CHUNK);
    const rows = await this.store.nextRows(id, CHUNK);
    return this.store.apply(
      id,
      rows.map((row) => reader.read(row)),
    );
  }
}
