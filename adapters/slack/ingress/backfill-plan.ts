import { z } from 'zod';

/** Channels up to and including an id, in the order of ids, and since when their messages are missing. */
const stretch = z.object({ upTo: z.string().nullable(), since: z.iso.datetime().nullable() });
type Stretch = z.infer<typeof stretch>;

/** Covers all channels: the last stretch has no end. */
export const planSchema = z.object({
  /** Whose history it is: another bot user knows nothing of it. */
  user: z.string(),
  /** A connection has no gap before it was first connected. */
  first: z.iso.datetime(),
  stretches: z.array(stretch),
});
export type Plan = z.infer<typeof planSchema>;

/** Each interruption of a sweep adds one; neighbours are joined beyond this number. */
const MAX_STRETCHES = 20;

/** Since when the messages of a channel are missing; null: none are. */
export function missingSince({ stretches }: Plan, channel: string): string | null {
  return stretches.find(({ upTo }) => upTo === null || channel <= upTo)?.since ?? null;
}

export const isWhole = ({ stretches }: Plan): boolean => stretches.every(({ since }) => since === null);

/** Everything since a time is missing in all channels, and what was missing before still is. */
export function withGap(plan: Plan, since: string): Plan {
  const stretches = plan.stretches.length === 0 ? [{ upTo: null, since: null }] : plan.stretches;
  return {
    ...plan,
    stretches: bounded(stretches.map((one) => ({ ...one, since: earlier(one.since, since) }))),
  };
}

/** All channels up to this one are whole. */
export function withWhole(plan: Plan, channel: string): Plan {
  const rest = plan.stretches.filter(({ upTo }) => upTo === null || upTo > channel);
  return { ...plan, stretches: bounded([{ upTo: channel, since: null }, ...rest]) };
}

export const allWhole = (plan: Plan): Plan => ({ ...plan, stretches: [] });

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return Date.parse(a) <= Date.parse(b) ? a : b;
}

/** Neighbours of one time are one; what is joined beyond the limit is fetched from the earlier time. */
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
