import { ApiError, explain } from '../api/errors';

/** A file of a message that is being written. */
export interface DraftFile {
  readonly id: string;
  /** The message that it is for. */
  readonly owner: string;
  readonly file: File;
  /** Between 0 and 1. */
  readonly progress: number;
  /** Known when the service has the file. */
  readonly uploadId?: string;
  /** Why the service does not have it. */
  readonly problem?: string;
}

export type Upload = (file: File, onProgress: (part: number) => void, signal: AbortSignal) => Promise<string>;

/** The limits of the service, which checks them as well. */
export const MAX_FILES = 10;
export const MAX_FILE_BYTES = 26_214_400;

/** Uploads the files of unsent messages. They go on and stay while the person does something else. */
export class DraftFiles {
  #files: readonly DraftFile[] = [];
  #count = 0;
  readonly #uploads = new Map<string, AbortController>();
  readonly #watchers = new Set<() => void>();

  constructor(
    private readonly upload: Upload,
    private readonly tooLarge: () => string,
  ) {}

  get files(): readonly DraftFile[] {
    return this.#files;
  }

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  /** Takes as many as the message may have; answers how many it could not take. */
  add(owner: string, files: readonly File[]): number {
    const room = MAX_FILES - this.of(owner).length;
    const taken = files.slice(0, Math.max(0, room));
    for (const file of taken) {
      const draft = { id: `file ${this.#count++}`, owner, file, progress: 0 };
      const isTooLarge = file.size > MAX_FILE_BYTES;
      this.#set([...this.#files, isTooLarge ? { ...draft, problem: this.tooLarge() } : draft]);
      if (!isTooLarge) void this.#store(draft);
    }
    return files.length - taken.length;
  }

  of(owner: string): readonly DraftFile[] {
    return this.#files.filter((each) => each.owner === owner);
  }

  remove(id: string): void {
    this.#uploads.get(id)?.abort();
    this.#uploads.delete(id);
    this.#set(this.#files.filter((each) => each.id !== id));
  }

  /** The uploads of a message that is sent now. */
  take(owner: string): string[] {
    const ids = this.of(owner).flatMap(({ uploadId }) => uploadId ?? []);
    this.#set(this.#files.filter((each) => each.owner !== owner));
    return ids;
  }

  async #store({ id, file }: DraftFile): Promise<void> {
    const controller = new AbortController();
    this.#uploads.set(id, controller);
    try {
      const progress = (part: number) => this.#change(id, { progress: part });
      this.#change(id, { uploadId: await this.upload(file, progress, controller.signal), progress: 1 });
    } catch (error) {
      this.#change(id, { problem: error instanceof ApiError ? problemOf(error) : String(error) });
    } finally {
      this.#uploads.delete(id);
    }
  }

  #change(id: string, change: Partial<DraftFile>): void {
    this.#set(this.#files.map((each) => (each.id === id ? { ...each, ...change } : each)));
  }

  #set(files: readonly DraftFile[]): void {
    this.#files = files;
    for (const watcher of this.#watchers) watcher();
  }
}

/** A refusal of the file names its reason; every other failure has a text of the dashboard. */
function problemOf(error: ApiError): string {
  return error.status === 400 ? (Object.values(error.fields)[0] ?? error.message) : explain(error).title;
}
