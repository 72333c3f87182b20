import { type Debugger, type HeapProfiler, Session } from 'node:inspector';

/** Average distance of the allocations that are looked at. */
const SAMPLED_BYTES = 131_072;

/**
 * Looks into the main thread from another one, also while it executes something that never ends. A session is open only as long as
 * it is needed: a process that exits waits for open ones.
 */
export class MainThread {
  #sampling: Session | undefined;

  get isSampling(): boolean {
    return this.#sampling !== undefined;
  }

  /** Where the main thread is: the files of its stack, innermost first. Empty when it does not execute JavaScript. */
  frames(limitMs: number): Promise<readonly string[]> {
    const session = connected();
    // Frames of what was compiled before this session name their script by its number alone.
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    return new Promise((resolve) => {
      const end = (frames: readonly string[]) => {
        clearTimeout(timer);
        // Nothing would resume a later pause, because disconnecting already did.
        session.removeAllListeners('Debugger.paused');
        session.disconnect();
        resolve(frames);
      };
      const timer = setTimeout(() => end([]), limitMs);
      session.once('Debugger.paused', ({ params }) => {
        session.post('Debugger.resume', () => end(framesOf(params.callFrames, urls)));
      });
      session.post('Debugger.enable');
      session.post('Debugger.pause');
    });
  }

  /** Begins to note where memory is allocated. */
  sample(): void {
    this.#sampling = connected();
    this.#sampling.post('HeapProfiler.startSampling', { samplingInterval: SAMPLED_BYTES });
  }

  stopSampling(): void {
    this.#sampling?.disconnect();
    this.#sampling = undefined;
  }

  /** What was allocated since and is still in use: bytes by the adapter in whose code, or below it, it was allocated. */
  async held(
    adapterOf: (url: string) => string | undefined,
  ): Promise<ReadonlyMap<string | undefined, number>> {
    const profile = await new Promise<HeapProfiler.SamplingHeapProfile | undefined>((resolve) => {
      if (this.#sampling === undefined) return resolve(undefined);
      this.#sampling.post('HeapProfiler.getSamplingProfile', (error, answer) =>
        resolve(error ? undefined : answer.profile),
      );
    });
    const bytes = new Map<string | undefined, number>();
    if (profile !== undefined) add(profile.head, undefined, adapterOf, bytes);
    return bytes;
  }
}

function framesOf(frames: readonly Debugger.CallFrame[], urls: ReadonlyMap<string, string>): string[] {
  return frames.map(({ url, location }) => urls.get(location.scriptId) || url).filter((url) => url !== '');
}

function connected(): Session {
  const session = new Session();
  session.connectToMainThread();
  return session;
}

function add(
  node: HeapProfiler.SamplingHeapProfileNode,
  above: string | undefined,
  adapterOf: (url: string) => string | undefined,
  bytes: Map<string | undefined, number>,
): void {
  const adapter = adapterOf(node.callFrame.url) ?? above;
  bytes.set(adapter, (bytes.get(adapter) ?? 0) + node.selfSize);
  for (const child of node.children) add(child, adapter, adapterOf, bytes);
}
