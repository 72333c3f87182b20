import { ApiError, explain } from '../api/errors';

/** A file of an unsent message. */
export interface DraftFile {
  readonly id: string;
  /** The message that the file belongs to. */
  readonly owner: string;
  readonly file: File;
  /** Upload progress between 0 and 1. */
  readonly progress: number;
  /** Set after the upload. */
  readonly uploadId?: string;
  /** The reason why the upload failed. */
  readonly problem?: string;
}

export type Upload = (file: File, onProgress: (part: number) => void, signal: AbortSignal) => Promise<string>;

/** The limits of the service, which also enforces them. */
export const MAX_FILES = 10;
export const MAX_FILE_BYTES = 26_214_400;

/** Uploads the files of unsent messages. Uploads continue, and files are kept, while the user works on another screen. */
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

  /** Adds as many files as the message may have. Returns the number of files that were not added. */
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

  /** Takes the uploads of a message that is being sent. */
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

/** Shows the service's reason if it refused the file. The dashboard has its own text for any other failure. */
function problemOf(error: ApiError): string {
  return error.status === 400 ? (Object.values(error.fields)[0] ?? error.message) : explain(error).title;
}
