import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { TvNetworkRecord, TvProgrammeRecord } from './record.js';
import type { Guide } from './xmltv.js';

/** The television guide, the same for every workspace. */
export interface TvGuide {
  network(id: string): Promise<TvNetworkRecord | undefined>;
  networks(workspaceId: string, query: ListQuery): Promise<ListPage<TvNetworkRecord>>;
  /** Programmes of a network that run at any time from `from` to before `to`. */
  schedule(
    workspaceId: string,
    networkId: string,
    period: { readonly from: Date; readonly to: Date },
    query: ListQuery,
  ): Promise<ListPage<TvProgrammeRecord>>;
}

/** The HTTP validators of a guide, to check later whether it has changed. */
export interface GuideState {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A source that is claimed for reading. */
export interface TakenSource extends GuideState {
  readonly location: string;
}

/**
 * Stores guides. A reading is one pass through a source. At its end, networks and programmes that the source no longer lists are
 * deleted.
 */
export interface TvStore {
  /** Sets the sources in order of precedence, and makes all of them due. */
  setSources(locations: readonly string[]): Promise<void>;
  /** Claims a due source. No other process gets it for half an hour after its last use. */
  take(): Promise<TakenSource | undefined>;
  add(location: string, reading: string, batch: Guide): Promise<void>;
  finish(location: string, reading: string, state: GuideState, againInMinutes: number): Promise<void>;
  /** Schedules the next check. Without a problem, the source has not changed. Entries of earlier readings stay. */
  postpone(location: string, problem: string | null, againInMinutes: number): Promise<void>;
  /** Deletes a batch of programmes that ended long ago. */
  purge(): Promise<void>;
}

/** Opens a guide in a file or at a URL. */
export interface GuideOpener {
  /** Undefined if the guide has not changed. Rejects if it is not available. Reading the text may reject as well. */
  open(
    location: string,
    known: GuideState,
    signal: AbortSignal,
  ): Promise<{ readonly state: GuideState; readonly text: AsyncIterable<string> } | undefined>;
}
