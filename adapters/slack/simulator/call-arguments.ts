import type { SimulatedRequest } from '../../../src/contract/simulation/index.js';
import type { Arguments } from './answers.js';

/** Arguments come as a form or as JSON; in forms, objects are JSON strings. */
export function argumentsOf({ headers, body, query }: SimulatedRequest): Arguments {
  const fromQuery = Object.fromEntries(query);
  if (!headers['content-type']?.startsWith('application/json'))
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body.toString())) };
  const parsed = JSON.parse(body.toString() || '{}') as Record<string, unknown>;
  const entries = Object.entries(parsed).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { ...fromQuery, ...Object.fromEntries(entries) };
}

export function chatOf({ channel, channel_id }: Arguments): { chatId?: string } {
  const chatId = channel ?? channel_id;
  return chatId === undefined ? {} : { chatId };
}

export function tokenOf({ headers }: SimulatedRequest, args: Arguments): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? args.token ?? '';
}
