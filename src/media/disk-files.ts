import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FileFacts, FileTooLarge, type MediaFiles, type StagedFile } from '../core/media/ports.js';
import { inspectFile } from './inspect.js';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A folder is named after the last two digits of its ids, which are random. */
const FOLDERS = 256;
const STAGING = 'staging';
/** Only the user of the service may list or change stored files, whatever the umask. */
const PRIVATE = { recursive: true, mode: 0o700 };
/** Age of a staged file that a dead process left. It is longer than any request or fetch. */
const STALE_MS = 3_600_000;
/** Age of a file after which its row is committed, unless the transaction failed. */
const OLD_MS = 86_400_000;

/** Stores copies as files under one folder. A file is staged, synchronized and then renamed to its id. */
export class DiskFiles implements MediaFiles {
  #next = 0;
  #ready: Promise<unknown> | undefined;

  constructor(private readonly root: string) {}

  async stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedFile> {
    this.#ready ??= mkdir(join(this.root, STAGING), PRIVATE).catch((error: unknown) => {
      // A later attempt may succeed, for example if the disk has room again.
      this.#ready = undefined;
      throw error;
    });
    await this.#ready;
    const path = join(this.root, STAGING, randomUUID());
    try {
      return { path, ...(await write(path, source, maxBytes)) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  inspect(file: StagedFile): Promise<FileFacts> {
    return inspectFile(file.path);
  }

  read(file: StagedFile): AsyncIterable<Uint8Array> {
    return createReadStream(file.path);
  }

  async keep(file: StagedFile, id: string): Promise<void> {
    const folder = this.#folderOf(id);
    await mkdir(folder, PRIVATE);
    await rename(file.path, join(folder, id));
    await synchronise(folder);
  }

  async discard(file: StagedFile): Promise<void> {
    await rm(file.path, { force: true });
  }

  async find(id: string): Promise<{ readonly path: string } | undefined> {
    const path = join(this.#folderOf(id), id);
    return stat(path).then(
      () => ({ path }),
      (error: NodeJS.ErrnoException) => absent(error, undefined),
    );
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.#folderOf(id), id), { force: true });
  }

  async nextOld(): Promise<readonly string[]> {
    const current = this.#next;
    this.#next = (current + 1) % (FOLDERS + 1);
    if (current === FOLDERS) {
      await this.#removeStale();
      return [];
    }
    const folder = join(this.root, current.toString(16).padStart(2, '0'));
    const names = (await list(folder)).filter((name) => ID.test(name));
    return olderThan(folder, names, OLD_MS);
  }

  async #removeStale(): Promise<void> {
    const folder = join(this.root, STAGING);
    const stale = await olderThan(folder, await list(folder), STALE_MS);
    await Promise.all(stale.map((name) => rm(join(folder, name), { force: true })));
  }

  #folderOf(id: string): string {
    return join(this.root, id.slice(-2));
  }
}

async function write(path: string, source: AsyncIterable<Uint8Array>, maxBytes: number) {
  const file = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    let sizeBytes = 0;
    for await (const chunk of source) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxBytes) throw new FileTooLarge(maxBytes);
      hash.update(chunk);
      await file.writeFile(chunk);
    }
    await file.sync();
    return { sizeBytes, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

async function synchronise(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function list(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => absent(error, []));
}

async function olderThan(folder: string, names: readonly string[], ageMs: number): Promise<string[]> {
  const before = Date.now() - ageMs;
  const old: string[] = [];
  for (const name of names) {
    const found = await stat(join(folder, name)).catch((error: NodeJS.ErrnoException) =>
      absent(error, undefined),
    );
    if (found !== undefined && found.mtimeMs < before) old.push(name);
  }
  return old;
}

function absent<T>(error: NodeJS.ErrnoException, instead: T): T {
  if (error.code !== 'ENOENT') throw error;
  return instead;
}
