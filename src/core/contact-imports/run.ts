import type { Log } from '../common/log.js';
import type { Addresses } from '../platforms/addresses.js';
import { FairWork } from '../shares/fair-work.js';
import type { ClaimedImport, ContactImportWork } from './ports.js';
import { RowReader } from './read-row.js';
import type { ContactImportStatus } from './record.js';

/** Rows per transaction. Small, so that transactions that wait for one of these contacts do not wait long. */
const CHUNK = 50;
/** Imports that run at once in this process. */
const IMPORTS_AT_ONCE = 2;
/** Maximum number of reminders kept in this process. The sweeper finds the imports of the others. */
const MAX_WAITING = 1_000;
/** A step is short, and another process runs the next one. */
const STOP_GRACE_MS = 0;

/** Imports the rows of files and undoes imports. All state is in rows: a call for an import without work does nothing. */
export class RunContactImports {
  readonly #work: FairWork;

  constructor(
    private readonly store: ContactImportWork,
    private readonly addresses: Addresses,
    log: Log,
  ) {
    const shares = { capacity: IMPORTS_AT_ONCE, maxWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (id, err) =>
      log.error({ err, contact_import_id: id }, 'contact_import.run_failed'),
    );
  }

  /** Queues an import. It runs when the fair share of its workspace allows it. */
  ask(workspaceId: string, id: string): void {
    this.#work.ask(workspaceId, id, (stopping) => this.run(id, stopping));
  }

  /** Accepts no further imports. Resolves when the imports in progress have been released to other processes. */
  stop(): Promise<void> {
    return this.#work.stop(STOP_GRACE_MS);
  }

  /** Runs steps while work is left. If the process dies, the process with the next reminder continues. */
  async run(id: string, stopping: AbortSignal): Promise<void> {
    const claimed = await this.store.claim(id);
    if (claimed === undefined) return;
    const reader = new RowReader(claimed.mapping, this.addresses.of('live'));
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
