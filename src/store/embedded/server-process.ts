import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/common/log.js';
import { DatabaseInUseError, EmbeddedDatabaseError } from '../errors.js';
import { probeServer } from './probe.js';
import { serverEnvironment } from './server-environment.js';

const READY_POLL_MS = 15;
/** Crash recovery replays up to max_wal_size of log before the server is ready. */
const READY_LIMIT_MS = 600_000;
const FAST_SHUTDOWN_LIMIT_MS = 30_000;
const KEPT_LOG_LINES = 20;
/** Log line of a server that accepts connections. Clusters are created with untranslated messages. */
const READY_LINE = 'database system is ready to accept connections';
/**
 * Log line of a server that received SIGTERM, which this process never sends. The server then refuses new connections until the
 * open ones end, which the pools would keep for minutes.
 */
const SMART_SHUTDOWN_LINE = 'received smart shutdown request';

export interface ServerCommand {
  command: string[];
  cwd: string;
  socketDirectory: string;
}

/** One run of the PostgreSQL server program. */
export class ServerProcess {
  readonly exited: Promise<void>;
  private readonly child: ChildProcess;
  private readonly lastLines: string[] = [];
  private hasExited = false;
  private saysReady = false;

  /** Call it from the main thread, because the kernel stops the server when the thread that started it ends. */
  constructor(
    private readonly options: ServerCommand,
    private readonly log: Log,
  ) {
    const [command = '', ...rest] = options.command;
    // The server has its own session, so that it does not receive the Ctrl-C for this process, which drains first.
    this.child = spawn(command, rest, {
      cwd: options.cwd,
      env: serverEnvironment,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.logLines(text));
    this.exited = new Promise((resolve) => {
      const done = () => {
        this.hasExited = true;
        resolve();
      };
      this.child.once('error', (error) => {
        this.lastLines.push(error.message);
        done();
      });
      this.child.once('close', done);
    });
  }

  /** Resolves when the server accepts connections, even after a long recovery. */
  async waitUntilReady(): Promise<void> {
    const deadline = Date.now() + READY_LIMIT_MS;
    while (Date.now() < deadline) {
      if (this.hasExited) throw this.startError();
      // Another server on the directory would also answer the probe until this server detects that the directory is in use.
      if (this.saysReady && (await probeServer(this.options.socketDirectory)) === 'accepting') return;
      await Promise.race([sleep(READY_POLL_MS), this.exited]);
    }
    throw new EmbeddedDatabaseError('The embedded PostgreSQL did not become ready.');
  }

  /** Fast shutdown: open transactions are rolled back, and everything committed is on disk afterwards. */
  async stop(): Promise<void> {
    this.interrupt();
    const limit = sleep(FAST_SHUTDOWN_LIMIT_MS, 'late', { ref: false });
    if ((await Promise.race([this.exited, limit])) === 'late') {
      this.log.warn({}, 'database.shutdown_forced');
      this.signal('SIGQUIT');
    }
    await this.exited;
  }

  /** Asks for a fast shutdown without waiting. */
  interrupt(): void {
    this.signal('SIGINT');
  }

  /** Ends the shutdown that another program requested, so that the server can be started again at once. */
  private endSmartShutdown(): void {
    this.log.warn({}, 'database.smart_shutdown');
    void this.stop();
  }

  private signal(name: NodeJS.Signals): void {
    if (!this.hasExited) this.child.kill(name);
  }

  private startError(): Error {
    const text = this.lastLines.join(' ');
    if (text.includes('lock file "postmaster.pid" already exists')) {
      return new DatabaseInUseError(`The database in ${this.options.cwd} is in use by another process.`);
    }
    return new EmbeddedDatabaseError(
      `The embedded PostgreSQL stopped while starting: ${text || 'no reason given'}`,
    );
  }

  private logLines(text: string): void {
    for (const line of text.split('\n').filter(Boolean)) {
      this.lastLines.push(line);
      if (this.lastLines.length > KEPT_LOG_LINES) this.lastLines.shift();
      if (line.includes(READY_LINE)) this.saysReady = true;
      if (line.includes(SMART_SHUTDOWN_LINE)) this.endSmartShutdown();
      if (line.startsWith('PANIC')) this.log.error({ line }, 'database.logged');
      else this.log.debug({ line }, 'database.logged');
    }
  }
}
