import type { Envelope } from '../../../src/contract/index.js';

/** A person from Slack's users.info. */
export interface UserProfile {
  readonly displayName: string;
  readonly handle?: string;
  readonly avatarUrl?: string;
  readonly locale?: string;
  readonly isBot?: boolean;
}

/** Data that was looked up when an event arrived, so that decoding needs no network. */
export interface EventContext {
  readonly selfUserId?: string;
  readonly selfBotId?: string;
  readonly users: ReadonlyMap<string, UserProfile>;
  /** Time of receipt, ISO 8601 UTC, for events without a time of their own. */
  readonly receivedAt?: string;
  /** Channel names by channel id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Names of user groups by id. */
  readonly groups?: ReadonlyMap<string, string>;
}

/**
 * Writes the context as the flat strings of an envelope: `self_user`, `self_bot`, `received_at`, `name.<user>`,
 * `title.<channel>`, `group.<group>` and so on.
 */
export function writeContext({
  selfUserId,
  selfBotId,
  receivedAt,
  users,
  titles,
  groups = new Map(),
}: EventContext): Record<string, string> {
  const entries: (readonly [string, string | undefined])[] = [
    ['self_user', selfUserId],
    ['self_bot', selfBotId],
    ['received_at', receivedAt],
    ...[...titles].map(([id, title]) => [`title.${id}`, title] as const),
    ...[...groups].map(([id, name]) => [`group.${id}`, name] as const),
  ];
  for (const [id, user] of users) {
    entries.push(
      [`name.${id}`, user.displayName],
      [`handle.${id}`, user.handle],
      [`avatar.${id}`, user.avatarUrl],
      [`locale.${id}`, user.locale],
      [`bot.${id}`, user.isBot ? 'yes' : undefined],
    );
  }
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The reverse of `writeContext`. */
export function readContext(context: Envelope['context'] = {}): EventContext {
  const { self_user: selfUserId, self_bot: selfBotId, received_at: receivedAt } = context;
  const users = new Map<string, UserProfile>();
  const titles = new Map<string, string>();
  const groups = new Map<string, string>();
  for (const [key, value] of Object.entries(context)) {
    const [kind, id] = splitKey(key);
    if (kind === 'title') titles.set(id, value);
    else if (kind === 'group') groups.set(id, value);
    else if (kind === 'name') users.set(id, readUser(context, id, value));
  }
  return {
    ...(selfUserId === undefined ? {} : { selfUserId }),
    ...(selfBotId === undefined ? {} : { selfBotId }),
    ...(receivedAt === undefined ? {} : { receivedAt }),
    users,
    titles,
    groups,
  };
}

/** Splits `name.U1` into `name` and `U1`. */
function splitKey(key: string): readonly [kind: string, id: string] {
  const dot = key.indexOf('.');
  return dot < 0 ? [key, ''] : [key.slice(0, dot), key.slice(dot + 1)];
}

function readUser(context: Readonly<Record<string, string>>, id: string, displayName: string): UserProfile {
  const handle = context[`handle.${id}`];
  const avatarUrl = context[`avatar.${id}`];
  const locale = context[`locale.${id}`];
  return {
    displayName,
    ...(handle === undefined ? {} : { handle }),
    ...(avatarUrl === undefined ? {} : { avatarUrl }),
    ...(locale === undefined ? {} : { locale }),
    ...(context[`bot.${id}`] === 'yes' ? { isBot: true } : {}),
  };
}
