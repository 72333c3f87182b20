import { z } from 'zod';
import type { Caller } from '../../access/caller.js';
import { invalidField, notFound } from '../../common/errors.js';
import { timeNow } from '../../common/time.js';
import type { ListPage, ListQuery } from '../../listing/list-spec.js';
import { timestamp } from '../../schema/scalars.js';
import type { TvGuide } from './ports.js';
import type { TvNetworkRecord, TvProgrammeRecord } from './record.js';

const DAY_MS = 86_400_000;
const MAX_DAYS = 14;

/** The query parameters of a schedule, without those of lists. */
export const scheduleQuery = z.object({ from: timestamp.optional(), to: timestamp.optional() });

/** Reads the television guide. */
export class ReadTvGuide {
  constructor(
    private readonly guide: TvGuide,
    private readonly now: () => number = timeNow,
  ) {}

  networks(caller: Caller, query: ListQuery): Promise<ListPage<TvNetworkRecord>> {
    return this.guide.networks(caller.workspaceId, query);
  }

  /** Raises `not_found`. */
  async network(id: string): Promise<TvNetworkRecord> {
    const found = await this.guide.network(id);
    if (found === undefined) throw notFound('The network');
    return found;
  }

  /**
   * Programmes of a period, by default the next 24 hours. Raises `invalid_request` for a period that is too long, `not_found`.
   */
  async schedule(
    caller: Caller,
    networkId: string,
    asked: z.output<typeof scheduleQuery>,
    query: ListQuery,
  ): Promise<ListPage<TvProgrammeRecord>> {
    const from = asked.from === undefined ? this.now() : Date.parse(asked.from);
    const to = asked.to === undefined ? from + DAY_MS : Date.parse(asked.to);
    if (to <= from) throw invalidField('to', 'invalid_value', 'Expected a time after from.');
    if (to - from > MAX_DAYS * DAY_MS) {
      throw invalidField('to', 'too_large', `Expected at most ${MAX_DAYS} days from from to to.`);
    }
    await this.network(networkId);
    return this.guide.schedule(
      caller.workspaceId,
      networkId,
      { from: new Date(from), to: new Date(to) },
      query,
    );
  }
}
