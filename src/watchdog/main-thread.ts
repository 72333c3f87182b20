import { type Debugger, type HeapProfiler, Session } from 'node:inspector';

/** Average number of bytes between sampled allocations. */
const SAMPLED_BYTES = 131_072;

/**
 * Inspects the main thread from another thread, even while it executes an endless loop. A session is open only as long as it is
 * needed, because a process that exits waits for open sessions.
 */
export class MainThread {
  #sampling: Session | undefined;

  get isSampling(): boolean {
    return this.#sampling !== undefined;
  }

  /** The files of the main thread's stack, innermost first. Empty if the thread does not execute JavaScript. */
  frames(limitMs: number): Promise<readonly string[]> {
    const session = connected();
    // Frames of scripts that were compiled before this session contain only the script id.
    const urls = new Map<string, string>();
    session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
    return new Promise((resolve) => {
      const end = (frames: readonly string[]) => {
        clearTimeout(timer);
        // Nothing would resume a pause that is reported after this point.
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

  /** Starts to sample allocations. */
  sample(): void {
    this.#sampling = connected();
    this.#sampling.post('HeapProfiler.startSampling', { samplingInterval: SAMPLED_BYTES });
  }

  stopSampling(): void {
    this.#sampling?.disconnect();
    this.#sampling = undefined;
  }

  /** Sampled bytes that are still in use, by the adapter whose code allocated them directly or through calls. */
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
