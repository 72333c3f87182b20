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
 * A small file system of the rig's own, in memory. Root mounts it where it is wanted; an ordinary user mounts it in a
 * namespace, which a process holds open and through whose folder in /proc everybody else looks.
 */
export class Volume {
  /** Where it is seen. */
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
    if (status !== 0) throw new Error(`A file system of its own can't be mounted: ${stderr.trim()}`);
    mounted.add(folder);
    this.folder = folder;
  }

  async #hold(folder, mount) {
    const script = '"$@" && echo mounted && exec sleep infinity';
    const line = ['--user', '--map-current-user', '--keep-caps', '--mount', '--', 'sh', '-c', script, 'sh'];
    this.#holder = owned(spawn('unshare', [...line, ...mount], { stdio: ['ignore', 'pipe', 'ignore'] }));
    const [said] = await Promise.race([once(this.#holder.stdout, 'data'), once(this.#holder, 'exit')]);
    if (!String(said).startsWith('mounted')) {
      throw new Error('A file system of its own takes root, or namespaces for ordinary users.');
    }
    this.folder = join('/proc', `${this.#holder.pid}`, 'root', folder);
  }

  /** Takes all the room there is. */
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
