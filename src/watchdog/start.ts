import { RecordedHolds } from './adapter-holds.js';
import { rootOf } from './adapter-roots.js';
import { HOME, Watchdog, type WatchdogOptions } from './watchdog.js';

/** Queries and reports of the package loader. */
export interface PackageWatch {
  /** Why a package may not be loaded. */
  refusalOf(name: string, version: string): string | undefined;
  located(name: string, url: string): void;
  /** Reports the platforms of a loaded package. */
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
      // From here on, the adapter is recorded under its platform's name, as in its connections.
      watchdog.ends.forget(name);
      locate(platform, url);
    },
  };
  return { watchdog, holds, packages };
}
