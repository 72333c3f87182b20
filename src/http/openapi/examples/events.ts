import type { ApiVersion } from '../../../core/versions/api-version.js';
import { present } from '../../../core/versions/present.js';
import { dataOfEvent } from '../../../core/webhooks/event-data.js';
import { buildPayload, type Payload } from '../../../core/webhooks/payload.js';
import { recordType } from '../../../core/webhooks/record-type.js';
import { eventMoments } from './event-moments.js';
import { now } from './ids.js';
import { recordExamples } from './records.js';

const EVENT_ID = '019b76da-a800-0044-3214-c74254b635cf';
const FIRST = 1;

/** An event as its receiver gets it, built by the code of the service. */
export function eventExample(event: string, version: ApiVersion): Payload {
  const { record } = dataOfEvent(event);
  const { change, extra } = eventMoments(event);
  const stored = {
    id: EVENT_ID,
    position: FIRST,
    type: event,
    occurredAt: new Date(now),
    data: { ...(record !== undefined && recordExamples[record]), ...change },
    extra: extra ?? null,
  };
  return buildPayload(stored, version, (type, data) => present(recordType(type), { ...data }, '2.0'));
}
