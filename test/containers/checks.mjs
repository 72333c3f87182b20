let failures = 0;

/** Runs the checks of a section in order. The rest of a section is skipped after a failure. */
export async function section(checks) {
  for (const [title, check] of Object.entries(checks)) {
    const startedAt = Date.now();
    try {
      await check();
      console.log(`ok   ${title} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failures += 1;
      console.log(`FAIL ${title}\n${error.stack}`);
      return;
    }
  }
}

export const failed = () => failures > 0;

/** Throws if the values differ as JSON. */
export function equal(what, found, expected) {
  const [left, right] = [found, expected].map((value) => JSON.stringify(value));
  if (left !== right) throw new Error(`${what}: found ${left}, expected ${right}.`);
}

/** Throws for lines of a service's log with level "warn" or "error". */
export function noWarnings(log) {
  equal(
    'warnings in the log',
    log.filter(({ level }) => ['warn', 'error', 'fatal'].includes(level)),
    [],
  );
}
