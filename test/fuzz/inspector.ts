import { once } from 'node:events';
import WebSocket from 'ws';

export interface Memory {
  readonly resident: number;
  /** What the program holds, in its heap and beside it. */
  readonly held: number;
}

const MIB = 2 ** 20;

/** The debugger's port of a process of Node: what it has in memory after its garbage was collected. */
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
    // What waits for a finalizer goes in the second round.
    for (let round = 0; round < 2; round += 1) await this.#call('HeapProfiler.collectGarbage');
    const usage = await this.evaluate<NodeJS.MemoryUsage>('process.memoryUsage()');
    return { resident: usage.rss / MIB, held: (usage.heapUsed + usage.external) / MIB };
  }

  /** Seconds of a processor that the process took so far. */
  async processorSeconds(): Promise<number> {
    const { user, system } = await this.evaluate<NodeJS.CpuUsage>('process.cpuUsage()');
    return (user + system) / 1e6;
  }

  /** The value of an expression in the process, as JSON carries it. */
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
