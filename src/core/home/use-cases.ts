import type { Caller } from '../access/caller.js';
import { HOUR_MS } from '../analytics/period.js';
import type { ReadAnalytics } from '../analytics/use-cases.js';
import type { ConnectionStore } from '../platforms/ports.js';
import type { HomeStore } from './ports.js';
import type { HomeRecord } from './record.js';

const HOURS = 24;

/** The state of a workspace in one answer. */
export class ReadHome {
  constructor(
    private readonly store: HomeStore,
    private readonly connections: Pick<ConnectionStore, 'all'>,
    private readonly analytics: Pick<ReadAnalytics, 'execute'>,
    private readonly now: () => number = Date.now,
  ) {}

  async execute(caller: Caller): Promise<HomeRecord> {
    const now = this.now();
    const from = new Date(now - (now % HOUR_MS) - (HOURS - 1) * HOUR_MS).toISOString();
    // The hour that is running counts in full.
    const to = new Date(now - (now % HOUR_MS) + HOUR_MS).toISOString();
    const period = { from, to, interval: 'hour' } as const;
    const [figures, connections, messages, webhooks] = await Promise.all([
      this.store.figures(caller.workspaceId),
      this.connections.all(caller.workspaceId),
      this.analytics.execute(caller, 'messages', period),
      this.analytics.execute(caller, 'webhooks', period),
    ]);
    const { attempts = 0, succeeded = 0 } = webhooks.totals;
    return {
      ...figures,
      connections: connections.map(({ id, platform, name, status, health }) => ({
        id,
        platform,
        name,
        status,
        health,
      })),
      webhooks: { ...figures.webhooks, attempts, succeeded },
      traffic: messages.series.map(({ start, values: { inbound = 0, outbound = 0 } }) => ({
        start,
        inbound,
        outbound,
      })),
    };
  }
}
