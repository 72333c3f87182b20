import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { readSearch, withoutMessage } from './views';

/** Returns from an older message to the newest one. */
export function useShowNewest(): () => void {
  const navigate = useNavigate();
  return useCallback(
    () => void navigate({ to: '.', search: (old) => withoutMessage(readSearch(old)), replace: true }),
    [navigate],
  );
}
