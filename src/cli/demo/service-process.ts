import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../../config.js';

export interface ServiceOptions {
  /** Path of the program, as `node` expects it. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Time limit for a start. The first start creates a database, which takes more than a minute on a busy machine. */
const START_LIMIT_MS = 300_000;
const STOP_LIMIT_MS = 35_000;
const KEPT_LINES = 200;

/** `trunkline start` as a child process that can be killed and started again. */
export class ServiceProcess {
  /** The last lines of its standard output and standard error. */
  readonly lines: string[] = [];
  #child: ChildProcess | undefined;

  constructor(private readonly options: ServiceOptions) {}

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Resolves once the service listens. */
  async start(): Promise<void> {
    const { program, environment } = this.options;
    const child = spawn(process.execPath, [program, 'start'], {
      env: childEnvironment(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const ready = new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stderr }).on('line', (line) => this.#keep(line));
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.#keep(line);
        if (line.includes('"msg":"listening"')) resolve();
      });
      child.once('error', reject);
      child.once('close', () => reject(new Error(`The service ended; it said:\n${this.lines.join('\n')}`)));
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), START_LIMIT_MS);
    await ready.finally(() => clearTimeout(timer));
  }

  /** Stops the process and resolves with its exit code. A process that does not stop in time is killed. */
  async stop(): Promise<number | null> {
    const timer = setTimeout(() => this.#child?.kill('SIGKILL'), STOP_LIMIT_MS);
    const code = await this.#end('SIGTERM');
    clearTimeout(timer);
    return code;
  }

  /** Kills the process without draining or closing anything. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async #end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.pid === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
    }
    return child.exitCode;
  }

  #keep(line: string): void {
    this.lines.push(line);
    if (this.lines.length > KEPT_LINES) this.lines.shift();
  }
}

/** A free port on this machine. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}
