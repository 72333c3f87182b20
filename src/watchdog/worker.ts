import { parentPort, workerData } from 'node:worker_threads';
import type { HookCall } from '../core/adapters/hook-trace.js';
import { type AdapterEnd, AdapterEnds } from './adapter-ends.js';
import { type AdapterRoot, adapterIn } from './adapter-roots.js';
import { lineWriter } from './log-line.js';
import { MainThread } from './main-thread.js';
import { oldGenerationLimit } from './old-generation.js';
import { SHARED, type WatchdogNews, type WatchedProcess } from './protocol.js';

const CHECK_EVERY_MS = 500;
const STACK_LIMIT_MS = 2_000;
/** Thresholds as shares of the old generation's limit. */
const HEAP_HIGH = 0.75;
const HEAP_FINE = 0.6;

const { shared, file, home, role, logFile, mayEnd, suspectMs, endMs, heap } = workerData as WatchedProcess;
const writeLine = lineWriter(role, logFile);
const heapLimitKib = oldGenerationLimit(heap) / 1_024;
const state = new Int32Array(shared);
const calls = new Map<number, HookCall>();
const ends = new AdapterEnds(file, (error) =>
  writeLine('warn', { reason: String(error) }, 'adapter_ends.unusable'),
);
const main = new MainThread();
let roots: readonly AdapterRoot[] = [];
let beats = -1;
/** Counted in checks of this thread, because an event that stops both threads, such as a suspension, is not a block. */
let stillMs = 0;
let culprit: { readonly adapter: string; readonly end: AdapterEnd } | undefined;
let isExamined = false;
let isReported = false;

parentPort?.on('message', (news: WatchdogNews) => {
  if ('roots' in news) roots = news.roots;
  else calls.set(news.hook, news.call);
});

const adapterOf = (url: string) => adapterIn([url], roots, home);

function isBeating(): boolean {
  const now = Atomics.load(state, SHARED.beats);
  const isAlive = now !== beats;
  beats = now;
  return isAlive;
}

function suspect(adapter: string, how: AdapterEnd['how'], call?: HookCall): void {
  const end: AdapterEnd = {
    at: new Date().toISOString(),
    how,
    ...(call === undefined ? {} : { hook: call.hook }),
    ...(call?.connectionId === undefined ? {} : { connection_id: call.connectionId }),
  };
  culprit = { adapter, end };
  ends.suspect(adapter, end);
}

function acquit(): void {
  if (culprit !== undefined) ends.suspect(culprit.adapter, undefined);
  culprit = undefined;
}

/** Finds the cause of a blocked main thread: its current hook, or else the adapter whose code it executes. */
async function examine(): Promise<void> {
  const call = calls.get(Atomics.load(state, SHARED.hook));
  const frames = call === undefined ? await main.frames(STACK_LIMIT_MS) : [];
  const adapter = call?.adapter ?? adapterIn(frames, roots, home);
  // On a busy machine the stack may arrive too late. The next check then requests it again.
  isExamined = adapter !== undefined || frames.length > 0;
  if (adapter === undefined) {
    if (isExamined || !isReported)
      writeLine('error', { blocked_ms: stillMs, at: frames.slice(0, 5) }, 'process.blocked');
    isReported = true;
    return;
  }
  suspect(adapter, 'blocked', call);
  const { hook, connection_id } = culprit?.end ?? {};
  writeLine('error', { adapter, hook, connection_id, blocked_ms: stillMs }, 'adapter.blocks_process');
}

function endProcess(): void {
  if (culprit === undefined || !mayEnd) return;
  const { adapter, end } = culprit;
  ends.add(adapter, end);
  const { hook, connection_id } = end;
  writeLine('error', { adapter, hook, connection_id, blocked_ms: stillMs }, 'adapter.ended_process');
  process.kill(process.pid, 'SIGKILL');
}

async function lookAtMemory(): Promise<void> {
  const share = Atomics.load(state, SHARED.oldGenerationKib) / heapLimitKib;
  if (share < HEAP_FINE) {
    main.stopSampling();
    if (culprit?.end.how === 'memory') acquit();
  }
  if (share < HEAP_HIGH || culprit !== undefined) return;
  if (!main.isSampling) return main.sample();
  const held = await main.held(adapterOf);
  const whole = [...held.values()].reduce((sum, bytes) => sum + bytes, 0);
  const [adapter, bytes = 0] = [...held].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (adapter === undefined || bytes * 2 < whole) return;
  main.stopSampling();
  suspect(adapter, 'memory');
  writeLine('error', { adapter, heap_percent: Math.round(share * 100) }, 'adapter.exhausts_memory');
}

async function check(): Promise<void> {
  if (isBeating()) {
    if (culprit?.end.how === 'blocked') {
      writeLine('warn', { adapter: culprit.adapter, blocked_ms: stillMs }, 'adapter.released_process');
      acquit();
    }
    stillMs = 0;
    isExamined = false;
    isReported = false;
    await lookAtMemory();
    return;
  }
  stillMs += CHECK_EVERY_MS;
  // A process that exits waits for open sessions. A shorter block is usually a garbage collection.
  if (stillMs >= suspectMs) main.stopSampling();
  if (stillMs >= suspectMs && !isExamined) await examine();
  if (stillMs >= endMs) endProcess();
}

async function watch(): Promise<void> {
  await check().catch((error: unknown) => writeLine('warn', { reason: String(error) }, 'watchdog.failed'));
  setTimeout(() => void watch(), CHECK_EVERY_MS);
}

void watch();
