import { clock } from '../../contract/clock.js';
import type { ContentAttachment } from '../../contract/index.js';
import type { Caller } from '../access/caller.js';
import { conflict, notFound } from '../common/errors.js';
import type { InboundStore } from '../inbound/ports.js';
import type { Receive } from '../inbound/receive.js';
import type { StoredAttachment } from '../media/attachment.js';
import { defaultType, essence, UNKNOWN_TYPE } from '../media/file-type.js';
import type { MediaStore } from '../media/ports.js';
import type { TakeAttachments } from '../media/take-attachments.js';
import type { MessageRecord } from '../messages/record.js';
import { isSandbox } from '../platforms/catalogue.js';
import type { ConnectionStore } from '../platforms/ports.js';
import type { SandboxInboundBody } from './bodies.js';
import type { SandboxEnvelopes } from './ports.js';

/** Receives a message as if the person at a sandbox address had written it. For callers of test workspaces. */
export class ReceiveSandboxMessage {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly envelopes: SandboxEnvelopes,
    private readonly receive: Receive,
    private readonly inbound: InboundStore,
    private readonly takeAttachments: TakeAttachments,
    private readonly media: Pick<MediaStore, 'find'>,
  ) {}

  /**
   * `created` is false if a message with this external id was received before. The default external id is `messageId`. Raises
   * `not_found` if that message was deleted, and `conflict` (`invalid_state`) if the message is dropped, because its writer is
   * blocked or its chat accepts no messages.
   */
  async execute(
    caller: Caller,
    body: SandboxInboundBody,
    messageId: string,
  ): Promise<{ readonly record: MessageRecord; readonly created: boolean }> {
    const connection = (await this.connections.all(caller.workspaceId)).find((one) =>
      isSandbox(one.platform),
    );
    if (connection === undefined) throw notFound('The sandbox');
    const taken = await this.takeAttachments.execute(caller.workspaceId, body.attachments);
    const attachments = await Promise.all(taken.map((stored) => this.#described(stored)));
    const externalId = body.external_message_id ?? messageId;
    const { address, text } = body;
    const envelope = this.envelopes.message(
      { address, text, attachments: attachments.map(toContent), external_message_id: externalId },
      clock.date().toISOString(),
    );
    const { stored } = await this.receive.envelope(connection.id, envelope);
    const record = await this.inbound.findMessage(connection.id, externalId);
    if (record !== undefined) return { record, created: stored };
    if (!stored) throw notFound('The message with this external_message_id');
    throw conflict('invalid_state', 'The message was dropped, because the chat accepts no messages.', {
      current: 'dropped',
    });
  }

  /** Adds the data of its file to an upload, as a platform does for a file that a person sends. */
  async #described(stored: StoredAttachment): Promise<StoredAttachment> {
    const file = stored.upload === undefined ? undefined : await this.media.find(stored.id);
    if (file === undefined) return stored;
    return {
      ...stored,
      name: stored.name ?? file.name,
      mime_type: stored.mime_type ?? file.mimeType,
      size: file.sizeBytes,
    };
  }
}

/** The attachment as the platform passes it to the bridge. A file has a URL or, if it was uploaded, its id. */
function toContent(stored: StoredAttachment): ContentAttachment {
  const { id, type, name, mime_type, alt_text, latitude, longitude, metadata, source_url, size, upload } =
    stored;
  return {
    type: type ?? defaultType(essence(mime_type) ?? UNKNOWN_TYPE),
    metadata,
    ...(source_url === undefined ? {} : { url: source_url }),
    ...(upload === undefined ? {} : { remoteRef: id }),
    ...(name === null ? {} : { name }),
    ...(mime_type === null ? {} : { mimeType: mime_type }),
    ...(size === undefined ? {} : { sizeBytes: size }),
    ...(alt_text === null ? {} : { altText: alt_text }),
    ...(latitude === null ? {} : { latitude }),
    ...(longitude === null ? {} : { longitude }),
  };
}
