import { z } from 'zod';
import { clock } from '../../contract/clock.js';
import { attachmentInput } from '../media/attachment-input.js';
import { problem } from '../schema/problem.js';
import { conversationDigits, metadata, platformId, text, timestamp, uuid } from '../schema/scalars.js';

/** Request bodies of messages. */

const DAY_MS = 86_400_000;
const MAX_SEND_AHEAD_MS = 365 * DAY_MS;
const PAST_SLACK_MS = 60_000;

/** `send_at`: at most 365 days ahead; up to 60 s in the past counts as now. */
export const sendAt = timestamp
  .refine((value) => Date.parse(value) >= clock.now() - PAST_SLACK_MS, {
    error: 'must not be more than 60 s in the past',
    params: { code: 'too_small' },
  })
  .refine((value) => Date.parse(value) <= clock.now() + MAX_SEND_AHEAD_MS, {
    error: 'must be at most 365 days ahead',
    params: { code: 'too_large' },
  });
export const conversationReference = z
  .union([uuid, z.int().min(1), conversationDigits])
  .meta({ description: 'Id of the conversation, or its number.' });

const messageText = text(0, 10_000);
const contentType = z.enum(['text', 'markdown']);

/** `send_at`, `ttl_seconds` and the other fields of a message apart from its content. */
const delivery = {
  category: z.enum(['conversational', 'transactional', 'marketing']).default('conversational'),
  reply_to_id: uuid.nullish(),
  thread_id: uuid.nullish(),
  send_at: sendAt.nullish(),
  ttl_seconds: z.int().min(60).max(604_800).default(86_400),
  internal: z.boolean().default(false),
  metadata: metadata.default({}),
};

const alias = (wire: string) => ({
  description: `Name of \`${wire}\` in client libraries.`,
  deprecated: true,
});

/** The content of a message, with the names of the API and those of client libraries. */
const content = {
  text: messageText.optional(),
  content: messageText.optional().meta(alias('text')),
  content_type: contentType.optional(),
  contentType: contentType.optional().meta(alias('content_type')),
  attachments: z.array(attachmentInput).max(10).default([]),
};
type Content = z.output<z.ZodObject<typeof content>>;

function checkContent(value: Content, context: z.RefinementCtx): void {
  refuseBoth(value.text, value.content, 'content', context);
  refuseBoth(value.content_type, value.contentType, 'contentType', context);
  const said = value.text ?? value.content;
  if (said === undefined) problem(context, 'text', 'required', 'is required');
  else refuseBlank({ text: said, attachments: value.attachments }, context);
}

/** Same, with only the names of the API. */
function named<T extends Content>({ content: said, contentType: type, ...value }: T) {
  return {
    ...value,
    text: (value.text ?? said) as string,
    content_type: value.content_type ?? type ?? ('text' as const),
  };
}

/** A message without its conversation, for the first message of a new one. */
export const firstMessageBody = z
  .object({ ...content, ...delivery })
  .superRefine(checkContent)
  .transform(named);

/** A person's address on a platform. Opens a direct chat, or finds the existing one. */
export const recipientAddress = z.object({
  platform: platformId,
  address: text(1, 256),
  connection_id: uuid.optional(),
});

/** The body of POST messages, with the names of the API and those of client libraries. */
export const sendMessageBody = z
  .object({
    conversation_id: conversationReference.optional(),
    conversationId: conversationReference.optional().meta(alias('conversation_id')),
    to: recipientAddress.optional().describe('Address to send to, in place of `conversation_id`.'),
    ...content,
    ...delivery,
  })
  .superRefine((value, context) => {
    refuseBoth(value.conversation_id, value.conversationId, 'conversationId', context);
    const isNamed = value.conversation_id !== undefined || value.conversationId !== undefined;
    if (value.to !== undefined && isNamed) {
      problem(context, 'to', 'exclusive', 'replaces conversation_id; send only one of them');
    }
    if (value.to === undefined && !isNamed) {
      problem(context, 'conversation_id', 'required', 'conversation_id or to is required');
    }
    checkContent(value, context);
  })
  .transform(({ conversationId, ...value }) => ({
    ...named(value),
    conversation_id: value.conversation_id ?? conversationId,
  }));
export type SendMessageBody = z.output<typeof sendMessageBody>;

function refuseBoth(wire: unknown, named: unknown, field: string, context: z.RefinementCtx): void {
  if (wire !== undefined && named !== undefined && wire !== named) {
    problem(context, field, 'exclusive', 'differs from the other name of this field; send only one of them');
  }
}

/** A text needs a visible character, unless it is empty and there is an attachment. */
export function refuseBlank(
  value: { readonly text: string; readonly attachments: readonly unknown[] },
  context: z.RefinementCtx,
): void {
  if (value.text.trim() === '' && !(value.text === '' && value.attachments.length > 0)) {
    problem(context, 'text', 'too_short', 'must have a non-blank character, or be empty with an attachment');
  }
}

export const editMessageBody = z
  .object({
    text: messageText.optional(),
    content: messageText.optional().meta(alias('text')),
    content_type: contentType.optional(),
    attachments: z.array(attachmentInput).max(10).optional(),
    send_at: sendAt.nullish(),
    metadata: metadata.optional(),
  })
  .superRefine((value, context) => {
    refuseBoth(value.text, value.content, 'content', context);
    const said = value.text ?? value.content;
    // If the change has no attachments, the stored message decides whether an empty text is allowed.
    if (said !== undefined && (said !== '' || value.attachments !== undefined))
      refuseBlank({ text: said, attachments: said === '' ? (value.attachments ?? []) : [] }, context);
  })
  .transform(({ content, ...value }) =>
    content === undefined ? value : { ...value, text: value.text ?? content },
  );
export type EditMessageBody = z.output<typeof editMessageBody>;

export const resolveDeliveryBody = z.object({
  outcome: z.enum(['sent', 'failed']).meta({ description: 'The actual outcome.' }),
});
