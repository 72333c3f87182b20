import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = 'faketime/libfaketime.so.1';

/** The path of libfaketime; undefined where it is not installed. */
export function findFaketime() {
  // Debian and Ubuntu have a folder per kind of processor.
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [];
  return ['/usr/lib', '/usr/lib64', '/usr/local/lib', ...folders]
    .map((folder) => join(folder, LIBRARY))
    .find((path) => existsSync(path));
}

/** A clock that one process alone goes by. Its timers are those of the machine, as after a step of the system clock. */
export class OwnClock {
  #file;
  #library;

  constructor(library, folder) {
    this.#library = library;
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'own-clock');
    this.move(0);
  }

  /** What the process is started with. */
  get env() {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // Summer time begins and ends here.
      TZ: 'Europe/Berlin',
    };
  }

  /** From now on it shows so many seconds more than the machine's, or fewer. */
  move(seconds) {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }
}
