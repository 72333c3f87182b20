import { useEffect, useState } from 'react';

/** Maximum delay in milliseconds while the page is busy. */
const LATEST_MS = 300;

/** False until the browser is idle. Secondary content waits for it. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}

function whenIdle(action: () => void): () => void {
  // Safari does not support requestIdleCallback.
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(action, LATEST_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(action, { timeout: LATEST_MS });
  return () => cancelIdleCallback(handle);
}
