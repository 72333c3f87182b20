import { z } from 'zod';

/** Parameters may come as JSON, form or query, so numbers and objects may be text. */
export const integer = z.coerce.number().int();
export const chatId = z.union([z.number().int(), z.string()]);
const list = z.preprocess(parsedText, z.array(z.string()).optional());

export function parsedText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const buttons = z.array(z.array(z.looseObject({ text: z.string() })));

const reply = z.preprocess(
  parsedText,
  z
    .object({ message_id: integer.optional(), allow_sending_without_reply: z.boolean().optional() })
    .optional(),
);

/** Only inline buttons belong to the message. Other keyboards are visible to people only. */
const markup = z.preprocess(parsedText, z.looseObject({ inline_keyboard: buttons.optional() }).optional());

/** Parameters that all methods for new messages share. */
export const writeParameters = z.object({
  chat_id: chatId,
  message_thread_id: integer.optional(),
  direct_messages_topic_id: integer.optional(),
  reply_parameters: reply,
  // Parameter names before version 7.0, which the server still accepts.
  reply_to_message_id: integer.optional(),
  allow_sending_without_reply: z.coerce.boolean().optional(),
  reply_markup: markup,
});
export type WriteParameters = z.infer<typeof writeParameters>;

export const sendParameters = writeParameters.extend({
  text: z.string().optional(),
  entities: z.preprocess(parsedText, z.unknown()),
  parse_mode: z.string().optional(),
});
const captions = {
  caption: z.string().optional(),
  caption_entities: z.preprocess(parsedText, z.unknown()),
  parse_mode: z.string().optional(),
};
export const fileParameters = z.looseObject({ ...writeParameters.shape, ...captions });
export const albumParameters = writeParameters.extend({
  media: z.preprocess(
    parsedText,
    z.array(z.looseObject({ type: z.string(), media: z.string(), ...captions })),
  ),
});
const latitude = z.coerce.number().min(-90).max(90);
const longitude = z.coerce.number().min(-180).max(180);
export const locationParameters = writeParameters.extend({ latitude, longitude });
export const venueParameters = locationParameters.extend({
  title: z.string().min(1),
  address: z.string().min(1),
});
export const contactParameters = writeParameters.extend({
  phone_number: z.string().min(1),
  first_name: z.string().min(1),
  last_name: z.string().optional(),
});
export const editParameters = sendParameters.extend({ message_id: integer });
export const editCaptionParameters = z.object({
  chat_id: chatId,
  message_id: integer,
  ...captions,
  reply_markup: markup,
});
export const markupParameters = z.object({ chat_id: chatId, message_id: integer, reply_markup: markup });
export const messageParameters = z.object({ chat_id: chatId, message_id: integer });
export const reactionParameters = messageParameters.extend({
  reaction: z.preprocess(
    parsedText,
    z.array(z.looseObject({ type: z.string(), emoji: z.string().optional() })).default([]),
  ),
});
export const chatParameters = z.object({ chat_id: chatId });
export const actionParameters = chatParameters.extend({
  action: z.string(),
  message_thread_id: integer.optional(),
});
export const callbackParameters = z.object({
  callback_query_id: z.string(),
  text: z.string().max(200).optional(),
});
export const fileIdParameters = z.object({ file_id: z.string() });
export const pollParameters = z.object({
  offset: integer.optional(),
  limit: integer.min(1).max(100).optional(),
  timeout: integer.optional(),
  allowed_updates: list,
});
export const webhookParameters = z.object({
  url: z.string().optional(),
  secret_token: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,256}$/)
    .optional(),
  allowed_updates: list,
  drop_pending_updates: z.coerce.boolean().optional(),
});
