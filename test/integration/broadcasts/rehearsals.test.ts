import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { type BroadcastStage, broadcastStage } from '../../support/broadcast-stage.js';
import { beforeEachOn } from '../../support/each-test.js';
import { values } from '../../support/people.js';

let stage: BroadcastStage;

beforeEachOn(async ({ pool }) => {
  stage = await broadcastStage(pool);
  await stage.connection('alpha');
});

const PICTURE = { id: uuidv7(), type: 'location', latitude: 1, longitude: 2 };
const to = (a: string) => ({
  audience: { recipients: [{ platform: 'alpha', address: 'alpha-1', variables: { a } }] },
});
const FILTERS = { included: [], excluded: [], addressForms: {}, cap: null };

/** The skip reason of the only recipient of a text. The dry run must have predicted it. */
async function fate(fields: object): Promise<string | null> {
  const broadcast = {
    id: uuidv7(),
    workspace_id: stage.workspaceId,
    created_by: stage.memberId,
    draft: true,
    ...fields,
  };
  const { skips } = await stage.broadcasts.rehearse(broadcast as never, FILTERS, () => undefined);
  const id = await stage.create(fields as never);
  await stage.step(id);
  const [skipped] = await values<string | null>(
    stage.pool,
    'SELECT skip_reason FROM broadcast_recipients WHERE broadcast_id = $1',
    [id],
  );
  expect(Object.keys(skips)).toEqual(skipped == null ? [] : [skipped]);
  return skipped ?? null;
}

it('a dry run includes the rates of the connections that would be used', async () => {
  await stage.pool.query(
    `UPDATE connections SET settings = settings || '{"rate_per_second":7}' WHERE workspace_id = $1`,
    [stage.workspaceId],
  );
  await stage.connection('alpha', { rate_per_second: 9 });
  const broadcast = { id: uuidv7(), workspace_id: stage.workspaceId, created_by: stage.memberId, text: 'Hi' };
  const { rates } = await stage.broadcasts.rehearse(
    { ...broadcast, draft: true, ...to('') } as never,
    FILTERS,
    () => undefined,
  );
  expect(rates).toEqual({ alpha: 7 });
});

describe('a text with variables', () => {
  it.each(['', '  ', '\n'])(
    'that is blank with the values of a recipient is not sent to them: %j',
    async (a) => {
      expect(await fate({ text: '{{a}}', ...to(a) })).toBe('missing_variable');
      expect(await fate({ text: ' {{ a }}{{a}}\n', ...to(a) })).toBe('missing_variable');
      expect(await fate({ text: 'Hi {{a}}', ...to(a) })).toBeNull();
    },
  );

  it('may be empty with an attachment, as in every message', async () => {
    expect(await fate({ text: '{{a}}', attachments: [PICTURE], ...to('') })).toBeNull();
    expect(await fate({ text: '{{a}}', attachments: [PICTURE], ...to(' ') })).toBe('missing_variable');
  });

  it('is sent with up to 10,000 characters, whatever they are', async () => {
    const text = '{{a}}'.repeat(100);
    expect(await fate({ text, ...to('😀'.repeat(100)) })).toBeNull();
    expect(await fate({ text: `${text}!`, ...to('😀'.repeat(100)) })).toBe('missing_variable');
  });
});
