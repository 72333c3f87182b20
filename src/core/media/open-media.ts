import type { MediaFiles, MediaStore, StoredMedia } from './ports.js';
import { type MediaKey, readMediaToken } from './token.js';

/** A stored copy with the path of its file. */
export interface OpenedMedia extends StoredMedia {
  readonly path: string;
}

/** Finds stored copies for authorized readers. */
export class OpenMedia {
  constructor(
    private readonly store: MediaStore,
    private readonly files: MediaFiles,
  ) {}

  /** The copy of a signed link. Undefined if the link was altered or has expired, or the file is gone. */
  async byToken(token: string, key: MediaKey, nowMs: number): Promise<OpenedMedia | undefined> {
    const id = readMediaToken(token, key, nowMs);
    return id === undefined ? undefined : this.#opened(await this.store.find(id));
  }

  /** For the adapter of a connection, which reads only files of its workspace. */
  async forConnection(connectionId: string, id: string): Promise<OpenedMedia | undefined> {
    return this.#opened(await this.store.findForConnection(connectionId, id));
  }

  async #opened(media: StoredMedia | undefined): Promise<OpenedMedia | undefined> {
    const file = media && (await this.files.find(media.id));
    return media && file && { ...media, path: file.path };
  }
}
