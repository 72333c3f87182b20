import { useEffect, useState } from 'react';

/** Returns the value after it has not changed for the delay (debounce). The value must be serializable as JSON. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  const content = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(content) as T), pauseMs);
    return () => clearTimeout(timer);
  }, [content, pauseMs]);
  return settled;
}
