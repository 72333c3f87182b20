import type { Envelope, InboundEvent } from '../../contract/index.js';
import { RULES, wrongEnvelope } from '../../contract/validation/envelope.js';
import { wrongField } from '../../contract/validation/events.js';

/**
 * Returns the events that `decode` produced for an envelope, if they all conform to the contract. Otherwise throws an
 * error that names the field.
 */
export function checkedEvents(envelope: Envelope, events: readonly InboundEvent[]): readonly InboundEvent[] {
  const field = wrongEnvelope(envelope);
  if (field !== undefined) throw new TypeError(`${field} of the envelope ${RULES[field] ?? 'is wrong'}.`);
  if (!Array.isArray(events)) throw new TypeError('It must return a list of events.');
  for (const event of events) {
    const wrong = wrongField(event);
    if (wrong === undefined) continue;
    const type = String((event as { readonly type?: unknown } | null)?.type);
    throw new TypeError(`The event ${type} has a wrong or missing ${wrong}.`);
  }
  return events;
}
