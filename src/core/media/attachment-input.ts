import { z } from 'zod';
import { problem } from '../schema/problem.js';
import { metadata, text, url, uuid } from '../schema/scalars.js';
import { attachmentTypes } from './attachment.js';

const attachmentObject = z
  .object({
    url: url.optional(),
    upload_id: uuid.optional(),
    type: z.enum(attachmentTypes).optional(),
    name: text(1, 255).nullish(),
    mime_type: text(3, 127).nullish(),
    alt_text: text(0, 1000).nullish(),
    latitude: z.number().min(-90).max(90).nullish(),
    longitude: z.number().min(-180).max(180).nullish(),
    metadata: metadata.optional(),
  })
  .superRefine((value, context) => {
    const files = Number(value.url !== undefined) + Number(value.upload_id !== undefined);
    const fileless = value.type === 'location' || value.type === 'contact';
    if (files > 0 && fileless) {
      const field = value.url === undefined ? 'upload_id' : 'url';
      problem(context, field, 'exclusive', `a ${value.type} has no file`);
    }
    if (files > 1) problem(context, 'upload_id', 'exclusive', 'either url or upload_id, not both');
    if (files === 0 && !fileless) problem(context, 'url', 'required', 'url or upload_id is required');
    if (value.type === 'location') {
      if (value.latitude == null) problem(context, 'latitude', 'required', 'is required for a location');
      if (value.longitude == null) problem(context, 'longitude', 'required', 'is required for a location');
    }
  });

/** An attachment in a request: an object, or only the URL of the file. */
export const attachmentInput = z.union([url.transform((value) => ({ url: value })), attachmentObject]);

export type AttachmentInput = z.output<typeof attachmentObject>;
