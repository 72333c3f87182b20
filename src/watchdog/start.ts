import { RecordedHolds } from './adapter-holds.js';
import { rootOf } from './adapter-roots.js';
import { HOME, Watchdog, type WatchdogOptions } from './watchdog.js';

/** What the loader of packages asks and reports. */
export interface PackageWatch {
  /** Why a package may not be loaded. */
  refusalOf(name: string, version: string): string | undefined;
  located(name: string, url: string): void;
  /** What it serves, once that is known. */
  loaded(name: string, url: string, platforms: readonly string[]): void;
}

/** A watched process: the adapters it holds back, and how packages are loaded under watch. */
export interface Watched {
  readonly watchdog: Watchdog;
  readonly holds: RecordedHolds;
  readonly packages: PackageWatch;
}

export function watchAdapters(options: WatchdogOptions): Watched {
  const watchdog = new Watchdog(options);
  const holds = new RecordedHolds(watchdog.ends, options.log);
  const locate = (adapter: string, url: string) => watchdog.locate([{ adapter, path: rootOf(url, HOME) }]);
  const packages: PackageWatch = {
    refusalOf: (name, release) => holds.refusalOf(name, release),
    located: locate,
    loaded(name, url, [platform = name]) {
      // From here on it is known by its platform, as in its connections.
      watchdog.ends.forget(name);
      locate(platform, url);
    },
  };
  return { watchdog, holds, packages };
}
