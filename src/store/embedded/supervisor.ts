import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/common/log.js';
import { type ServerCommand, ServerProcess } from './server-process.js';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/** Keeps the server running. Restarts it when it ends unexpectedly. */
export class Supervisor {
  private server: ServerProcess;
  private readonly stopping = new AbortController();
  private watching: Promise<void> = Promise.resolve();
  private readonly interruptAtExit = () => this.server.interrupt();

  constructor(
    private readonly command: ServerCommand,
    private readonly log: Log,
  ) {
    this.server = new ServerProcess(command, log);
  }

  /** Resolves when the server is ready. A failure of this first start is thrown and not retried. */
  async start(): Promise<void> {
    await this.server.waitUntilReady();
    process.once('exit', this.interruptAtExit);
    this.watching = this.watch();
  }

  /** Stops the server and waits for its end. */
  async stop(): Promise<void> {
    process.removeListener('exit', this.interruptAtExit);
    this.stopping.abort();
    await this.server.stop();
    await this.watching;
    // A restart may have been in progress when the first stop was sent.
    await this.server.stop();
  }

  private async watch(): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      await this.server.exited;
      if (this.stopping.signal.aborted) return;
      this.log.error({ pauseMs }, 'database.exited');
      await sleep(pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) return;
      pauseMs = (await this.restart()) ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  private async restart(): Promise<boolean> {
    this.server = new ServerProcess(this.command, this.log);
    try {
      await this.server.waitUntilReady();
      this.log.info({}, 'database.restarted');
      return true;
    } catch (err) {
      this.log.error({ err }, 'database.restart_failed');
      return false;
    }
  }
}
