/** Maximum length of a Slack message in characters. */
const MAX_STYLED = 40_000;

/**
 * Budget of characters of one message whose styles are parsed. Text beyond it is shown unparsed, because a payload may
 * contain many long texts.
 */
export class StyleBudget {
  #left = MAX_STYLED;

  /** Takes `characters`, or an equal amount of work, from the budget. False if the budget is too small. */
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }
}

/** Names of entities that Slack identifies only by id, and the remaining style budget. */
export interface Names {
  /** Absent: unlimited. */
  readonly styles?: StyleBudget;
  readonly user: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
  readonly group?: (id: string) => string | undefined;
}

/** Finds a name by id. The first letter of an id gives its kind, so ids of different kinds are never equal. */
export const nameIn =
  (names: Names) =>
  (id: string): string | undefined =>
    names.user(id) ?? names.channel(id) ?? names.group?.(id);

/** The label of a user group without a known name. Its id means nothing to a reader. */
export const UNKNOWN_GROUP = 'group';
