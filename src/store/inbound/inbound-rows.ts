import type { Envelope } from '../../contract/index.js';
import type { Lane } from '../../core/deliveries/dispatch/local-dispatcher.js';
import type { DeliveryTask } from '../../core/deliveries/task.js';
import type { AppliedEvent, Taken } from '../../core/inbound/ports.js';

/** Copies that this process sends at once, and the lanes in which other copies wait. */
export interface LeasedCopies {
  readonly tasks: readonly DeliveryTask[];
  readonly waiting: readonly Lane[];
}

export type ReceivedEnvelope = Taken & { readonly leased?: LeasedCopies | null };

export interface ReceivedEnvelopes {
  readonly answers: readonly (Taken | { readonly alone: true })[] | null;
  readonly leased: LeasedCopies | null;
}

/** An envelope that holds one message. */
export interface ArrivedMessage {
  readonly connection_id: string;
  readonly envelope: Envelope;
  readonly event: AppliedEvent | undefined;
}
