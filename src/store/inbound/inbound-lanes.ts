import type { Envelope } from '../../contract/index.js';
import { Batcher } from '../../core/common/batcher.js';
import type { AppliedEvent, Taken } from '../../core/inbound/ports.js';

/** Maximum number of lanes that are stored together, and of envelopes per lane. */
const LANES = 64;
const OF_A_LANE = 16;

/** An envelope with its events. */
export interface Arrival {
  readonly connectionId: string;
  readonly envelope: Envelope;
  readonly events: readonly AppliedEvent[];
  readonly status: 'processed' | 'unsupported' | 'pending' | 'dead';
  /** Why the envelope is dead. */
  readonly reason?: string | undefined;
}

export interface Intakes {
  /** The result is undefined for arrivals that must be stored one by one. */
  readonly many: (arrivals: readonly Arrival[]) => Promise<readonly (Taken | undefined)[]>;
  readonly one: (arrival: Arrival) => Promise<Taken>;
}

interface Waiting {
  readonly arrival: Arrival;
  readonly done: (taken: Taken) => void;
  readonly failed: (cause: unknown) => void;
}

/**
 * Stores arrivals that come at the same time together. Arrivals of one lane are stored one after the other, in the order of
 * arrival. An arrival that must be stored alone delays only its own lane.
 */
export class InboundLanes {
  readonly #lanes = new Map<string, Waiting[]>();
  readonly #batcher = new Batcher((lanes: readonly Waiting[][]) => this.#together(lanes), {
    maxItems: LANES,
    atOnce: 1,
  });

  constructor(private readonly intakes: Intakes) {}

  take(arrival: Arrival): Promise<Taken> {
    return new Promise((done, failed) => {
      const key = JSON.stringify([arrival.connectionId, arrival.envelope.lane]);
      const waiting = { arrival, done, failed };
      const lane = this.#lanes.get(key);
      if (lane !== undefined) lane.push(waiting);
      else void this.#work(key, [waiting]);
    });
  }

  async #work(key: string, lane: Waiting[]): Promise<void> {
    this.#lanes.set(key, lane);
    while (lane.length > 0) {
      for (const { arrival, done, failed } of await this.#batcher.add(lane)) {
        await this.intakes.one(arrival).then(done, failed);
      }
    }
    this.#lanes.delete(key);
  }

  /** Stores the first arrivals of all lanes together. Resolves with the arrivals of each lane that must be stored alone. */
  async #together(lanes: readonly Waiting[][]): Promise<Waiting[][]> {
    const batches = lanes.map((lane) => lane.splice(0, OF_A_LANE));
    const group = gatherable(batches);
    // A single message costs less when it is stored alone.
    if (group.length < 2) return batches;
    const answers = await this.intakes.many(group.map(({ arrival }) => arrival)).catch(() => []);
    const over = new Set<Waiting>();
    for (const [index, waiting] of group.entries()) {
      const taken = answers[index];
      if (taken === undefined) continue;
      waiting.done(taken);
      over.add(waiting);
    }
    return batches.map((batch) => batch.filter((waiting) => !over.has(waiting)));
  }
}

/** The arrivals at the start of each lane that may be plain messages, without duplicates. */
function gatherable(batches: readonly Waiting[][]): Waiting[] {
  const seen = new Set<string>();
  return batches.flatMap((batch) => {
    const end = batch.findIndex(({ arrival }) => !isNew(arrival, seen));
    return end === -1 ? batch : batch.slice(0, end);
  });
}

function isNew({ connectionId, envelope, events, status }: Arrival, seen: Set<string>): boolean {
  const [event] = events;
  if (status !== 'processed' || events.length !== 1 || event?.type !== 'message') return false;
  if (event.echo === true || event.copyOf !== undefined || event.editedAt !== undefined) return false;
  // A text that continues in further messages creates more than one message.
  if ('rest' in event.content) return false;
  const keys = [
    JSON.stringify([connectionId, envelope.dedupeKey]),
    JSON.stringify([connectionId, event.chat.id, event.messageId]),
  ];
  if (keys.some((key) => seen.has(key))) return false;
  for (const key of keys) seen.add(key);
  return true;
}
