import type { ContentAttachment, Envelope } from '../../contract/index.js';

/** A message from a sandbox address. */
interface SandboxMessage {
  readonly address: string;
  readonly text: string;
  readonly attachments: readonly ContentAttachment[];
  /** The same id again is the same message. */
  readonly external_message_id: string;
}

/** Writes the envelopes in which the sandbox would deliver what people send. */
export interface SandboxEnvelopes {
  message(message: SandboxMessage, receivedAt: string): Envelope;
}
