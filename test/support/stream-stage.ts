import type { Pool } from 'pg';
import { v7 as uuid7 } from 'uuid';
import type { Caller } from '../../src/core/access/caller.js';
import { apiKeyScopes } from '../../src/core/access/scopes.js';
import type { EventLog } from '../../src/core/events/ports.js';
import type { StreamSink } from '../../src/core/events/reader.js';
import { EventStreams } from '../../src/core/events/streams.js';
import { PostgresEventLog } from '../../src/store/events/event-log.js';
import { PostgresStreamLeases } from '../../src/store/events/open-streams.js';
import { PostgresPresence } from '../../src/store/people/users.js';
import { silentLog } from './log.js';

/** A sink that keeps its frames. It accepts everything at once until `isStuck`. */
export class MemorySink implements StreamSink {
  text = '';
  isClosed = false;
  isStuck = false;
  #stuckBytes = 0;
  readonly #listeners: (() => void)[] = [];
  #begin: () => void = () => undefined;
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });

  write(bytes: Buffer | string): void {
    if (this.isClosed) return;
    this.#begin();
    this.text += bytes.toString();
    if (this.isStuck) this.#stuckBytes += bytes.length;
  }

  /** Resolves with the first frame, or the end. */
  begun(): Promise<void> {
    return this.#begun;
  }

  get backlogBytes(): number {
    return this.#stuckBytes;
  }

  async drained(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#begin();
    for (const listener of this.#listeners) listener();
  }

  onClose(listener: () => void): void {
    if (this.isClosed) listener();
    else this.#listeners.push(listener);
  }

  get ids(): string[] {
    return [...this.text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '');
  }

  /** The data of the received events, in their order. */
  get data(): Record<string, unknown>[] {
    return [...this.text.matchAll(/^data: (.+)$/gm)].map(([, json]) => JSON.parse(json ?? '').data);
  }
}

/** The streams of one process. Create several for several processes. */
export function streamProcess(pool: Pool, log: EventLog = new PostgresEventLog(pool)): EventStreams {
  return new EventStreams({
    log,
    leases: new PostgresStreamLeases(pool),
    presence: new PostgresPresence(pool),
    presentData: (_type, data) => data,
    logger: silentLog,
  });
}

export function callerIn(workspaceId: string, more: Partial<Caller> = {}): Caller {
  const credential = { kind: 'api_key', id: uuid7() } as const;
  const rest = { environment: 'live', rateLimit: 0, onlyOwnConversations: false } as const;
  return { workspaceId, userId: uuid7(), credential, scopes: new Set(apiKeyScopes), ...rest, ...more };
}

/** Opens a stream. Resolves after its first frame; no later event is missed. */
export async function openStream(
  streams: EventStreams,
  caller: Caller,
  events = '*',
  lastEventId?: string,
  isStillValid = async () => true,
  address = '127.0.0.1',
): Promise<MemorySink> {
  const sink = new MemorySink();
  const request = { events, lastEventId, version: '1.0', address, isStillValid } as const;
  const ready = await streams.prepare(caller, request);
  ready.start(sink);
  await sink.begun();
  return sink;
}
