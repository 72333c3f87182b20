import type { Caller } from '../access/caller.js';
import { type AnalyticsQuery, HOUR_MS } from '../analytics/period.js';
import type { AnalyticsRecord } from '../analytics/record.js';
import type { ReadAnalytics } from '../analytics/use-cases.js';
import { timeNow } from '../common/time.js';
import type { ConnectionStore } from '../platforms/ports.js';
import type { HomeStore } from './ports.js';
import type { HomeRecord } from './record.js';

const HOURS = 24;

/** The state of a workspace in one response. */
export class ReadHome {
  constructor(
    private readonly store: HomeStore,
    private readonly connections: Pick<ConnectionStore, 'all'>,
    private readonly analytics: Pick<ReadAnalytics, 'execute'>,
    private readonly now: () => number = timeNow,
  ) {}

  async execute(caller: Caller): Promise<HomeRecord> {
    const now = this.now();
    const from = new Date(now - (now % HOUR_MS) - (HOURS - 1) * HOUR_MS).toISOString();
    // The current hour is included.
    const to = new Date(now - (now % HOUR_MS) + HOUR_MS).toISOString();
    const period: AnalyticsQuery = { from, to, interval: 'hour' };
    const [figures, connections, traffic, tries] = await Promise.all([
      this.store.figures(caller.workspaceId),
      this.connections.all(caller.workspaceId),
      this.whole(caller, 'messages', period),
      this.whole(caller, 'webhooks', period),
    ]);
    return {
      ...figures,
      connections: connections.map(({ id, platform, name, status, health }) => ({
        id,
        platform,
        name,
        status,
        health,
      })),
      webhooks: tries && { ...figures.webhooks, ...attemptsOf(tries) },
      traffic: traffic && trafficOf(traffic),
    };
  }

  /** Figures of the whole workspace. Null for members who see only the conversations of their teams. */
  private whole(caller: Caller, resource: 'messages' | 'webhooks', period: AnalyticsQuery) {
    return caller.restriction === undefined ? this.analytics.execute(caller, resource, period) : null;
  }
}

function attemptsOf({ totals: { attempts = 0, succeeded = 0 } }: Pick<AnalyticsRecord, 'totals'>) {
  return { attempts, succeeded };
}

function trafficOf({ series }: Pick<AnalyticsRecord, 'series'>) {
  return series.map(({ start, values: { inbound = 0, outbound = 0 } }) => ({ start, inbound, outbound }));
}
