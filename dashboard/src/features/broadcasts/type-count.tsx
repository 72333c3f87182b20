import { type ReactNode, useState } from 'react';
import { Field, Input } from '../../kit/field';
import { actionMessages as t } from './action-messages';

/** Above this number of recipients the user must type the number to confirm. */
const TYPED_ABOVE = 1_000;

/** Shows a field for the number of recipients if there are many. Also returns whether the confirmation is complete. */
export function useTypedCount(count: number): { readonly isTyped: boolean; readonly field: ReactNode } {
  const [typed, setTyped] = useState('');
  if (count <= TYPED_ABOVE) return { isTyped: true, field: null };
  const field = (
    <Field label={t('typeCount', { count: String(count) })}>
      <Input
        autoComplete="off"
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </Field>
  );
  return { isTyped: typed.replace(/\D/g, '') === String(count), field };
}
