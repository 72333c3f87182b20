import { z } from 'zod';
import { savedJson } from '../../../src/contract/index.js';

/** A range of channels up to and including an id, in id order, and the time since which their messages are missing. */
const stretch = z.object({ upTo: z.string().nullable(), since: z.iso.datetime().nullable() });
type Stretch = z.infer<typeof stretch>;

/** Covers all channels: the last range has no end. */
const planSchema = z.object({
  /** The bot user of the history. Another bot user has another history. */
  user: z.string(),
  /** A connection has no gap before it first connected. */
  first: z.iso.datetime(),
  stretches: z.array(stretch),
});
export type Plan = z.infer<typeof planSchema>;

/** Each interruption of a sweep adds a range. Above this number neighbours are merged. */
const MAX_STRETCHES = 20;

/** Parses a stored plan. Damaged text counts as none. */
export const parsePlan = (text: string | undefined): Plan | undefined =>
  planSchema.safeParse(savedJson(text)).data;

/** The time since which messages of a channel are missing; null if none are. */
export function missingSince({ stretches }: Plan, channel: string): string | null {
  return stretches.find(({ upTo }) => upTo === null || channel <= upTo)?.since ?? null;
}

export const isWhole = ({ stretches }: Plan): boolean => stretches.every(({ since }) => since === null);

/** Marks everything since a time as missing in all channels. Earlier gaps remain. */
export function withGap(plan: Plan, since: string): Plan {
  const stretches = plan.stretches.length === 0 ? [{ upTo: null, since: null }] : plan.stretches;
  return {
    ...plan,
    stretches: bounded(stretches.map((one) => ({ ...one, since: earlier(one.since, since) }))),
  };
}

/** Marks all channels up to this one as complete. */
export function withWhole(plan: Plan, channel: string): Plan {
  const rest = plan.stretches.filter(({ upTo }) => upTo === null || upTo > channel);
  return { ...plan, stretches: bounded([{ upTo: channel, since: null }, ...rest]) };
}

/** Marks in each channel everything as missing that either plan does. */
export function withBoth(one: Plan, other: Plan): Plan {
  const ends = [...one.stretches, ...other.stretches].flatMap(({ upTo }) => upTo ?? []);
  const stretches = [...[...new Set(ends)].sort(), null].map((upTo) => ({
    upTo,
    since: earlier(missingUpTo(one, upTo), missingUpTo(other, upTo)),
  }));
  return { ...one, stretches: bounded(stretches) };
}

const missingUpTo = (plan: Plan, upTo: string | null): string | null =>
  upTo === null ? (plan.stretches.find((one) => one.upTo === null)?.since ?? null) : missingSince(plan, upTo);

export const allWhole = (plan: Plan): Plan => ({ ...plan, stretches: [] });

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) <= Date.parse(b) ? a : b;
}

/** Merges neighbours with equal times. Above the limit the earlier time applies to both. */
function bounded(stretches: readonly Stretch[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const one of stretches) {
    const last = joined.at(-1);
    if (last === undefined || last.since !== one.since) joined.push(one);
    else joined[joined.length - 1] = one;
  }
  while (joined.length > MAX_STRETCHES) {
    const [one, next] = joined.slice(-2) as [Stretch, Stretch];
    joined.splice(-2, 2, { upTo: next.upTo, since: earlier(one.since, next.since) });
  }
  return joined;
}
