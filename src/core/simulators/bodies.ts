import { z } from 'zod';
import { text } from '../schema/scalars.js';

/** Maximum size of a file in bytes, and of its Base64 text in characters. */
const MAX_FILE_BYTES = 700_000;
const MAX_BASE64 = Math.ceil(MAX_FILE_BYTES / 3) * 4;

const id = text(1, 256);
const sender = text(1, 64);
const words = text(1, 4096);

const file = z.strictObject({
  name: text(1, 255),
  mime_type: z
    .string()
    .max(128)
    .regex(/^[\w.+-]+\/[\w.+-]+$/, { error: 'must be a media type such as image/png' }),
  content: z
    .string()
    .max(MAX_BASE64, { error: `must be at most ${MAX_FILE_BYTES.toLocaleString('en')} bytes as Base64` })
    .regex(/^[A-Za-z0-9+/]+={0,2}$/, { error: 'must be Base64' }),
});

const at = { chat_id: id, sender };
const atMessage = { ...at, message_id: id };

/** An action of a person on a simulated platform. */
export const phoneActionBody = z.discriminatedUnion('type', [
  z
    .strictObject({
      type: z.literal('write'),
      ...at,
      text: text(0, 4096).default(''),
      reply_to_id: id.optional(),
      file: file.optional(),
    })
    .refine(({ text: written, file: sent }) => written !== '' || sent !== undefined, {
      error: 'must not be empty without a file',
      path: ['text'],
    }),
  z.strictObject({ type: z.literal('edit'), ...atMessage, text: words }),
  z.strictObject({ type: z.literal('delete'), ...atMessage }),
  z.strictObject({
    type: z.literal('react'),
    ...atMessage,
    emoji: text(1, 16),
    change: z.enum(['added', 'removed']).default('added'),
  }),
  z.strictObject({ type: z.literal('press'), ...atMessage, label: text(1, 80) }),
  z.strictObject({ type: z.literal('type'), ...at }),
  z.strictObject({
    type: z.literal('location'),
    ...at,
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
]);
export type PhoneAction = z.output<typeof phoneActionBody>;

const times = z.int().min(1).max(1_000).default(1);

/** A fault to simulate on a platform from now on. */
export const simulatorFaultBody = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rate_limited'),
    retry_after_s: z.int().min(1).max(3_600).default(5),
    times,
  }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(500).max(599).default(503), times }),
  z.strictObject({ kind: z.enum(['drop_before', 'drop_after']), times }),
  z.strictObject({ kind: z.enum(['disconnect', 'revoke_token', 'restore_token']) }),
]);
export type SimulatorFaultBody = z.output<typeof simulatorFaultBody>;
