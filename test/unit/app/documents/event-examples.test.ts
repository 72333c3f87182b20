import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { broadcastRecord } from '../../../../src/core/broadcasts/record.js';
import { callRecord } from '../../../../src/core/calls/record.js';
import { conversationRecord } from '../../../../src/core/conversations/record.js';
import { locationRecord, trackingSessionRecord } from '../../../../src/core/extras/locations/record.js';
import { deliveryRecord, messageRecord } from '../../../../src/core/messages/record.js';
import { connectionRecord } from '../../../../src/core/platforms/record.js';
import { userRecord } from '../../../../src/core/users/record.js';
import { eventCatalogue } from '../../../../src/core/webhooks/catalogue.js';
import { dataOfEvent } from '../../../../src/core/webhooks/event-data.js';
import { eventExample } from '../../../../src/http/openapi/examples/events.js';
import { webhookPayload } from '../../../../src/http/openapi/examples/surroundings.js';
import { problemsOfEvent } from '../../../support/event-check.js';

const RECORDS: Readonly<Record<string, z.ZodObject>> = {
  Message: messageRecord,
  Delivery: deliveryRecord,
  Conversation: conversationRecord,
  Call: callRecord,
  User: userRecord,
  Broadcast: broadcastRecord,
  Location: locationRecord,
  TrackingSession: trackingSessionRecord,
  Connection: connectionRecord,
};

/** The schema of an event's data in version 1.0, which allows no other fields. */
function schemaOf(event: string): z.ZodObject {
  const { record, fields, previous } = dataOfEvent(event);
  const base = record === undefined ? z.object({}) : RECORDS[record];
  if (base === undefined) throw new Error(`${event}: no schema for ${record}.`);
  const former = z.record(z.string(), z.unknown());
  return z.strictObject({
    ...base.shape,
    ...fields,
    ...(previous !== undefined && { previous: previous === 'always' ? former : former.optional() }),
    sequence: z.int(),
  });
}

const names = eventCatalogue.map(({ name }) => name);

describe('The example of an event', () => {
  it.each(names)('%s has the data that the schemas of the service describe', (name) => {
    expect(schemaOf(name).safeParse(eventExample(name, '1.0').data).error?.issues).toBeUndefined();
  });

  it.each(names)('%s fits its schema in the API document, in both versions', (name) => {
    expect(problemsOfEvent({ ...eventExample(name, '1.0') })).toEqual([]);
    expect(problemsOfEvent({ ...eventExample(name, '2.0') })).toEqual([]);
  });

  it.each(names)('%s differs from its record in every field that it names as changed', (name) => {
    const { data } = eventExample(name, '1.0');
    const previous = (data.previous ?? {}) as Record<string, unknown>;
    for (const [field, value] of Object.entries(previous)) {
      expect(Object.keys(data)).toContain(field);
      expect(data[field]).not.toEqual(value);
    }
    expect(JSON.stringify(data)).not.toContain('undefined');
  });

  it('webhook.test is the test vector of the signatures', () => {
    expect(eventExample('webhook.test', '1.0')).toEqual(webhookPayload);
  });
});
