/** Names of what Slack's payloads only hold the ids of. */
export interface Names {
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
  readonly group?: (id: string) => string | undefined;
}

/** The first letter of an id tells what it names, so ids of two kinds are never equal. */
export const nameIn =
  (names: Names) =>
  (id: string): string | undefined =>
    names.user(id) ?? names.channel(id) ?? names.group?.(id);

/** What a user group is called whose name is not known. Its id means nothing to a reader. */
export const UNKNOWN_GROUP = 'group';
