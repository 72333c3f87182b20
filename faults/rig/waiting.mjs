import { setTimeout as sleep } from 'node:timers/promises';

export { sleep };

/** Resolves with the first result of `look` other than false and undefined, or with undefined after `limitMs`. */
export async function until(look, limitMs, everyMs = 50) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found;
    if (Date.now() >= deadline) return undefined;
    await sleep(everyMs);
  }
}

/** Runs `work` on each item, `atOnce` in parallel. Resolves with the results in order. */
export async function inParallel(items, atOnce, work) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at], at);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
