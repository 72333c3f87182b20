/** The token that a text carries, if it is one of the load's. */
export function tokenOf(text) {
  return /\b(?:out|in)\.\d+\.\d+\./.exec(text)?.[0];
}

/** How many stand before one that should have come earlier. */
export function inversions(places) {
  let most = -1;
  let found = 0;
  for (const place of places) {
    if (place < most) found += 1;
    else most = place;
  }
  return found;
}

export function placeIn(token) {
  return Number(token.split('.')[2]);
}

/** The items by what `key` says of them, in order. */
export function grouped(items, key) {
  const groups = new Map();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}
