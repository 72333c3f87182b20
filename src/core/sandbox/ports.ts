import type { ContentAttachment, Envelope } from '../../contract/index.js';

/** A message from a sandbox address. */
interface SandboxMessage {
  readonly address: string;
  readonly text: string;
  readonly attachments: readonly ContentAttachment[];
  /** A repeated id is the same message. */
  readonly external_message_id: string;
}

/** Creates the envelopes with which the sandbox delivers messages. */
export interface SandboxEnvelopes {
  message(message: SandboxMessage, receivedAt: string): Envelope;
}
