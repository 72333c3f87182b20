import { Gauge, type Registry } from 'prom-client';
import type { Log } from '../core/common/log.js';

/** One current value. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A gauge that is computed on request. */
export interface GaugeSource {
  /** The name without the common prefix. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly read: () => Promise<readonly Sample[]> | readonly Sample[];
}

/** Time limit of reading one gauge, so that a slow one does not delay the others for long. */
const READ_LIMIT_MS = 3_000;

/** Adds gauges that are read at each scrape. A gauge that cannot be read is omitted and marked in `scrape_failures`. */
export function addGauges(registry: Registry, sources: readonly GaugeSource[], log: Log): void {
  const failures = new Gauge({
    name: 'trunkline_scrape_failures',
    help: 'Gauges that could not be read at the latest scrape.',
    labelNames: ['gauge'],
    registers: [registry],
  });
  for (const { name, help, labels, read } of sources) {
    const gauge = new Gauge({
      name: `trunkline_${name}`,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        this.reset();
        try {
          for (const { labels: of, value } of await withinLimit(read)) this.set(of, value);
          failures.set({ gauge: name }, 0);
        } catch (err) {
          failures.set({ gauge: name }, 1);
          log.debug({ err, gauge: name }, 'metrics.gauge_failed');
        }
      },
    });
    gauge.reset();
  }
}

async function withinLimit<Value>(read: () => Promise<Value> | Value): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The gauge could not be read in time.')), READ_LIMIT_MS);
  });
  try {
    return await Promise.race([read(), late]);
  } finally {
    clearTimeout(timer);
  }
}
