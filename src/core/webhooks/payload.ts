import { uuidToULID } from 'ulid';
import type { ApiVersion } from '../versions/api-version.js';

/** An event as it is stored: the record in the 1.0 shape and what the event adds to it. */
export interface StoredEvent {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly extra: Readonly<Record<string, unknown>> | null;
}

/** Turns the data of an event from the 1.0 into the 2.0 shape. */
export type PresentData = (
  type: string,
  data: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

export interface Payload {
  readonly id: string;
  readonly event: string;
  /** 2.0 only; equals `event`. */
  readonly type?: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const maxDataBytes = 256 * 1024;

/** The id of an event as receivers see it, from the id it is stored under. */
export function publicEventId(id: string): string {
  return `whk_${uuidToULID(id)}`;
}

/** The payload of webhooks and of the event stream. Data over its limit is cut to its ids. */
export function buildPayload(event: StoredEvent, version: ApiVersion, presentData: PresentData): Payload {
  const full = { ...event.data, ...event.extra };
  const shaped = version === '2.0' ? presentData(event.type, full) : full;
  const data = fitting({ ...shaped, sequence: event.position });
  const head = { id: publicEventId(event.id), event: event.type };
  const timestamp = event.occurredAt.toISOString();
  return version === '2.0' ? { ...head, type: event.type, timestamp, data } : { ...head, timestamp, data };
}

function fitting(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  if (Buffer.byteLength(JSON.stringify(data)) <= maxDataBytes) return data;
  const ids = Object.entries(data).filter(
    ([name]) => name === 'id' || name === 'sequence' || name.endsWith('_id'),
  );
  return { ...Object.fromEntries(ids), truncated: true };
}
