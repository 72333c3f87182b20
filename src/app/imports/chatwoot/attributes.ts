import { metadata } from '../../../core/schema/scalars.js';
import { storable } from './text.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The metadata of a record: its own fields, and custom attributes as far as the bounds of metadata let them in. `left`: how
 * many they did not.
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
