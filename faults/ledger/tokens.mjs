/** The token in a text of the load. */
export function tokenOf(text) {
  return /\b(?:out|in)\.\d+\.\d+\./.exec(text)?.[0];
}

/** Number of items that follow one with a higher place. */
export function inversions(places) {
  let highest = -1;
  let found = 0;
  for (const place of places) {
    if (place < highest) found += 1;
    else highest = place;
  }
  return found;
}

export function placeIn(token) {
  return Number(token.split('.')[2]);
}

/** Groups items by the result of `key`, in order. */
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
