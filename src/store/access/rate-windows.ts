import type { Pool } from 'pg';
import type {
  RateDemand,
  RateGrant,
  RateReport,
  RateWindow,
  RateWindows,
} from '../../core/access/rate-windows.js';
import { acquireRateWindowSql, extendRateLease, reportRateWindows } from '../calls.gen.js';
import { milliseconds } from '../connection/interval.js';

/** Channel for requests to return a window: counter, bucket, hour in milliseconds. */
export const rateWindowsAsked = 'rate_windows_asked';
/** Channel for returned windows: bucket, hour in milliseconds. */
export const rateWindowsReturned = 'rate_windows_returned';

const ASK = `
  SELECT a.outcome, a.used, a.granted
  FROM unnest($2::uuid[], $3::timestamptz[], $4::integer[], $5::integer[]) WITH ORDINALITY
    AS d (key_id, hour, max_per_hour, wanted, place),
  LATERAL ${acquireRateWindowSql('$1', 'd.key_id', 'd.hour', 'd.max_per_hour', 'd.wanted')} a
  ORDER BY d.place`;

/** Assignment of rate windows to counters, in PostgreSQL. */
export class PostgresRateWindows implements RateWindows {
  constructor(private readonly pool: Pool) {}

  async join(counter: string, leaseMs: number): Promise<void> {
    await extendRateLease(this.pool, { counter, first: true, lease: milliseconds(leaseMs) });
  }

  async ask(counter: string, demands: readonly RateDemand[]): Promise<readonly RateGrant[]> {
    const { rows } = await this.pool.query<RateGrant>({
      name: 'rate_windows.ask',
      text: ASK,
      values: [
        counter,
        ...columns(demands),
        demands.map(({ limit }) => limit),
        demands.map(({ wanted }) => wanted),
      ],
    });
    return rows;
  }

  async report(
    counter: string,
    leaseMs: number,
    reports: readonly RateReport[],
  ): Promise<{ alive: boolean; asked: RateWindow[] }> {
    const [keys, hours] = columns(reports);
    const { alive, asked } = await reportRateWindows(this.pool, {
      counter,
      lease: milliseconds(leaseMs),
      keys,
      hours,
      used: reports.map(({ used }) => used),
      returned: reports.map(({ returned }) => returned),
    });
    return { alive, asked: asked.map(({ key, hour }) => ({ bucket: key, hour })) };
  }

  async leave(counter: string): Promise<void> {
    await this.pool.query('DELETE FROM rate_counters WHERE id = $1', [counter]);
  }

  async leaveAll(): Promise<void> {
    await this.pool.query('DELETE FROM rate_counters');
  }
}

function columns(windows: readonly RateWindow[]): [string[], Date[]] {
  return [windows.map(({ bucket }) => bucket), windows.map(({ hour }) => new Date(hour))];
}
