import { z } from 'zod';

/** The key of a mention: `#` with a channel id, or `@&` with a role id. */
export type MentionKey = `${'#' | '@&'}${string}`;

const MENTION = /<(#|@&)(\d{1,20})>/g;
/** Mentions above this number are shown as ids. */
const MAX_MENTIONS = 30;
const MAX_NAME_LENGTH = 100;

/** Fields of a message or of a forwarded copy that may contain mentions. */
const contentFields = {
  content: z.unknown().optional(),
  embeds: z.unknown().optional(),
  components: z.unknown().optional(),
  poll: z.unknown().optional(),
};
const mentioning = z.object({
  ...contentFields,
  message_snapshots: z
    .array(z.object({ message: z.object(contentFields) }))
    .nullish()
    .catch(undefined),
  message_reference: z
    .object({ type: z.number(), channel_id: z.string().regex(/^\d{1,20}$/) })
    .nullish()
    .catch(undefined),
});
const FORWARD = 1;

/**
 * The channels and roles that a message mentions. Discord sends only their ids. A forward also names its source
 * channel.
 */
export function mentionsIn(message: unknown): readonly MentionKey[] {
  const { data } = mentioning.safeParse(message);
  if (data === undefined) return [];
  const { message_reference: source, ...words } = data;
  const origin: MentionKey[] = source?.type === FORWARD ? [`#${source.channel_id}`] : [];
  const found = [...JSON.stringify(words).matchAll(MENTION)];
  const mentioned = found.map(([, sign, id]) => `${sign}${id}` as MentionKey);
  return [...new Set([...origin, ...mentioned])].slice(0, MAX_MENTIONS);
}

/** The known names as one entry of the envelope's context. */
export function namedFact(
  keys: readonly MentionKey[],
  nameOf: (key: MentionKey) => string | undefined,
): { readonly mentions?: string } {
  const known = keys.flatMap((key) => {
    const name = nameOf(key);
    return name === undefined ? [] : [[key, name.slice(0, MAX_NAME_LENGTH)]];
  });
  return known.length === 0 ? {} : { mentions: JSON.stringify(Object.fromEntries(known)) };
}

const names = z.record(z.string(), z.string());

/** The names that are stored with a message. */
export function namesIn({ mentions }: Readonly<Record<string, string>>): readonly [string, string][] {
  if (mentions === undefined) return [];
  try {
    return Object.entries(names.parse(JSON.parse(mentions)));
  } catch {
    return [];
  }
}
