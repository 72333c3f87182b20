import type { Envelope, InboundEvent, RemoteChat } from '../../contract/index.js';
import type { StoredAttachment } from '../media/attachment.js';
import type { MessageRecord } from '../messages/record.js';

/** An inbound event in the form in which it is applied, with its attachments in stored form. */
export type AppliedEvent = InboundEvent & {
  readonly attachments?: readonly StoredAttachment[];
  /** `redeliveryS` of the platform, if the event may have to wait for another one. */
  readonly redeliveryS?: number;
};

export interface StoredEnvelope {
  readonly id: string;
  readonly connectionId: string;
  readonly envelope: Envelope;
}

/** The result of an envelope. `message` is the last message that it created or changed. */
export interface Taken {
  readonly stored: boolean;
  readonly message: { readonly id: string } | null;
  /** Notes for the log: parked events that were dropped, and changes that were refused because someone else is the author. */
  readonly notes?: { readonly dropped?: number; readonly refused?: number } | null;
}

export interface InboundStore {
  /**
   * Stores an envelope and the effects of its events in one transaction. `stored` is false for a duplicate, which has no effect.
   * With `pending`, nothing is applied, and a job for the next attempt is stored with the envelope. With `dead`, the envelope is
   * only stored, with the reason.
   */
  receive(
    connectionId: string,
    envelope: Envelope,
    events: readonly AppliedEvent[],
    status: 'processed' | 'unsupported' | 'pending' | 'dead',
    reason?: string,
  ): Promise<Taken>;
  /** The inbound message with this platform id, unless it was deleted. */
  findMessage(connectionId: string, externalId: string): Promise<MessageRecord | undefined>;
  findPending(envelopeId: string): Promise<StoredEnvelope | undefined>;
  retry(envelopeId: string, events: readonly AppliedEvent[]): Promise<void>;
  /**
   * Pauses the link of a chat if texts of the bridge return through it repeatedly. Returns the link, or undefined if there is no
   * loop.
   */
  pauseLoop(connectionId: string, chat: RemoteChat): Promise<PausedLink | undefined>;
  /** Counts a failed attempt. After the last attempt the envelope is dead. */
  fail(envelopeId: string, reason: string): Promise<'pending' | 'dead'>;
}

export interface PausedLink {
  readonly link_id: string;
  readonly conversation_id: string;
}

/** Decodes envelopes of a connection, whether or not the connection is live in this process. */
export interface Decoders {
  decode(connectionId: string, envelope: Envelope): Promise<readonly InboundEvent[]>;
  /** `redeliveryS` of the connection's platform. Known once an envelope of the connection was decoded. */
  redeliveryOf?(connectionId: string): number | undefined;
}
