import type { SimulatedCall, SimulatedRequest } from '../../../src/contract/simulation/index.js';
import { type Arguments, failed } from './answers.js';
import { answer } from './http-answers.js';

/** Arguments are sent as a form or as JSON. In a form, objects are JSON strings. */
function argumentsOf({ headers, body, query }: SimulatedRequest): Arguments {
  const fromQuery = Object.fromEntries(query);
  if (!headers['content-type']?.startsWith('application/json'))
    return { ...fromQuery, ...Object.fromEntries(new URLSearchParams(body.toString())) };
  const parsed = JSON.parse(body.toString() || '{}') as Record<string, unknown>;
  const named = Object.entries(parsed).filter(([, value]) => value !== null);
  const entries = named.map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return { ...fromQuery, ...Object.fromEntries(entries) };
}

/** Undefined if the content type is JSON but the body is not a JSON object. */
export function readArguments(request: SimulatedRequest): Arguments | undefined {
  try {
    return argumentsOf(request);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

export const unreadable = (call: string): SimulatedCall => ({
  call,
  request: {},
  run: () => answer(failed('invalid_json')),
});

export function chatOf({ channel, channel_id }: Arguments): { chatId?: string } {
  const chatId = channel ?? channel_id;
  return chatId === undefined ? {} : { chatId };
}

export function tokenOf({ headers }: SimulatedRequest, args: Arguments): string {
  return headers.authorization?.replace(/^Bearer /, '') ?? args.token ?? '';
}
