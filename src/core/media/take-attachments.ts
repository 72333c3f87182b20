import { AppError, notFound } from '../common/errors.js';
import { newId } from '../common/new-id.js';
import type { TargetGuard } from '../common/outgoing.js';
import type { StoredAttachment } from './attachment.js';
import type { AttachmentInput } from './attachment-input.js';
import type { MediaStore } from './ports.js';

/** Converts attachments of requests to their stored form. */
export class TakeAttachments {
  constructor(
    private readonly store: Pick<MediaStore, 'usableUploads'>,
    private readonly targets: TargetGuard,
  ) {}

  /**
   * Raises `invalid_request` for a URL that the service may not fetch from, then `not_found` for an upload that does not exist,
   * belongs to another workspace or is older than a day. `field` is the path of the list in the body.
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
 * Takes attachments for an existing record. If an upload is missing, `find` runs first: it raises `not_found` for a missing
 * record, because the path takes precedence over the body.
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
  // Only a location has coordinates.
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
