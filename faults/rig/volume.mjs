import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { owned } from './owned.mjs';

const PIECE = Buffer.alloc(65_536, 1);
const mounted = new Set();

process.once('exit', () => {
  for (const folder of mounted) spawnSync('umount', ['--lazy', folder]);
});

/**
 * A small file system in memory. Root mounts it directly. An ordinary user mounts it in a namespace that a process holds open,
 * and other processes access it through the folder of that process in /proc.
 */
export class Volume {
  /** Its path. */
  folder;
  #holder;

  static async create(folder, megabytes) {
    const volume = new Volume();
    await mkdir(folder, { recursive: true });
    const mount = ['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder];
    if (process.getuid() === 0) await volume.#mount(folder, mount);
    else await volume.#hold(folder, mount);
    return volume;
  }

  async #mount(folder, [command, ...rest]) {
    const { status, stderr } = spawnSync(command, rest, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`Could not mount a file system: ${stderr.trim()}`);
    mounted.add(folder);
    this.folder = folder;
  }

  async #hold(folder, mount) {
    const script = '"$@" && echo mounted && exec sleep infinity';
    const line = ['--user', '--map-current-user', '--keep-caps', '--mount', '--', 'sh', '-c', script, 'sh'];
    this.#holder = owned(spawn('unshare', [...line, ...mount], { stdio: ['ignore', 'pipe', 'ignore'] }));
    const [output] = await Promise.race([once(this.#holder.stdout, 'data'), once(this.#holder, 'exit')]);
    if (!String(output).startsWith('mounted')) {
      throw new Error('Mounting a file system requires root, or user namespaces for ordinary users.');
    }
    this.folder = join('/proc', `${this.#holder.pid}`, 'root', folder);
  }

  /** Fills all free space. */
  async fill() {
    const file = await open(this.#ballast, 'a');
    try {
      for (;;) await file.write(PIECE);
    } catch (error) {
      if (error.code !== 'ENOSPC') throw error;
    } finally {
      await file.close();
    }
  }

  async free() {
    await rm(this.#ballast, { force: true });
  }

  get #ballast() {
    return join(this.folder, 'ballast');
  }

  async close() {
    if (this.#holder === undefined) {
      spawnSync('umount', ['--lazy', this.folder]);
      mounted.delete(this.folder);
    } else this.#holder.kill('SIGKILL');
  }
}
