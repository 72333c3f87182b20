import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = 'faketime/libfaketime.so.1';

/** The path of libfaketime, or undefined if it is not installed. */
export function findFaketime() {
  // Debian and Ubuntu have a folder per architecture.
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => join('/usr/lib', name)) : [];
  return ['/usr/lib', '/usr/lib64', '/usr/local/lib', ...folders]
    .map((folder) => join(folder, LIBRARY))
    .find((path) => existsSync(path));
}

/** A clock for one process. Timers do not use it, as after a step of the system clock. */
export class OwnClock {
  #file;
  #library;

  constructor(library, folder) {
    this.#library = library;
    mkdirSync(folder, { recursive: true });
    this.#file = join(folder, 'own-clock');
    this.move(0);
  }

  /** Environment variables of the process. */
  get env() {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      // A zone with daylight saving time.
      TZ: 'Europe/Berlin',
    };
  }

  /** Sets the offset from the machine's clock, in seconds. */
  move(seconds) {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }
}
