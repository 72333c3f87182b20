import { AppError, notFound } from '../common/errors.js';
import { newId } from '../common/new-id.js';
import type { TargetGuard } from '../common/outgoing.js';
import type { StoredAttachment } from './attachment.js';
import type { AttachmentInput } from './attachment-input.js';
import type { MediaStore } from './ports.js';

/** Turns attachments as a client sends them into what is stored. */
export class TakeAttachments {
  constructor(
    private readonly store: Pick<MediaStore, 'usableUploads'>,
    private readonly targets: TargetGuard,
  ) {}

  /**
   * Raises `invalid_request` for an address that the service may not fetch from, then `not_found` for an upload that does not
   * exist, belongs to another workspace or is older than its day. `field` is the place of the list in the body.
   */
  async execute(
    workspaceId: string,
    inputs: readonly AttachmentInput[],
    field = 'attachments',
  ): Promise<StoredAttachment[]> {
    await Promise.all(
      inputs.map(async ({ url }, index) => {
        if (url !== undefined) await this.targets.checkUrl(url, `${field}.${index}.url`);
      }),
    );
    const uploads = inputs.flatMap(({ upload_id: id }) => (id === undefined ? [] : [id]));
    const usable = uploads.length === 0 ? new Set() : await this.store.usableUploads(workspaceId, uploads);
    const missing = inputs.findIndex(({ upload_id: id }) => id !== undefined && !usable.has(id));
    if (missing !== -1) throw notFound('The upload', `${field}.${missing}.upload_id`);
    return inputs.map(toStored);
  }
}

/**
 * Attachments for a record that is there. What the path names is missed before an upload that the body names: `find`
 * raises `not_found` for it.
 */
export async function takeFor<T>(find: () => Promise<unknown>, take: () => Promise<T>): Promise<T> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') await find();
    throw error;
  }
}

function toStored(input: AttachmentInput): StoredAttachment {
  // Only a location is somewhere.
  const { latitude, longitude }: Partial<AttachmentInput> = input.type === 'location' ? input : {};
  return {
    id: input.upload_id ?? newId(),
    type: input.type ?? null,
    ...(input.url === undefined ? {} : { source_url: input.url }),
    ...(input.upload_id === undefined ? {} : { upload: true }),
    metadata: input.metadata ?? {},
    name: input.name ?? null,
    mime_type: input.mime_type ?? null,
    alt_text: input.alt_text ?? null,
    latitude: latitude ?? null,
    longitude: longitude ?? null,
  };
}
