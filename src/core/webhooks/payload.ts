import { uuidToULID } from 'ulid';
import type { ApiVersion } from '../versions/api-version.js';

/** A stored event: the record in its 1.0 form, and the fields that the event adds. */
export interface StoredEvent {
  readonly id: string;
  readonly position: number;
  readonly type: string;
  readonly occurredAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
  readonly extra: Readonly<Record<string, unknown>> | null;
}

/** Converts the data of an event from the 1.0 to the 2.0 form. */
export type PresentData = (
  type: string,
  data: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>>;

export interface Payload {
  readonly id: string;
  readonly event: string;
  /** Only in 2.0. Equal to `event`. */
  readonly type?: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const maxDataBytes = 256 * 1024;

/** The public id of an event, from its stored id. */
export function publicEventId(id: string): string {
  return `whk_${uuidToULID(id)}`;
}

/** The payload for webhooks and the event stream. Data above the size limit is reduced to its ids. */
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
