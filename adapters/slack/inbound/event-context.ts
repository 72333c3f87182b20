import type { Envelope } from '../../../src/contract/index.js';

/** A person as Slack's users.info describes them. */
export interface UserProfile {
  readonly displayName: string;
  readonly handle?: string;
  readonly avatarUrl?: string;
  readonly locale?: string;
  readonly isBot?: boolean;
}

/** What was looked up when an event arrived, so that decoding it later needs no network. */
export interface EventContext {
  readonly selfUserId?: string;
  readonly selfBotId?: string;
  readonly users: ReadonlyMap<string, UserProfile>;
  /** When the event came in, ISO 8601 UTC, for what has no time of its own. */
  readonly receivedAt?: string;
  /** Channel names by channel id. */
  readonly titles: ReadonlyMap<string, string>;
  /** Names of user groups by their ids. */
  readonly groups?: ReadonlyMap<string, string>;
}

/** Facts as the flat strings of an envelope's context: `self_user`, `self_bot`, `received_at`, `name.<user>`, `title.<channel>`, `group.<group>` and so on. */
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

/** The reverse of `writeFacts`. */
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

/** `name.U1` as `name` and `U1`. */
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
