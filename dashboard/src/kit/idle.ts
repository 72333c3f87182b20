import { useEffect, useState } from 'react';

/** Busy pages show what waits after this time; in milliseconds. */
const LATEST_MS = 300;

/** False until the browser has nothing more urgent to do. Things that are looked at second wait for it. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}

function whenIdle(action: () => void): () => void {
  // Safari does not have it.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(action, LATEST_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(action, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}
