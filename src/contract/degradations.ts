import { type AttachmentType, attachmentTypes, contentMarks, type Mark } from './content.js';

/** Operations that can be lost of a message, by the names that they have in the table of capabilities. */
const lostOps = ['edit', 'delete', 'react', 'reply', 'thread', 'typing', 'persona_override'] as const;

/**
 * What a platform could not show of an operation, as `degradations` of a delivery name it. `format.*`: a mark. `format`: all marks,
 * since the platform refused the formatted text. `media.*`: an attachment was not shown as what it is. `text.whitespace`: blank lines
 * or blanks that the platform does not keep.
 */
export type Degradation =
  | (typeof lostOps)[number]
  | 'format'
  | `format.${Mark}`
  | `media.${AttachmentType}`
  | 'text.whitespace';

export const degradationNames: readonly Degradation[] = [
  ...lostOps,
  'format',
  ...contentMarks.map((mark) => `format.${mark}` as const),
  ...attachmentTypes.map((type) => `media.${type}` as const),
  'text.whitespace',
];

const known: ReadonlySet<string> = new Set(degradationNames);

export const isDegradation = (name: string): name is Degradation => known.has(name);
