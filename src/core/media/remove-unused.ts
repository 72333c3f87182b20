import type { MediaFiles, MediaStore } from './ports.js';

const AT_ONCE = 100;

/** Removes unused files. Each call processes one batch. A later call completes work that a crash interrupted. */
export class RemoveUnusedMedia {
  constructor(
    private readonly store: MediaStore,
    private readonly files: MediaFiles,
  ) {}

  async execute(): Promise<void> {
    const expired = await this.store.expire(AT_ONCE);
    for (const id of expired) await this.files.remove(id);
    if (expired.length > 0) await this.store.forget(expired);
    await this.#removeStrays();
  }

  /** Removes files of processes that died before the row was committed. */
  async #removeStrays(): Promise<void> {
    const old = await this.files.nextOld();
    if (old.length === 0) return;
    const known = await this.store.known(old);
    for (const id of old) if (!known.has(id)) await this.files.remove(id);
  }
}
