import { setImmediate } from 'node:timers/promises';
import type { Log } from '../../common/log.js';
import { newId } from '../../common/new-id.js';
import type { GuideOpener, TakenSource, TvStore } from './ports.js';
import { GuideError, XmltvReader } from './xmltv.js';

/** Number of entries per transaction. Only these entries and the current piece of the text are in memory. */
const BATCH = 1_000;
/** Number of characters to parse per turn of the event loop. Requests are handled between two slices. */
const SLICE = 16_384;
const MAX_ENTRIES = 5_000_000;
/** Maximum wait before the next attempt after a failure. */
const RETRY_MINUTES = 10;

/** Imports the guides that are due and have changed. */
export class RefreshGuides {
  constructor(
    private readonly store: TvStore,
    private readonly opener: GuideOpener,
    private readonly log: Log,
    private readonly everyMinutes: number,
  ) {}

  /** Reads one source after the other until none is due. A source that fails keeps its earlier entries. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const source = await this.store.take();
      if (source === undefined) return;
      await this.#refresh(source, signal);
    }
  }

  async #refresh(source: TakenSource, signal: AbortSignal): Promise<void> {
    const { location } = source;
    try {
      const opened = await this.opener.open(location, source, signal);
      if (opened === undefined) {
        await this.store.postpone(location, null, this.everyMinutes);
        return;
      }
      const reading = newId();
      const entries = await this.#import(location, reading, opened.text);
      await this.store.finish(location, reading, opened.state, this.everyMinutes);
      this.log.info({ guide: shown(location), entries }, 'guide.imported');
    } catch (err) {
      const problem = signal.aborted ? 'interrupted' : err instanceof Error ? err.message : 'unknown';
      this.log.warn({ err, guide: shown(location) }, 'guide.failed');
      const minutes = signal.aborted ? 0 : Math.min(RETRY_MINUTES, this.everyMinutes);
      await this.store.postpone(location, problem.slice(0, 500), minutes);
    }
  }

  async #import(location: string, reading: string, text: AsyncIterable<string>): Promise<number> {
    const reader = new XmltvReader();
    let entries = 0;
    const store = async () => {
      entries += reader.waiting;
      if (entries > MAX_ENTRIES) throw new GuideError(`It has more than ${MAX_ENTRIES} entries.`);
      await this.store.add(location, reading, reader.take());
    };
    for await (const piece of text) {
      for (let at = 0; at < piece.length; at += SLICE) {
        reader.write(piece.slice(at, at + SLICE));
        if (reader.waiting >= BATCH) await store();
        await setImmediate();
      }
    }
    reader.end();
    await store();
    return entries;
  }
}

/** Removes the query, because it may contain a subscriber's key. */
function shown(location: string): string {
  return location.split(/[?#]/, 1)[0] ?? '';
}
