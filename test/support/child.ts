import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** A child process that runs a TypeScript file and communicates in lines. */
export interface Child {
  process: ChildProcess;
  /** Every line so far. */
  lines: string[];
  /** Resolves with the first line that matches; rejects when the child ends without one. */
  line(matches: (line: string) => boolean): Promise<string>;
  /** Kills it with SIGKILL and waits for its end. */
  kill(): Promise<void>;
  exited: Promise<number | null>;
}

export interface ChildOptions {
  /** Words before the command, to run it as another user. */
  prefix?: string[];
}

/** Compiles `entry` (a path in the repository) and runs it. Its errors are printed in the output of the test. */
export async function runChild(entry: string, args: string[], options: ChildOptions = {}): Promise<Child> {
  const [command = '', ...rest] = [
    ...(options.prefix ?? []),
    process.execPath,
    await compile(entry),
    ...args,
  ];
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'inherit'], cwd: REPOSITORY });
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  return {
    process: child,
    lines,
    exited,
    line: (matches) => firstLine(reader, lines, exited, matches),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

function firstLine(
  reader: ReturnType<typeof createInterface>,
  lines: string[],
  exited: Promise<unknown>,
  matches: (line: string) => boolean,
): Promise<string> {
  const known = lines.find(matches);
  if (known !== undefined) return Promise.resolve(known);
  return new Promise((resolve, reject) => {
    const look = (line: string) => {
      if (!matches(line)) return;
      reader.off('line', look);
      resolve(line);
    };
    reader.on('line', look);
    void exited.then(() => reject(new Error(`The child ended; it said: ${lines.join(' | ')}`)));
  });
}

/** The compiled files by entry. A file that is written twice would be empty for a child that starts meanwhile. */
const compiled = new Map<string, Promise<string>>();

function compile(entry: string): Promise<string> {
  const file = compiled.get(entry) ?? write(entry);
  compiled.set(entry, file);
  return file;
}

// Inside node_modules, so that its imports of packages resolve.
async function write(entry: string): Promise<string> {
  const folder = join(REPOSITORY, 'node_modules', '.cache', 'trunkline-test');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${basename(entry, '.ts')}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(REPOSITORY, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
  });
  return outfile;
}
