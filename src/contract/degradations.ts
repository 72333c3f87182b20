import { type AttachmentType, attachmentTypes, contentMarks, type Mark } from './content.js';

/** Operations that a message can lose, with their names in the capability table. */
const lostOps = ['edit', 'delete', 'react', 'reply', 'thread', 'typing', 'persona_override'] as const;

/**
 * A loss that a platform caused, as listed in `degradations` of a delivery. `format.*`: a mark. `format`: all marks, because
 * the platform refused the formatted text. `media.*`: an attachment is not shown as its type. `text.whitespace`: blank lines
 * or spaces that the platform does not keep.
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
