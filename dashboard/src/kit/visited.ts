interface Place {
  readonly pathname: string;
  readonly state: { readonly __TSR_index?: number };
}

/** The path of each entry of the history. */
const paths: string[] = [];

export function rememberPlace({ pathname, state }: Place): void {
  paths[state.__TSR_index ?? 0] = pathname;
}

/** Whether the entry before this one is the screen at the path. */
export function isBefore({ state }: Place, path: string): boolean {
  const index = state.__TSR_index ?? 0;
  return index > 0 && paths[index - 1] === path;
}
