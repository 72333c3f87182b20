import { z } from 'zod';
import { attachmentInput } from '../media/attachment-input.js';
import { text } from '../schema/scalars.js';

/** The body of POST sandbox/inbound. */
export const sandboxInboundBody = z
  .object({
    address: text(1, 256),
    text: text(0, 10_000),
    attachments: z.array(attachmentInput).max(10).default([]),
    external_message_id: text(1, 256).optional(),
  })
  .superRefine((body, context) => {
    if (body.text.trim() !== '' || (body.text === '' && body.attachments.length > 0)) return;
    const message = 'must have a non-blank character, or be empty with an attachment';
    context.addIssue({ code: 'custom', path: ['text'], message, params: { code: 'too_short' } });
  });
export type SandboxInboundBody = z.output<typeof sandboxInboundBody>;
