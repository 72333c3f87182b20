import type { Envelope, InboundEvent, RemoteChat } from '../../contract/index.js';
import type { StoredAttachment } from '../media/attachment.js';
import type { MessageRecord } from '../messages/record.js';

/** An inbound event as it is applied: attachments are as they are stored. */
export type AppliedEvent = InboundEvent & {
  readonly attachments?: readonly StoredAttachment[];
  /** `redeliveryS` of the platform, where the event may have to wait for another one. */
  readonly redeliveryS?: number;
};

export interface StoredEnvelope {
  readonly id: string;
  readonly connectionId: string;
  readonly envelope: Envelope;
}

/** What came of an envelope: the last message that it made or changed. */
export interface Taken {
  readonly stored: boolean;
  readonly message: { readonly id: string } | null;
  /** What is worth a log line: early events that were dropped, changes by others than the author that were refused. */
  readonly notes?: { readonly dropped?: number; readonly refused?: number } | null;
}

export interface InboundStore {
  /**
   * Stores an envelope and the effects of its events in one transaction. `stored` is false for a repeat, which changes
   * nothing. With `pending` nothing is applied; a reminder to try again is stored with it. With `dead` it is only stored.
   */
  receive(
    connectionId: string,
    envelope: Envelope,
    events: readonly AppliedEvent[],
    status: 'processed' | 'unsupported' | 'pending' | 'dead',
  ): Promise<Taken>;
  /** The inbound message that a platform knows by this id, unless it was deleted. */
  findMessage(connectionId: string, externalId: string): Promise<MessageRecord | undefined>;
  findPending(envelopeId: string): Promise<StoredEnvelope | undefined>;
  retry(envelopeId: string, events: readonly AppliedEvent[]): Promise<void>;
  /**
   * Pauses the link of a chat when what the bridge writes comes back by it, again and again. Answers the link, or undefined when
   * there is no loop.
   */
  pauseLoop(connectionId: string, chat: RemoteChat): Promise<PausedLink | undefined>;
  /** Counts a failed try; the last one leaves the envelope dead. */
  fail(envelopeId: string, reason: string): Promise<'pending' | 'dead'>;
}

export interface PausedLink {
  readonly link_id: string;
  readonly conversation_id: string;
}

/** Decodes envelopes of a connection, live in this process or not. */
export interface Decoders {
  decode(connectionId: string, envelope: Envelope): Promise<readonly InboundEvent[]>;
  /** `redeliveryS` of the connection's platform, once an envelope of it was decoded. */
  redeliveryOf?(connectionId: string): number | undefined;
}
