import { z } from 'zod';
import { type AdapterHost, UNKNOWN_TIME } from '../../src/contract/index.js';

/** Attempts to change a state while other processes change it. Each attempt fails because another one succeeded. */
const MAX_TRIES = 20;

const time = z.iso.datetime();

/** A saved time. A damaged one counts as earlier than every gap, so that it loses no message. */
export function storedTime(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (time.safeParse(text).data ?? UNKNOWN_TIME);
}

/**
 * Changes a state that several processes change. `change` computes the new text from the stored one, again if another
 * process was faster. It returns undefined to leave the state as it is.
 */
export async function changeState(
  { state }: AdapterHost,
  name: string,
  change: (text: string | undefined) => string | undefined,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const text = await state.load(name);
    const next = change(text);
    if (next === undefined || (await state.replace(name, text ?? null, next))) return;
  }
  throw new Error(`Other processes changed the state ${name} during every attempt.`);
}
