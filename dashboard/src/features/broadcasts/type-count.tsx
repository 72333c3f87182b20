import { type ReactNode, useState } from 'react';
import { Field, Input } from '../../kit/field';
import { actionMessages as t } from './action-messages';

/** Above this many recipients the person types their number. */
const TYPED_ABOVE = 1_000;

/** The field that asks for the number of recipients where there are many, and whether what it needs is there. */
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
