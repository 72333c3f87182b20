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
    const { result } = await this.#call('Runtime.evaluate', {
      expression: 'JSON.stringify(process.memoryUsage())',
    });
    const usage = JSON.parse((result as { value: string }).value) as NodeJS.MemoryUsage;
    return { resident: usage.rss / MIB, held: (usage.heapUsed + usage.external) / MIB };
  }

  /** Seconds of a processor that the process took so far. */
  async processorSeconds(): Promise<number> {
    const { result } = await this.#call('Runtime.evaluate', {
      expression: 'JSON.stringify(process.cpuUsage())',
    });
    const { user, system } = JSON.parse((result as { value: string }).value) as NodeJS.CpuUsage;
    return (user + system) / 1e6;
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
