import { z } from 'zod';
import { type PartStep, PlatformError } from '../../../src/contract/index.js';
import { fileMethods } from './media-layout.js';
import { messageNumber } from './plan.js';
import { reactions } from './reactions.js';

/** Payloads of steps. A text has at least one visible character. Only the first part has `replyTo`. */

const entities = z.array(z.looseObject({ type: z.string(), offset: z.number(), length: z.number() }));
const replyTo = z.number().optional();
const caption = { text: z.string().default(''), entities: entities.default([]) };
const file = z.object({
  file: z.object({ ref: z.string(), mimeType: z.string(), name: z.string().optional() }),
  method: z.enum(fileMethods),
});

const buttons = z.array(z.object({ text: z.string(), callback_data: z.string() })).optional();

export const textPayload = z.object({ text: z.string().min(1), entities, replyTo, buttons });
export const captionPayload = z.object({ text: z.string(), entities });
export const filePayload = file.extend({ ...caption, replyTo });
export const albumPayload = z.object({ album: z.array(file).min(2), ...caption, replyTo });
export const locationPayload = z.object({
  latitude: z.number(),
  longitude: z.number(),
  venue: z.object({ title: z.string(), address: z.string() }).optional(),
  replyTo,
});
export const contactPayload = z.object({ phone: z.string(), name: z.string(), replyTo });
export const signalPayload = z.union([
  z.object({ action: z.literal('typing') }),
  z.object({ action: z.literal('react'), reaction: z.enum(reactions).nullable() }),
]);

export type FilePayload = z.infer<typeof filePayload>;
export type AlbumPayload = z.infer<typeof albumPayload>;

/** Parses the payload of a step. Throws `unsupported` for a step of another adapter. */
export function payloadOf<T>(schema: z.ZodType<T>, { payload }: PartStep): T {
  const parsed = schema.safeParse(payload);
  if (!parsed.success) throw unusable('The step is not a step of the Telegram adapter.');
  return parsed.data;
}

/** The id of the message that a step changes. */
export function targetOf({ targetId }: PartStep) {
  const messageId = targetId === undefined ? undefined : messageNumber(targetId);
  if (targetId === undefined || messageId === undefined)
    throw unusable('The step has no Telegram message id.');
  return { targetId, messageId };
}

const unusable = (message: string) =>
  new PlatformError({ kind: 'rejected', reason: 'unsupported' }, { dispatched: 'no', message });
