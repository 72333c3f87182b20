import type { Inspector } from '../inspector.js';

/** Milliseconds of CPU time that the main thread of a process used since the last call. */
export interface Taken {
  readonly total: number;
  /** In one turn of the event loop, which blocks all other work. */
  readonly longest: number;
}

/**
 * Runs in the process. Between two calls of a timer of one millisecond there is one turn of the event loop with work, and turns
 * of at most a millisecond. It reads the CPU clock of the thread, so other load of the machine makes no difference.
 */
const METER = `(() => {
  const { openSync, readSync } = process.getBuiltinModule('node:fs');
  const buffer = Buffer.alloc(64);
  const clocks = {
    thread: () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1e3; },
    linux: () => Number(buffer.latin1Slice(0, readSync(file, buffer, 0, 64, 0)).split(' ')[0]) / 1e6,
    process: () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e3; },
  };
  const own = process.platform === 'linux' ? 'linux' : 'process';
  const clock = clocks[process.threadCpuUsage === undefined ? own : 'thread'];
  const file = clock === clocks.linux ? openSync('/proc/self/schedstat') : undefined;
  let start = clock();
  let last = start;
  let longest = 0;
  const turn = () => {
    const now = clock();
    longest = Math.max(longest, now - last);
    last = now;
  };
  setInterval(turn, 1).unref();
  globalThis.takenByMainThread = () => {
    turn();
    const taken = { total: last - start, longest };
    start = last;
    longest = 0;
    return taken;
  };
  return true;
})()`;

/** Below this share of CPU time a process is idle. */
export const IDLE_SHARE = 0.2;
const CHECK_EVERY_MS = 20;
const MAX_LOOKS = 250;

/** Measures the main thread of a Node process through its debugger port. */
export class MainThread {
  private constructor(private readonly inspector: Inspector) {}

  static async of(inspector: Inspector): Promise<MainThread> {
    await inspector.evaluate(METER);
    return new MainThread(inspector);
  }

  taken(): Promise<Taken> {
    return this.inspector.evaluate<Taken>('takenByMainThread()');
  }

  /** Returns once the process is idle. The time until then is not counted. */
  async settled(): Promise<void> {
    for (let looks = 0; looks < MAX_LOOKS; looks += 1) {
      const startedAt = performance.now();
      await this.taken();
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY_MS));
      const { total } = await this.taken();
      if (total < IDLE_SHARE * (performance.now() - startedAt)) return;
    }
  }
}
