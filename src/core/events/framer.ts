import type { ApiVersion } from '../versions/api-version.js';
import { buildPayload, type PresentData } from '../webhooks/payload.js';
import { eventFrame } from './frames.js';
import type { LoggedEvent } from './ports.js';

/** An event in the format of one API version. */
export interface FramedEvent {
  readonly transaction: bigint;
  readonly frame: Buffer;
}

/** Formats each event once per API version. */
export class Framer {
  readonly #written = new Map<string, FramedEvent>();

  constructor(private readonly presentData: PresentData) {}

  frame(event: LoggedEvent, version: ApiVersion): FramedEvent {
    const key = `${version} ${event.position}`;
    const known = this.#written.get(key);
    if (known !== undefined) return known;
    const frame = Buffer.from(eventFrame(buildPayload(event, version, this.presentData)));
    const framed = { transaction: event.transaction, frame };
    this.#written.set(key, framed);
    return framed;
  }
}
