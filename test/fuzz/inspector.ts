import { once } from 'node:events';
import WebSocket from 'ws';

export interface Memory {
  readonly resident: number;
  /** The memory of the program, inside and outside of its heap. */
  readonly held: number;
}

const MIB = 2 ** 20;

/** The debugger port of a Node process. It reads memory usage after a garbage collection. */
export class Inspector {
  readonly #waiting = new Map<number, (result: Record<string, unknown>) => void>();
  #calls = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: Record<string, unknown> };
      this.#waiting.get(id)?.(result);
      this.#waiting.delete(id);
    });
  }

  static async open(url: string): Promise<Inspector> {
    const socket = new WebSocket(url);
    await once(socket, 'open');
    return new Inspector(socket);
  }

  /** In MiB. */
  async memory(): Promise<Memory> {
    // Objects with a finalizer are freed in the second round.
    for (let round = 0; round < 2; round += 1) await this.#call('HeapProfiler.collectGarbage');
    const usage = await this.evaluate<NodeJS.MemoryUsage>('process.memoryUsage()');
    return { resident: usage.rss / MIB, held: (usage.heapUsed + usage.external) / MIB };
  }

  /** Seconds of CPU time of the process so far. */
  async processorSeconds(): Promise<number> {
    const { user, system } = await this.evaluate<NodeJS.CpuUsage>('process.cpuUsage()');
    return (user + system) / 1e6;
  }

  /** The value of an expression in the process, serialized as JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#call('Runtime.evaluate', {
      expression: `JSON.stringify(${expression})`,
    });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return JSON.parse((result as { value: string }).value) as T;
  }

  close(): void {
    this.socket.terminate();
  }

  #call(method: string, params: object = {}): Promise<Record<string, unknown>> {
    this.#calls += 1;
    const id = this.#calls;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
  }
}
