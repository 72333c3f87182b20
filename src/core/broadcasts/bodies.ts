import { z } from 'zod';
import { attachmentInput } from '../media/attachment-input.js';
import { metadata, platformId, text, uuid } from '../schema/scalars.js';
import { schedule } from './schedule.js';

/** Request bodies that create and change broadcasts. */

const MAX_INLINE = 10_000;

const userIds = z.array(uuid).max(MAX_INLINE);

const recipient = z.object({
  platform: platformId,
  address: text(1, 256),
  variables: metadata.default({}),
});

const audience = z
  .object({
    user_ids: userIds.optional(),
    segment_ids: z.array(uuid).max(100).optional(),
    recipients: z.array(recipient).max(MAX_INLINE).optional(),
    filter: text(1, 1024).nullish(),
    exclude: z
      .object({ user_ids: userIds.optional(), segment_ids: z.array(uuid).max(100).optional() })
      .nullish(),
  })
  .superRefine(({ user_ids: users = [], recipients = [] }, context) => {
    if (users.length + recipients.length > MAX_INLINE) {
      const message = `must have at most ${MAX_INLINE} recipients inline`;
      context.addIssue({ code: 'custom', path: [], message, params: { code: 'too_many' } });
    }
  });

/** Whether an audience selects no recipients. Exclusions do not add any. */
function isEmptyAudience({ user_ids, segment_ids, recipients, filter }: z.output<typeof audience>): boolean {
  return filter == null && [user_ids, segment_ids, recipients].every((each) => !each?.length);
}

/** Blank text is rejected, as in messages. */
export const nonBlankText = text(1, 10_000).refine((value) => value.trim() !== '', {
  error: 'must have a non-blank character',
  params: { code: 'too_short' },
});

const variant = z.object({
  key: text(1, 32),
  weight: z.int().min(1).max(100),
  text: nonBlankText.nullish(),
  attachments: z.array(attachmentInput).max(10).nullish(),
});

const variants = z
  .array(variant)
  .max(10)
  .refine((all) => new Set(all.map((one) => one.key)).size === all.length, {
    error: 'names a key twice',
    params: { code: 'duplicate' },
  });

const fallback = z.object({
  after_seconds: z.int().min(60).max(86_400),
  success_status: z.enum(['sent', 'delivered', 'read']),
});

const throttle = z.object({ per_minute: z.int().min(1).max(60_000) });

const fields = {
  name: text(1, 256),
  category: z.enum(['marketing', 'transactional']),
  text: nonBlankText.nullish(),
  template_id: uuid.nullish(),
  content_type: z.enum(['text', 'markdown']),
  attachments: z.array(attachmentInput).max(10),
  variables: metadata,
  variants,
  platforms: z.array(platformId).max(50),
  audience,
  fallback: fallback.nullish(),
  throttle: throttle.nullish(),
  schedule: schedule.nullish(),
  metadata,
};

/** The body of POST broadcasts. `recipient_ids` is an alias of `audience.user_ids`. */
export const createBroadcastBody = z
  .object({
    ...fields,
    name: fields.name.optional(),
    category: fields.category.default('marketing'),
    content_type: fields.content_type.optional(),
    attachments: fields.attachments.optional(),
    variables: fields.variables.default({}),
    variants: fields.variants.default([]),
    platforms: fields.platforms.default([]),
    audience: audience.optional(),
    recipient_ids: userIds.optional(),
    metadata: fields.metadata.default({}),
    draft: z.boolean().default(false),
  })
  .superRefine((body, context) => {
    const problem = (field: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    const named = body.audience?.user_ids ?? [];
    if (body.recipient_ids !== undefined && named.length > 0 && `${named}` !== `${body.recipient_ids}`) {
      problem('recipient_ids', 'exclusive', 'is another name of audience.user_ids');
    }
    const inline = (body.recipient_ids?.length ?? 0) + (body.audience?.recipients?.length ?? 0);
    if (inline > MAX_INLINE)
      problem('recipient_ids', 'too_many', 'of at most 10,000 with audience.recipients');
    if (!body.recipient_ids?.length && (body.audience === undefined || isEmptyAudience(body.audience))) {
      problem(
        'audience',
        'required',
        body.audience === undefined ? 'is required' : 'must name at least one recipient',
      );
    }
    if (body.text != null && body.template_id != null)
      problem('text', 'exclusive', 'either text or template_id');
    if (body.text == null && body.template_id == null)
      problem('text', 'required', 'text or template_id is required');
  });
export type CreateBroadcastBody = z.output<typeof createBroadcastBody>;

/** The body of PATCH broadcasts. */
export const changeBroadcastBody = z
  .object(fields)
  .partial()
  .superRefine(({ text, template_id: template, audience: named }, context) => {
    if (named !== undefined && isEmptyAudience(named))
      context.addIssue({
        code: 'custom',
        path: ['audience'],
        message: 'must name at least one recipient',
        params: { code: 'required' },
      });
    // If only one of them is sent, the stored broadcast decides whether that is enough.
    if (text === undefined || template === undefined || (text === null) !== (template === null)) return;
    const [code, message] =
      text === null
        ? ['required', 'text or template_id is required']
        : ['exclusive', 'either text or template_id'];
    context.addIssue({ code: 'custom', path: ['text'], message, params: { code } });
  });
export type ChangeBroadcastBody = z.output<typeof changeBroadcastBody>;
