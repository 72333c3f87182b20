import { useEffect, useState } from 'react';
import { ApiError, explain } from '../../api/errors';
import { messages as t } from './second-step-messages';

/** The error text for a field of a rejected request. Undefined if the error belongs to another field. */
export function problemOf(error: unknown, field: 'password' | 'code'): string | undefined {
  if (error === null || error === undefined) return undefined;
  const fields = error instanceof ApiError ? error.fields : {};
  if (fields[field] !== undefined) return field === 'code' ? t('codeWrong') : fields[field];
  return Object.keys(fields).length === 0 ? explain(error).advice : undefined;
}

/** The error of a field: from the last request, or from the form's own validation. */
export function useShownProblem(error: unknown, field: 'password' | 'code') {
  const [problem, setProblem] = useState<string>();
  useEffect(() => setProblem(problemOf(error, field)), [error, field]);
  return [problem, setProblem] as const;
}
