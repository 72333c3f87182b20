import { useEffect, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import { messages as t } from './second-step-messages';

/** What to say at a field of a request that was refused; undefined: the problem is another field's. */
export function problemOf(error: unknown, field: 'password' | 'code'): string | undefined {
  if (error === null || error === undefined) return undefined;
  const fields = error instanceof ApiError ? error.fields : {};
  if (fields[field] !== undefined) return field === 'code' ? t('codeWrong') : fields[field];
  return Object.keys(fields).length === 0 ? explain(error).advice : undefined;
}

/** The problem of a field: that of the last request, or what the form found itself. */
export function useShownProblem(error: unknown, field: 'password' | 'code') {
  const [problem, setProblem] = useState<string>();
  useEffect(() => setProblem(problemOf(error, field)), [error, field]);
  return [problem, setProblem] as const;
}
