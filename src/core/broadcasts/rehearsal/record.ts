import { z } from 'zod';
import { contentMarks } from '../../../contract/index.js';
import { wireId } from '../../schema/scalars.js';

/** Maximum number of previews in a rehearsal. */
export const MAX_PREVIEWS = 20;

/** Why a recipient was chosen as a preview, the most informative reason first. */
export const previewReasons = [
  'refused',
  'missing_variable',
  'longest',
  'loss',
  'variant',
  'new_chat',
  'shortest',
  'typical',
] as const;
export type PreviewReason = (typeof previewReasons)[number];

const billed = z.object({ unit: z.string(), count: z.int() });
const refusal = z.object({ code: z.string(), message: z.string() });

/** A formatted range of text, like `Span` of the adapter contract. */
const span = z.object({
  mark: z.enum(contentMarks),
  start: z.int(),
  end: z.int(),
  value: z.string().optional(),
});

const preview = z.object({
  user_id: wireId,
  address: z.string().nullable().meta({ description: 'Of a chat that is new.' }),
  connection_id: wireId.nullable(),
  platform: z.string().nullable(),
  variant: z.string().nullable(),
  reason: z.enum(previewReasons),
  texts: z.array(z.string()).meta({ description: 'The text of each message that the platform shows.' }),
  spans: z.array(z.array(span)).optional().meta({
    description: 'The formats of each text that the platform shows; absent where there are none.',
  }),
  files: z.array(z.string()).meta({ description: 'Names of the files, or their types.' }),
  parts: z.int().meta({ description: 'Messages on the platform, with those of files.' }),
  degradations: z.array(z.string()),
  billed: billed.nullable(),
  refusal: refusal.nullable().meta({ description: 'Why the recipient would not get the message.' }),
  missing: z.array(z.string()).meta({ description: 'Variables without a value.' }),
});
export type RehearsalPreview = z.infer<typeof preview>;

const connection = z.object({
  connection_id: wireId.nullable(),
  platform: z.string(),
  name: z.string().nullable(),
  is_live: z.boolean().meta({
    description: 'false: the connection is not live in this process; the figures follow from the definition.',
  }),
  rate_per_second: z.number().nullable().meta({ description: 'Of the account; null: unlimited.' }),
  recipients: z.int(),
  new_chats: z.int(),
  parts: z.int(),
  calls: z.int().meta({ description: 'Calls at the platform, with those that open chats.' }),
  billed: billed.nullable(),
  refused: z.int().meta({ description: 'Recipients whose message the platform would not get.' }),
  first_after_seconds: z.number().nullable(),
  duration_seconds: z.number().meta({ description: 'From the start of the broadcast to the last call.' }),
  limited_by: z
    .enum(['account', 'throttle', 'schedule'])
    .nullable()
    .meta({ description: 'What its duration follows from, where one thing decides it.' }),
});
export type RehearsedConnection = z.infer<typeof connection>;

/** The result of a rehearsal: what a broadcast would do within the documented limits of its platforms, on a simulated clock. */
export const rehearsalRecord = z.object({
  recipients: z.int(),
  skips: z.record(z.string(), z.int()),
  parts: z.int(),
  duration_seconds: z.number().meta({ description: 'From the start of the broadcast to the last call.' }),
  preparation_seconds: z.number().meta({ description: 'The part of it before the first recipient.' }),
  without_zone: z
    .int()
    .meta({ description: 'Recipients without a time zone, where each one’s clock decides.' }),
  connections: z.array(connection),
  refusals: z.array(refusal.extend({ platform: z.string(), recipients: z.int() })),
  degradations: z.array(z.object({ platform: z.string(), degradation: z.string(), recipients: z.int() })),
  previews: z.array(preview).max(MAX_PREVIEWS),
});
export type RehearsalRecord = z.infer<typeof rehearsalRecord>;

/** The progress of a rehearsal. */
export interface RehearsalProgress {
  readonly stage: 'planning' | 'sending';
  readonly done: number;
  readonly total: number;
}
