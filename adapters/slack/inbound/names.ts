/** As many characters as the longest message of Slack has. */
const MOST_STYLED = 40_000;

/** How much of one message is read for its styles. What comes after is shown as it was written: a payload may hold many long texts. */
export class StyleRoom {
  #left = MOST_STYLED;

  /** Whether there is room for so many characters, or as much work as they are; then it is taken. */
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }
}

/** What a message is read with: the names of what Slack's payloads only hold the ids of, and the room that is left. */
export interface Names {
  /** Absent: there is no end to it. */
  readonly styles?: StyleRoom;
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
