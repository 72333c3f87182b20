import { z } from 'zod';
import { problem } from '../../schema/problem.js';
import { nonBlankText } from '../bodies.js';
import { changeKinds } from './record.js';

/** The body that starts a change of an ended broadcast. */
export const broadcastChangeBody = z
  .object({ kind: z.enum(changeKinds), text: nonBlankText.optional() })
  .superRefine(({ kind, text }, context) => {
    if (kind === 'edit' && text === undefined) problem(context, 'text', 'required', 'is required');
    if (kind === 'recall' && text !== undefined) problem(context, 'text', 'exclusive', 'is for an edit');
  });
export type BroadcastChangeBody = z.output<typeof broadcastChangeBody>;

export const changePreviewQuery = z.object({ kind: z.enum(changeKinds).default('edit') });
