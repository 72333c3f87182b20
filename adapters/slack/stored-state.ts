import { z } from 'zod';

/** Stands for a damaged time. It is earlier than every gap, so that a damaged record loses no message. */
export const UNKNOWN_TIME = new Date(0).toISOString();

const time = z.iso.datetime();

/** The JSON of a saved state. Damaged text counts as undefined, because it must not stop the connection. */
export function storedJson(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A saved time. */
export function storedTime(text: string | undefined): string | undefined {
  return text === undefined ? undefined : (time.safeParse(text).data ?? UNKNOWN_TIME);
}
