import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { Audiences } from '../../../../src/core/broadcasts/audience.js';
import { changeBroadcastBody, createBroadcastBody } from '../../../../src/core/broadcasts/bodies.js';
import { DryRunTally } from '../../../../src/core/broadcasts/dry-run.js';
import type { BroadcastState, BroadcastWork } from '../../../../src/core/broadcasts/ports.js';
import { RunBroadcast } from '../../../../src/core/broadcasts/run.js';

const id = '019b76da-a800-7000-8000-0000000000a1';
const other = '019b76da-a800-7000-8000-0000000000a2';

function codes(body: object, schema: z.ZodType = createBroadcastBody): string[] {
  const read = schema.safeParse(body);
  return (read.error?.issues ?? []).map((issue) => {
    const own = 'params' in issue ? (issue.params as { code?: string } | undefined)?.code : undefined;
    return `${issue.path.join('.')}:${own ?? issue.code}`;
  });
}

describe('the body of a broadcast', () => {
  it('needs one of text and template, and an audience under one of its names', () => {
    expect(codes({ text: 'x', recipient_ids: [id] })).toEqual([]);
    expect(codes({ recipient_ids: [id] })).toEqual(['text:required']);
    expect(codes({ text: 'x', template_id: id, recipient_ids: [id] })).toEqual(['text:exclusive']);
    expect(codes({ text: 'x' })).toEqual(['audience:required']);
    expect(codes({ text: 'x', audience: {} })).toEqual(['audience:required']);
    const exclude = { user_ids: [other] };
    expect(codes({ text: 'x', audience: { exclude } })).toEqual(['audience:required']);
    expect(codes({ text: 'x', audience: { exclude }, recipient_ids: [id] })).toEqual([]);
    expect(codes({ audience: { exclude } }, changeBroadcastBody)).toEqual(['audience:required']);
    const recipients = [{ platform: 'sms', address: 'x' }];
    for (const audience of [{ user_ids: [id] }, { recipients }])
      expect(codes({ text: 'x', audience, recipient_ids: [id] })).toEqual([]);
    expect(codes({ text: 'x', audience: { user_ids: [id] }, recipient_ids: [id, id] })).toEqual([
      'recipient_ids:exclusive',
    ]);
  });

  it('accepts at most 10,000 recipients inline, of both kinds together', () => {
    const users = Array.from({ length: 6_000 }, () => id);
    const recipients = Array.from({ length: 4_001 }, () => ({ platform: 'sms', address: 'x' }));
    expect(codes({ text: 'x', audience: { user_ids: users, recipients } })).toEqual(['audience:too_many']);
    expect(codes({ text: 'x', audience: { user_ids: users, recipients: recipients.slice(1) } })).toEqual([]);
    expect(codes({ text: 'x', audience: { recipients }, recipient_ids: users })).toEqual([
      'recipient_ids:too_many',
    ]);
  });

  it('names each variant once', () => {
    const variants = [
      { key: 'a', weight: 1 },
      { key: 'a', weight: 2 },
    ];
    expect(codes({ text: 'x', recipient_ids: [id], variants })).toEqual(['variants:duplicate']);
  });
});

describe('the worker of a broadcast', () => {
  const run = async (state: BroadcastState | undefined) => {
    const calls: string[] = [];
    let cancels = 3;
    const work: BroadcastWork = {
      find: async () => state,
      prepare: async (_state, { included, excluded, addressForms }) => {
        const named = (filters: typeof included) => filters.map(([clause]) => clause?.field).join();
        calls.push(`prepare ${named(included)} ${named(excluded)} ${Object.keys(addressForms).join()}`);
        return 'sending';
      },
      sendChunk: async () => {
        calls.push('send');
        return { sent: 1, connections: [] };
      },
      cancelStep: async () => {
        calls.push('cancel');
        cancels -= 1;
        return cancels > 0 ? 'pending' : 'none';
      },
      hold: async () => 0,
      requeue: async () => undefined,
    };
    const segments = {
      filtersOf: async (_workspace: string, ids: readonly string[]) => ids.map(() => 'phone:null'),
    };
    await new RunBroadcast(work, new Audiences(segments, { sms: '.' })).execute('b');
    return calls;
  };
  const state = (status: BroadcastState['status'], audience = {}): BroadcastState => ({
    id: 'b',
    workspaceId: 'w',
    status,
    audience,
  });

  it('performs one step for the current state', async () => {
    expect(await run(state('preparing'))).toEqual(['prepare   sms']);
    expect(await run(state('sending'))).toEqual(['send']);
    expect(await run(state('on_hold'))).toEqual(['send']);
    expect(await run(state('canceling'))).toEqual(['cancel', 'cancel', 'cancel']);
    for (const final of ['draft', 'completed', 'expired', 'failed', 'canceled'] as const) {
      expect(await run(state(final))).toEqual([]);
    }
    expect(await run(undefined)).toEqual([]);
  });

  it('prepares with the filters of the audience and of its segments', async () => {
    const audience = { filter: 'kind:contact', segment_ids: ['s'], exclude: { segment_ids: ['x', 'y'] } };
    expect(await run(state('scheduled', audience))).toEqual(['prepare kind,phone phone,phone sms']);
  });
});

describe('a dry run', () => {
  const rehearse = (platform: string, throttle?: object, rate = 1) => {
    const tally = new DryRunTally((_platform, text) => ({
      parts: text.length,
      degradations: [],
      ...(platform === 'sms' ? { billed: { unit: 'segments', count: 100 } } : {}),
    }));
    for (const [text, times] of [
      ['ab', 2],
      ['abc', 1],
    ] as const) {
      tally.add({ platform, text, times }, 'text');
    }
    const found = {
      content_type: 'text' as const,
      skips: { no_route: 1 },
      rates: { sms: rate, chat: null },
      without_zone: 0,
      samples: [{ user_id: id, platform, text: 'ab' }],
    };
    const broadcast = { id, workspace_id: id, created_by: id, draft: true, throttle };
    return tally.describe(found, broadcast);
  };

  it('counts parts per text and estimates by the throttle', () => {
    expect(rehearse('chat', { per_minute: 1 })).toEqual({
      recipients: 3,
      skips: { no_route: 1 },
      parts: 7,
      eta_seconds: 180,
      samples: [{ user_id: id, platform: 'chat', text: 'ab', parts: 2, degradations: [] }],
      platforms: [{ platform: 'chat', recipients: 3, parts: 7, billed: null, degradations: [], too_long: 0 }],
      without_zone: 0,
      warnings: ['3 recipients get the text in more than one part.'],
    });
  });

  it('reports the billed units of the platform, and estimates by its rate', () => {
    const { eta_seconds: eta, warnings, platforms } = rehearse('sms');
    expect([eta, warnings.at(-1)]).toEqual([300, 'sms bills 300 segments.']);
    expect(platforms).toMatchObject([{ billed: { unit: 'segments', count: 300 } }]);
    expect(rehearse('sms', undefined, 0.5).eta_seconds).toBe(600);
    expect(rehearse('sms', undefined, 0).eta_seconds).toBe(10);
  });

  it('has the recipients, parts and losses of each platform, in the order of their names', () => {
    const tally = new DryRunTally((platform, text) => ({
      parts: text.length,
      degradations: platform === 'sms' ? [text, 'format.bold'] : [],
    }));
    for (const [platform, text] of [
      ['sms', 'b'],
      ['chat', 'ab'],
      ['sms', 'a'],
    ] as const)
      tally.add({ platform, text, times: 2 }, 'text');
    const found = { content_type: 'text' as const, skips: {}, rates: {}, without_zone: 3, samples: [] };
    const broadcast = { id, workspace_id: id, created_by: id, draft: true };
    const shared = { billed: null, too_long: 0 };
    expect(tally.describe(found, broadcast)).toMatchObject({
      platforms: [
        { ...shared, platform: 'chat', recipients: 2, parts: 4, degradations: [] },
        { ...shared, platform: 'sms', recipients: 4, parts: 4, degradations: ['a', 'b', 'format.bold'] },
      ],
      without_zone: 3,
    });
  });

  it('warns of recipients without a time zone, one or several', () => {
    const tally = new DryRunTally(() => ({ parts: 1, degradations: [] }));
    tally.add({ platform: 'sms', text: 'a', times: 3 }, 'text');
    const warningsFor = (count: number) =>
      tally.describe(
        { content_type: 'text', skips: {}, rates: {}, without_zone: count, samples: [] },
        { id, workspace_id: id, created_by: id, draft: true },
      ).warnings;
    expect([0, 1, 2].map(warningsFor)).toEqual([
      [],
      ['1 recipient has no time zone'],
      ['2 recipients have no time zone'],
    ]);
  });

  it('warns of texts that no platform receives because they need more than ten parts', () => {
    const tally = new DryRunTally((_platform, text) => ({ parts: text.length, degradations: [] }));
    for (const [text, times] of [
      ['x'.repeat(10), 1],
      ['x'.repeat(11), 2],
      ['x'.repeat(12), 1],
    ] as const) {
      tally.add({ platform: 'sms', text, times }, 'text');
    }
    const found = { content_type: 'text' as const, skips: {}, rates: {}, without_zone: 0, samples: [] };
    const { warnings, platforms } = tally.describe(found, {
      id,
      workspace_id: id,
      created_by: id,
      draft: true,
    });
    expect(platforms).toMatchObject([{ platform: 'sms', too_long: 3 }]);
    expect(warnings).toEqual([
      'Too long for 3 recipients: sms takes 10 parts at most.',
      '1 recipient gets the text in more than one part.',
    ]);
  });
});
