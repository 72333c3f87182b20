import { clock } from '../../contract/clock.js';
import { linkedSignal, PlatformError } from '../../contract/index.js';
import type { Log } from '../common/log.js';
import { OutgoingError } from '../common/outgoing.js';
import { FairWork } from '../shares/fair-work.js';
import { essence, fileName, storedType } from './file-type.js';
import {
  FetchRefused,
  FileTooLarge,
  type MediaDownloads,
  type MediaFiles,
  type MediaOutcome,
  type MediaStore,
  type MediaTask,
  type PlatformMedia,
  type RemoteFile,
  type StagedFile,
} from './ports.js';
import { ATTACHMENT_BYTES } from './upload-file.js';

/** Timeout of one fetch. */
const FETCH_LIMIT_MS = 60_000;
/** Longer than a fetch, so that the worker of an expired lease is dead. */
const LEASE_SECONDS = 90;
/** Waits after transient failures. */
const RETRY_SECONDS = [2, 10, 40];
/** Interval between attempts while the connection is not live, for up to an hour. */
const ABSENT_SECONDS = 30;
const ABSENT_LIMIT_MS = 3_600_000;

/** Maximum number of concurrent fetches in this process. */
const FETCHES_AT_ONCE = 64;
/** Maximum number of waiting jobs per workspace in this process. The sweeper finds other due files. */
const MAX_WAITING = 10_000;
/** The time for fetches in progress when the process stops. */
const STOP_GRACE_MS = 5_000;

/** Fetches the files of attachments from their sources. Rows define the work: a call for a file that is not due has no effect. */
export class FetchMedia {
  readonly #work: FairWork;

  constructor(
    private readonly store: MediaStore,
    private readonly files: MediaFiles,
    private readonly downloads: MediaDownloads,
    private readonly platforms: PlatformMedia,
    private readonly log: Log,
  ) {
    const shares = { capacity: FETCHES_AT_ONCE, maxWaiting: MAX_WAITING };
    this.#work = new FairWork(shares, (id, err) =>
      this.log.error({ err, media_id: id }, 'media.fetch_crashed'),
    );
  }

  /** Fetches a file when its workspace gets a place. Slow or numerous files of one workspace do not delay those of another. */
  ask(workspaceId: string, id: string): void {
    this.#work.ask(workspaceId, id, (stopping) => this.run(id, stopping));
  }

  /** Accepts no more work. Resolves when the fetches in progress have ended or are postponed. */
  stop(): Promise<void> {
    return this.#work.stop(STOP_GRACE_MS);
  }

  async run(id: string, stopping: AbortSignal): Promise<void> {
    const task = await this.store.claim(id, LEASE_SECONDS);
    if (task === undefined) return;
    const startedAt = clock.now();
    try {
      const outcome = await this.#fetch(task, stopping);
      if (outcome === undefined) return;
      this.log.info(
        {
          media_id: id,
          source: task.source,
          outcome: outcome.state,
          try: task.tries,
          duration_ms: clock.now() - startedAt,
        },
        'media.fetched',
      );
    } catch (cause) {
      await this.#failed(task, cause, stopping);
    }
  }

  /** Undefined if the fetch was postponed. */
  async #fetch(task: MediaTask, stopping: AbortSignal): Promise<MediaOutcome | undefined> {
    const limit = linkedSignal(stopping, AbortSignal.timeout(FETCH_LIMIT_MS));
    try {
      const opening = this.#open(task, limit.signal);
      return opening === undefined
        ? await this.#awaitConnection(task)
        : await this.#take(task, opening, limit.signal);
    } finally {
      limit.release();
    }
  }

  async #take(task: MediaTask, opening: Promise<RemoteFile>, limit: AbortSignal): Promise<MediaOutcome> {
    const source = await opening;
    const file = await this.files.stage(until(source.body, limit), ATTACHMENT_BYTES);
    try {
      const outcome = await this.#keep(task, source, file);
      await this.store.finish(task, outcome);
      return outcome;
    } finally {
      await this.files.discard(file);
    }
  }

  #open(task: MediaTask, signal: AbortSignal): Promise<RemoteFile> | undefined {
    if (task.source === 'url') return this.downloads.open(task.source_url ?? '', signal);
    return this.platforms.open(task.connection_id ?? '', task.remote_ref ?? '', signal);
  }

  async #keep(task: MediaTask, source: RemoteFile, file: StagedFile): Promise<MediaOutcome> {
    if (file.sizeBytes === 0) return { state: 'failed', error: 'empty' };
    const facts = await this.files.inspect(file);
    await this.files.keep(file, task.id);
    return {
      state: 'ready',
      name: fileName(source.name) ?? null,
      mime_type: storedType(essence(source.mimeType) ?? essence(task.mime_type), facts),
      size: file.sizeBytes,
      width: facts.width,
      height: facts.height,
      sha256: file.sha256,
    };
  }

  async #awaitConnection(task: MediaTask): Promise<MediaOutcome | undefined> {
    if (clock.now() - Date.parse(task.created_at) < ABSENT_LIMIT_MS) {
      await this.store.postpone(task, ABSENT_SECONDS, false);
      return undefined;
    }
    const outcome = { state: 'failed', error: 'connection_absent' } as const;
    await this.store.finish(task, outcome);
    return outcome;
  }

  async #failed(task: MediaTask, cause: unknown, stopping: AbortSignal): Promise<void> {
    const error = reasonOf(cause);
    const waitSeconds = stopping.aborted ? 0 : isFinal(cause) ? undefined : waitAfter(task.tries, cause);
    this.log.warn(
      { media_id: task.id, source: task.source, reason: error, try: task.tries },
      'media.fetch_failed',
    );
    if (waitSeconds === undefined) await this.store.finish(task, { state: 'failed', error });
    else await this.store.postpone(task, waitSeconds, !stopping.aborted);
  }
}

/** Whether another attempt would get the same response. */
function isFinal(cause: unknown): boolean {
  if (cause instanceof FileTooLarge) return true;
  if (cause instanceof FetchRefused)
    return cause.status < 500 && cause.status !== 408 && cause.status !== 429;
  if (cause instanceof OutgoingError) return cause.problem === 'forbidden_target';
  return cause instanceof PlatformError && cause.problem.kind === 'rejected';
}

function waitAfter(tries: number, cause: unknown): number | undefined {
  const seconds = RETRY_SECONDS[tries - 1];
  if (seconds === undefined) return undefined;
  const asked =
    cause instanceof PlatformError && cause.problem.kind === 'rate_limited' ? cause.problem.retryAfterMs : 0;
  return Math.max(seconds, Math.ceil(Math.min(asked, ABSENT_LIMIT_MS) / 1_000));
}

/** A code for the row and the log. It never contains a URL or a response. */
function reasonOf(cause: unknown): string {
  if (cause instanceof FileTooLarge) return 'too_large';
  if (cause instanceof FetchRefused) return `http_${cause.status}`;
  if (cause instanceof OutgoingError) return cause.problem;
  if (cause instanceof PlatformError) return cause.problem.kind;
  return cause instanceof Error && cause.name === 'TimeoutError' ? 'timeout' : 'connection';
}

/** The bytes of a source until the signal aborts. A source that is slow is cut off like one that hangs. */
async function* until(source: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const bytes = source[Symbol.asyncIterator]();
  let stop: () => void = () => undefined;
  const ended = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  ended.catch(() => undefined);
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await Promise.race([bytes.next(), ended]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', stop);
    // Not awaited, because the source may hang.
    void Promise.resolve(bytes.return?.()).catch(() => undefined);
  }
}
