import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PROGRAM } from './service-process.js';

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Given to standard input. */
  readonly input?: string;
  /** Once standard output matches it, the program is asked to end. */
  readonly endAt?: RegExp;
}

/** Runs the program as a separate process, with only the named environment. */
export function runProgram(args: readonly string[], options: CommandOptions): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: options.env });
  child.stdin.end(options.input ?? '');
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => {
    out.push(chunk);
    if (options.endAt?.test(String(Buffer.concat(out)))) child.kill('SIGTERM');
  });
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, out: String(Buffer.concat(out)), err: String(Buffer.concat(err)) }),
    );
  });
}

/**
 * Runs commands of the program in one process, one at a time. A process for each would spend most of the time on loading the same
 * modules. It is for commands that end by themselves and do not read standard input.
 */
export class CommandHost {
  readonly #ready: Promise<ChildProcess>;

  constructor() {
    const child = fork(fileURLToPath(new URL('./command-host.mjs', import.meta.url)));
    this.#ready = once(child, 'message').then(() => child);
  }

  async run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ended> {
    const child = await this.#ready;
    const ended = once(child, 'message');
    child.send({ args, env });
    const [result] = (await ended) as [Ended];
    return result;
  }

  async stop(): Promise<void> {
    const child = await this.#ready;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }
}
