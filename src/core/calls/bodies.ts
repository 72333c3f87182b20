import { z } from 'zod';
import { conversationReference } from '../messages/bodies.js';
import { metadata, platformId, text, uuid } from '../schema/scalars.js';
import { callTypes, clientEndReasons } from './record.js';

/** Bodies and frames that clients send to start calls and to signal in them, by request or by socket. */

const destinations = ['conversation_id', 'participant_ids', 'to'] as const;

/** The body of POST calls. */
export const createCallBody = z
  .object({
    conversation_id: conversationReference.optional(),
    participant_ids: z.array(uuid).min(1).max(249).optional(),
    to: z.object({ platform: platformId, address: text(1, 256) }).optional(),
    type: z.enum(callTypes).default('voice'),
    ring_timeout: z.int().min(5).max(180).default(60),
    max_duration: z.int().min(60).max(14_400).default(14_400),
    metadata: metadata.default({}),
  })
  .superRefine((body, context) => {
    const problem = (field: string, code: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message, params: { code } });
    const [, ...others] = destinations.filter((name) => body[name] !== undefined);
    for (const name of others) {
      problem(name, 'exclusive', 'exactly one of conversation_id, participant_ids and to');
    }
    if (destinations.every((name) => body[name] === undefined)) {
      problem('conversation_id', 'required', 'conversation_id, participant_ids or to is required');
    }
  });
export type CreateCallBody = z.output<typeof createCallBody>;

export const endCallBody = z.object({ reason: z.enum(clientEndReasons).optional() });

export const tokenBody = z.object({ user_id: uuid.optional() });

/** Types that are forwarded to one participant unchanged. */
const forwardedTypes = ['offer', 'answer', 'candidate'] as const;
const signalTypes = [...forwardedTypes, 'join', 'leave', 'decline', 'bye'] as const;

const payload = z.record(z.string(), z.unknown());

export function isForwarded(type: string): boolean {
  return (forwardedTypes as readonly string[]).includes(type);
}

function requireDestination(
  value: { readonly type: string; readonly to?: unknown; readonly payload?: unknown },
  context: z.RefinementCtx,
): void {
  if (!isForwarded(value.type)) return;
  for (const field of ['to', 'payload'] as const) {
    if (value[field] !== undefined) continue;
    const message = `is required with type ${value.type}`;
    context.addIssue({ code: 'custom', path: [field], message, params: { code: 'required' } });
  }
}

/** The body of POST signal. */
export const signalBody = z
  .object({ type: z.enum(signalTypes), to: uuid.optional(), payload: payload.optional() })
  .superRefine(requireDestination);
export type SignalBody = z.output<typeof signalBody>;

const ref = text(1, 64).optional();

/** Frames that a client sends over its socket: heartbeats and signals. */
export const lifeFrame = z.object({ type: z.enum(['ping', 'pong']), ref });
export const signalFrame = z
  .object({ type: z.enum(signalTypes), call_id: uuid, to: uuid.optional(), payload: payload.optional(), ref })
  .superRefine(requireDestination);
