import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import {
  type Adapter,
  type AdapterHost,
  type AdapterLog,
  type Envelope,
  type HealthReport,
  type MediaFile,
  PlatformError,
} from '../contract/index.js';
import { wrongEnvelope, wrongHealth } from '../contract/validation/envelope.js';
import { HostUses } from './host-uses.js';
import type { ConformanceStore } from './kit.js';

/** The state that survives the death of a process. */
export class Remains {
  readonly state = new Map<string, string>();
  /** Committed envelopes, in order of commit. */
  readonly envelopes: Envelope[] = [];
  readonly keys = new Set<string>();
}

export interface ReferenceHostOptions {
  readonly webhookUrl: string;
  readonly connection: string;
  readonly store: ConformanceStore;
  readonly remains: Remains;
  /** Origins that may be reached. All other addresses are refused like private ones. */
  readonly allowed: () => readonly string[];
}

export type CrashPoint = 'before commit' | 'after commit';

const MAX_REDIRECTS = 5;
const STALL_MS = 250;
const MAX_STATE_BYTES = 4096;

/** A host that implements the contract strictly and records the adapter's calls. */
export class ReferenceHost implements AdapterHost {
  readonly webhookUrl: string;
  readonly reports: HealthReport[] = [];
  /** Lines of the log as they would be written. */
  readonly lines: string[] = [];
  readonly media = new Map<string, MediaFile>();
  /** Addresses that were refused. */
  readonly refused: string[] = [];
  /** Number of calls of `receive`, including repetitions. */
  received = 0;
  /** Number of envelopes that are being committed, or were committed and are not in `remains` yet. */
  storing = 0;
  /** Number of requests without a response. */
  inFlight = 0;
  /** Number of response bytes that the adapter has read. Responses are streamed as they are read. */
  taken = 0;
  /** Simulates a death of the process when the message with this text is received, before or after its commit. */
  crash: { readonly when: CrashPoint; readonly at: string } | undefined;
  adapter: Adapter | undefined;
  readonly uses = new HostUses();
  readonly #options: ReferenceHostOptions;
  readonly #dead = new AbortController();

  constructor(options: ReferenceHostOptions) {
    this.#options = options;
    this.webhookUrl = options.webhookUrl;
  }

  async receive(envelope: Envelope): Promise<void> {
    this.uses.argument('receive', wrongEnvelope(envelope));
    this.received += 1;
    const crash = this.#crashAt(envelope);
    if (crash === 'before commit') {
      // A slow commit gives a faulty adapter the time to acknowledge before it.
      await new Promise((resolve) => setTimeout(resolve, STALL_MS));
      this.die();
    }
    if (this.#dead.signal.aborted) return never();
    this.storing += 1;
    try {
      await this.#store(envelope);
    } finally {
      this.storing -= 1;
    }
    if (crash === 'after commit') {
      this.die();
      return never();
    }
  }

  async #store(envelope: Envelope): Promise<void> {
    const events = this.adapter?.decode(envelope) ?? [];
    const { store, connection, remains } = this.#options;
    await store.receive(connection, { envelope, events });
    if (remains.keys.has(envelope.dedupeKey)) return;
    remains.keys.add(envelope.dedupeKey);
    remains.envelopes.push(structuredClone(envelope));
  }

  /** Whether to crash at this envelope. Other envelopes, such as that of a new member, are ignored. */
  #crashAt(envelope: Envelope): CrashPoint | undefined {
    const { crash } = this;
    if (crash === undefined) return undefined;
    const says = (this.adapter?.decode(envelope) ?? []).some(
      (event) => event.type === 'message' && event.content.text === crash.at,
    );
    if (!says) return undefined;
    this.crash = undefined;
    return crash.when;
  }

  /** Simulates the death of the process: nothing leaves it and nothing returns to it. */
  die(): void {
    this.#dead.abort();
  }

  get dead(): boolean {
    return this.#dead.signal.aborted;
  }

  health(report: HealthReport): void {
    this.uses.argument('health', wrongHealth(report));
    this.uses.count('health');
    this.reports.push(report);
  }

  readonly state = {
    load: async (name: string) => this.#options.remains.state.get(name),
    save: async (name: string, value: string | null): Promise<void> => {
      if (this.dead) return never();
      if (value !== null && Buffer.byteLength(value) > MAX_STATE_BYTES)
        this.uses.refuse(`The state ${name} is longer than ${MAX_STATE_BYTES} bytes.`);
      if (value !== null) this.uses.stateName(name, this.#options.remains.state);
      if (value === null) this.#options.remains.state.delete(name);
      else this.#options.remains.state.set(name, value);
    },
    replace: async (name: string, expected: string | null, value: string | null): Promise<boolean> => {
      if ((this.#options.remains.state.get(name) ?? null) !== expected) return this.dead ? never() : false;
      await this.state.save(name, value);
      return true;
    },
  };

  async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    if (this.dead) return never();
    this.inFlight += 1;
    try {
      return this.#counted(await this.#guarded(new Request(input, init), 0));
    } finally {
      this.inFlight -= 1;
    }
  }

  /** Wraps a response to count its bytes as they are read. */
  #counted(response: Response): Response {
    const { body, status, statusText, headers, url } = response;
    if (body === null) return response;
    const count = new TransformStream<Uint8Array, Uint8Array>(
      {
        transform: (chunk, controller) => {
          this.taken += chunk.length;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    const counted = new Response(body.pipeThrough(count), { status, statusText, headers });
    Object.defineProperty(counted, 'url', { value: url });
    return counted;
  }

  async #guarded(request: Request, redirects: number): Promise<Response> {
    await this.assertTarget(request.url);
    const signal = AbortSignal.any([request.signal, this.#dead.signal]);
    const response = await fetch(new Request(request, { redirect: 'manual', signal }));
    const location = response.headers.get('location');
    if (location === null || response.status < 301 || response.status > 308 || request.redirect !== 'follow')
      return response;
    await response.body?.cancel();
    if (redirects >= MAX_REDIRECTS) throw new TypeError('The address redirects too often.');
    return this.#guarded(new Request(new URL(location, request.url), { signal }), redirects + 1);
  }

  async openMedia(ref: string): Promise<MediaFile> {
    const file = this.media.get(ref);
    if (file !== undefined) return file;
    throw new PlatformError(
      { kind: 'rejected', reason: 'media_unavailable' },
      { dispatched: 'no', message: 'The stored copy is gone.' },
    );
  }

  async assertTarget(url: string): Promise<LookupFunction> {
    const origin = new URL(url).origin.replace(/^ws/, 'http');
    if (this.#options.allowed().some((allowed) => new URL(allowed).origin === origin)) return lookup;
    this.refused.push(url);
    throw new PlatformError(
      { kind: 'unavailable', cause: 'network' },
      { dispatched: 'no', message: 'The bridge must not connect to this address.', code: 'target_refused' },
    );
  }

  readonly log: AdapterLog = {
    debug: (event, fields) => this.#write(event, fields),
    info: (event, fields) => this.#write(event, fields),
    warn: (event, fields) => this.#write(event, fields),
    error: (event, fields) => this.#write(event, fields),
  };

  #write(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.uses.count('log');
    this.lines.push(`${event} ${written(fields)}`);
  }
}

/** Everything that a value shows when it is serialized, including the members of errors. */
export function written(value: unknown): string {
  const seen = new Set<unknown>();
  return JSON.stringify(value, (_key, each: unknown) => {
    if (typeof each !== 'object' || each === null) return each;
    if (seen.has(each)) return undefined;
    seen.add(each);
    if (!(each instanceof Error)) return each;
    const { name, message, stack, cause } = each;
    return { ...each, name, message, stack, cause };
  });
}

function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}
