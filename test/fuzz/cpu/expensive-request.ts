import type { Operation } from '../description.js';
import { type Draft, draftOf } from '../draft.js';
import { placesOf } from '../places.js';
import { written } from '../plan.js';
import { Random } from '../random.js';
import { Raw, textOf } from '../tree.js';
import { BODY_BYTES, expenseFor } from './expenses.js';
import { spendForm } from './expensive-forms.js';
import { headSpends } from './expensive-heads.js';

/** An intentionally expensive request. `share` is its part of the largest size. */
export interface ExpensiveRequest extends ReturnType<typeof written> {
  readonly what: string;
  /** Its file is read as a stream, and may be too long to be read in one turn. */
  readonly isUpload: boolean;
}

/** The request of one operation with this key. The same share always gives the same one. */
export function expensiveRequest(operation: Operation, key: string, share: number): ExpensiveRequest {
  const random = new Random(key);
  const draft = draftOf(operation, random);
  const what = spend(draft, random, share);
  return { ...written(draft), what, isUpload: draft.form !== undefined };
}

function spend(draft: Draft, random: Random, share: number): string {
  if (draft.form !== undefined && random.chance(0.8)) return spendForm(draft, random, share);
  if (draft.body !== undefined && random.chance(0.8)) return spendBody(draft, random, share);
  return random.pick(headSpends)(draft, random, share);
}

function spendBody(draft: Draft, random: Random, share: number): string {
  const { body, operation } = draft;
  if (body === undefined) return 'nothing';
  const place = random.pick(placesOf(body, operation.resolve));
  const { name, ofSize } = expenseFor(place.schema, place.value, random);
  const room = draft.encoding === 'form' ? BODY_BYTES / 3 : BODY_BYTES;
  // The rest of the body reduces the room.
  const bytes = Math.max(16, Math.floor(room * share) - textOf(body.tree).length);
  if (body.tree === place.value && random.chance(0.3)) {
    draft.garbled.push(() => Buffer.from(textOf(ofSize(bytes))));
    return `a body of ${name}`;
  }
  place.put(ofSize(bytes));
  // If a name occurs twice, the last value counts.
  if (draft.encoding === 'form' && random.chance(0.3)) {
    const names = Array.from({ length: bytes / 10 }, (_, at) => `n${at}=`).join('&');
    draft.garbled.push(() => Buffer.from(names));
    return 'names of a form';
  }
  if (body.tree instanceof Raw) return `a body of ${name}`;
  return `${place.name === '' ? 'an item' : place.name} of ${name}`;
}
