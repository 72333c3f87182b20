import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import type { TvNetworkRecord, TvProgrammeRecord } from './record.js';
import type { Guide } from './xmltv.js';

/** The television guide, the same for every workspace. */
export interface TvGuide {
  network(id: string): Promise<TvNetworkRecord | undefined>;
  networks(workspaceId: string, query: ListQuery): Promise<ListPage<TvNetworkRecord>>;
  /** Programmes of a network that run at some moment from `from` to before `to`. */
  schedule(
    workspaceId: string,
    networkId: string,
    period: { readonly from: Date; readonly to: Date },
    query: ListQuery,
  ): Promise<ListPage<TvProgrammeRecord>>;
}

/** What a server said of a guide, to ask later whether it is still the same. */
export interface GuideState {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** A source that is taken for reading. */
export interface TakenSource extends GuideState {
  readonly location: string;
}

/** Where guides are kept. A reading is one pass through a source; what it does not name ends with it. */
export interface TvStore {
  /** Makes these the sources, in order of precedence, and all of them due. */
  setSources(locations: readonly string[]): Promise<void>;
  /** Takes a source that is due; no other process gets it for half an hour after its last use. */
  take(): Promise<TakenSource | undefined>;
  add(location: string, reading: string, batch: Guide): Promise<void>;
  finish(location: string, reading: string, state: GuideState, againInMinutes: number): Promise<void>;
  /** Without a problem: it was as before. What was read earlier stays. */
  postpone(location: string, problem: string | null, againInMinutes: number): Promise<void>;
  /** Removes a batch of the programmes that are long over. */
  purge(): Promise<void>;
}

/** Opens a guide at a file or an address. */
export interface GuideOpener {
  /** Undefined when it is still the same. Rejects when it can't be had; so does reading on. */
  open(
    location: string,
    known: GuideState,
    signal: AbortSignal,
  ): Promise<{ readonly state: GuideState; readonly text: AsyncIterable<string> } | undefined>;
}
