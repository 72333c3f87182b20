import { z } from 'zod';
import {
  type Degradation,
  type JsonObject,
  type PartStep,
  PlatformError,
} from '../../../src/contract/index.js';
import type { Scopes } from '../client/scopes.js';
import { escapeText } from './to-mrkdwn.js';

const persona = z.object({ username: z.string(), icon_url: z.string().optional() }).optional();
const payloadSchema = z.object({
  text: z.string().default(''),
  blocks: z.array(z.record(z.string(), z.unknown())).default([]),
  persona,
});

/** The content and persona of a message at the time of the write. */
export type Shape = z.infer<typeof payloadSchema>;

export function shapeOf({ payload }: PartStep): Shape {
  return payloadSchema.parse(payload);
}

/** Errors that mean that Slack refused the blocks. Nothing was written. */
const BLOCKS_REFUSED = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long']);

export interface Written<T> {
  readonly answer: T;
  readonly degradations: readonly Degradation[];
}

/**
 * Writes, with simpler forms as fallbacks: without the persona if the app may not change its name, and as mrkdwn if
 * Slack refuses the blocks. A refused call wrote nothing.
 */
export async function writeShape<T>(
  shape: Shape,
  opening: boolean,
  scopes: Scopes,
  write: (shape: Shape) => Promise<T>,
): Promise<Written<T>> {
  const degradations: Degradation[] = [];
  let next = shape;
  if (next.persona !== undefined && scopes.lacks('chat:write.customize')) {
    next = inOwnName(next, opening);
    degradations.push('persona_override');
  }
  for (;;) {
    try {
      return { answer: await write(next), degradations };
    } catch (error) {
      const code = error instanceof PlatformError ? (error.code ?? '') : '';
      if (code === 'missing_scope' && next.persona !== undefined) {
        scopes.deny('chat:write.customize');
        next = inOwnName(next, opening);
        degradations.push('persona_override');
      } else if (BLOCKS_REFUSED.has(code) && next.blocks.length > 0) {
        next = { ...next, blocks: [] };
        degradations.push('format');
      } else throw error;
    }
  }
}

/** Puts the name before the first words instead. */
function inOwnName({ persona: own, ...shape }: Shape, opening: boolean): Shape {
  if (own === undefined || !opening) return shape;
  const prefix = `${own.username}: `;
  return { text: `${escapeText(prefix)}${shape.text}`, blocks: withPrefix(shape.blocks, prefix) };
}

function withPrefix(blocks: Shape['blocks'], prefix: string): Shape['blocks'] {
  const [first, ...rest] = blocks;
  if (first === undefined) return [];
  const [opening, ...others] = first.elements as readonly JsonObject[];
  const name = { type: 'text', text: prefix };
  const elements =
    opening?.type === 'rich_text_section'
      ? [{ ...opening, elements: [name, ...(opening.elements as readonly JsonObject[])] }, ...others]
      : [
          { type: 'rich_text_section', elements: [name] },
          ...(opening === undefined ? [] : [opening]),
          ...others,
        ];
  return [{ ...first, elements }, ...rest];
}
