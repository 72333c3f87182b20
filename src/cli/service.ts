import { setTimeout as sleep } from 'node:timers/promises';
import { createLog, toFile } from '../app/log.js';
import type { App } from '../app/start.js';
import { preflight } from '../app/startup/preflight.js';
import { version } from '../app/version.js';
import type { Config } from '../config.js';
import { hookTrace } from '../core/adapters/hook-trace.js';
import { redactedByAll } from '../core/adapters/redactor.js';
import type { Log } from '../core/common/log.js';
import type { Simulator } from '../core/simulators/ports.js';

/** Time limit of a drain. The remaining work is left to the next process. */
const DRAIN_LIMIT_MS = 30_000;
/** The exit code of a wrong configuration, because a start with the same key would also end with it. */
const KEY_LOST_CODE = 2;

/** A running service, and a promise of its end. */
export interface Service {
  readonly app: App;
  /** Resolves with the exit code once the service has stopped because of a signal or a replaced master key. */
  readonly ended: Promise<number>;
  /** Aborted when the service starts to stop. Ends the requests of clients in this process. */
  readonly stopping: AbortSignal;
}

/**
 * Starts the service. SIGTERM and SIGINT drain it, or end it at once while it starts. `also` runs after the service has
 * stopped.
 */
export async function startService(
  config: Config,
  also?: () => Promise<void>,
  simulators: readonly Simulator[] = [],
): Promise<Service> {
  const destination = config.logFile === undefined ? undefined : toFile(config.logFile);
  const role = config.roles.join(',');
  const log = createLog(config.logLevel, destination, role);
  reportDefects(log);
  const signalled = firstSignal();
  let starting = true;
  // The first process of a container must exit itself, because signals do not end it. No work is in progress yet, and an
  // unfinished migration is rolled back.
  void signalled.then((signal) => {
    if (!starting) return;
    log.info({ signal }, 'service.not_started');
    process.exit(0);
  });
  await preflight(config);
  // Loading the service takes seconds on a slow processor, and a mistake in the environment must be reported before that.
  const { startApp } = await import('../app/start.js');
  const app = await startApp(config, log, simulators);
  starting = false;
  const reasons = [
    signalled.then((signal) => ({ signal, code: 0 })),
    app.keyLost.then(() => ({ signal: undefined, code: KEY_LOST_CODE })),
  ];
  const stopping = new AbortController();
  const ended = Promise.race(reasons).then(async ({ signal, code }) => {
    log.info({ signal }, 'service.draining');
    stopping.abort();
    await Promise.race([app.stop().then(also), sleep(DRAIN_LIMIT_MS, undefined, { ref: false })]);
    return code;
  });
  // Programs that start the service wait for this line, so the configured log level does not apply to it. From here on, signals
  // drain the service.
  createLog('info', destination, role).info({ url: app.url, port: app.port, version }, 'listening');
  return { app, ended, stopping: stopping.signal };
}

/** Resolves at the first SIGTERM or SIGINT. Further signals have no effect. */
function firstSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve(signal));
  });
}

/** Logs uncaught errors, so that a leaked promise or timer of one adapter does not stop the others. */
function reportDefects(log: Log): void {
  const report = (event: string) => (error: unknown) => {
    const adapter = hookTrace.adapterOf(error);
    log.error({ err: redactedByAll(error), ...(adapter === undefined ? {} : { adapter }) }, event);
  };
  process.on('unhandledRejection', report('defect.unhandled_rejection'));
  process.on('uncaughtException', report('defect.uncaught_exception'));
}
