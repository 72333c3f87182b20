import { useEffect, useState } from 'react';

/** The value once it has not changed for a moment. It must survive JSON. */
export function useSettled<T>(value: T, pauseMs: number): T {
  const [settled, setSettled] = useState(value);
  const content = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(content) as T), pauseMs);
    return () => clearTimeout(timer);
  }, [content, pauseMs]);
  return settled;
}
