import { metadata } from '../../../core/schema/scalars.js';
import { storable } from './text.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The metadata of a record: its own fields, then custom attributes as far as the limits of metadata allow. `left` is the number
 * of attributes that did not fit.
 */
export function metadataOf(own: Values, attributes: Values | null | undefined) {
  let kept: Record<string, unknown> = { ...own };
  let left = 0;
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === '') continue;
    const wider = { ...kept, [storable(name)]: storableValue(value) };
    if (storable(name) in kept || !metadata.safeParse(wider).success) left += 1;
    else kept = wider;
  }
  return { kept, left };
}

function storableValue(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_name, each: unknown) =>
    typeof each === 'string' ? storable(each) : each,
  );
}
