import { z } from 'zod';
import { locale, text, uuid } from '../../schema/scalars.js';

/** A translation in the form of the API, version 1.0. */
export const translationRecord = z
  .object({
    text: z.string(),
    detected_language: z.string(),
    target_language: z.string(),
    provider: z.string(),
    cached: z.boolean(),
  })
  .meta({ id: 'Translation' });
export type TranslationRecord = z.infer<typeof translationRecord>;

/** The body of POST translations. */
export const translateBody = z
  .object({
    text: text(1, 10_000).optional(),
    message_id: uuid.optional(),
    target_language: locale,
    source_language: locale.nullish(),
  })
  .superRefine(({ text: given, message_id: messageId }, context) => {
    if ((given === undefined) !== (messageId === undefined)) return;
    const [field, code] = given === undefined ? ['text', 'required'] : ['message_id', 'exclusive'];
    const message = 'either text or message_id is required, not both';
    context.addIssue({ code: 'custom', path: [field ?? ''], message, params: { code } });
  });
export type TranslateBody = z.output<typeof translateBody>;
