import { afterAll, describe, expect, it } from 'vitest';
import {
  type Adapter,
  type AdapterHost,
  type Capabilities,
  type ConnectionConfig,
  type Envelope,
  type InboundEvent,
  ops,
  type Plan,
  PlatformError,
  type RemoteChatId,
} from '../../../src/contract/index.js';
import { type ConformanceKit, conformance } from '../../../src/testing/index.js';
import { bundledKits } from '../../conformance/kits/index.js';

/** A small mistake that an author could make, and the check that notices it. */
interface Mutant {
  readonly name: string;
  readonly kit: string;
  readonly check: number;
  /** The expected text of the report. */
  readonly says: RegExp;
  readonly adapter?: (real: Adapter) => Partial<Adapter>;
  readonly host?: (real: AdapterHost) => Partial<AdapterHost>;
  readonly capabilities?: (real: Capabilities) => Capabilities;
  /** As `adapter`, with the configuration of the connection. */
  readonly config?: (config: ConnectionConfig) => (real: Adapter) => Partial<Adapter>;
}

const timers: NodeJS.Timeout[] = [];
afterAll(() => timers.forEach(clearTimeout));

type Change = (event: InboundEvent) => InboundEvent;
const decoding =
  (change: Change) =>
  (real: Adapter): Partial<Adapter> => ({ decode: (envelope) => real.decode(envelope).map(change) });
const ignoring = (...types: readonly InboundEvent['type'][]) =>
  decoding((event) => (types.includes(event.type) ? { type: 'unsupported', what: event.type } : event));
const onMessages = (change: (event: Extract<InboundEvent, { type: 'message' }>) => object) =>
  decoding((event) => (event.type === 'message' ? (change(event) as InboundEvent) : event));
const planning =
  (
    change: (plan: Plan, type: string) => Plan,
    operation = (given: Parameters<Adapter['plan']>[0]) => given,
  ) =>
  (real: Adapter): Partial<Adapter> => ({
    plan: (given, capabilities) => change(real.plan(operation(given), capabilities), given.type),
  });
/** As on a platform where a removal names only the reaction, by the id that it was added with or by another one. */
const byId = (removed: string) =>
  decoding((event) => {
    if (event.type !== 'reaction') return event;
    const { messageId: _message, emoji: _emoji, sender: _sender, ...named } = event;
    const change = event.change === 'added' ? event : named;
    return { ...change, reactionId: event.change === 'added' ? 'r1' : removed } as InboundEvent;
  });
const textOf = ({ payload }: Envelope) => JSON.stringify(payload);

const inbound: readonly Mutant[] = [
  {
    name: 'edits of people as unsupported',
    kit: 'discord',
    check: 28,
    says: /an edit arrives as unsupported/,
    adapter: ignoring('message_edited'),
  },
  {
    name: 'edits of people that never reach the bridge',
    kit: 'telegram, poll',
    check: 28,
    says: /an edit did not arrive/,
    host: (real) => ({
      receive: async (envelope) => {
        if (!textOf(envelope).includes('edited_message')) await real.receive(envelope);
      },
    }),
  },
  {
    name: 'deletions as unsupported',
    kit: 'slack, gateway',
    check: 28,
    says: /a deletion arrives as unsupported/,
    adapter: ignoring('message_deleted'),
  },
  {
    name: 'reactions as unsupported',
    kit: 'telegram, poll',
    check: 28,
    says: /a reaction that is added arrives as unsupported/,
    adapter: ignoring('reaction'),
  },
  {
    name: 'reactions that are taken back as added ones',
    kit: 'discord',
    check: 28,
    says: /a reaction that is removed arrives as reaction/,
    adapter: decoding((event) =>
      event.type === 'reaction' ? ({ ...event, change: 'added' } as InboundEvent) : event,
    ),
  },
  {
    name: 'removals of reactions by an id that no reaction had',
    kit: 'discord',
    check: 28,
    says: /a reaction that is removed arrives as reaction/,
    adapter: byId('r2'),
  },
  {
    name: 'changes that do not say by whose right',
    kit: 'discord',
    check: 3,
    says: /has an invalid authority/,
    adapter: decoding((event) => ({ ...event, authority: undefined }) as unknown as InboundEvent),
  },
  {
    name: 'replies as plain messages',
    kit: 'telegram, poll',
    check: 28,
    says: /a reply arrives as message/,
    adapter: onMessages(({ replyToId: _, ...event }) => event),
  },
  {
    name: 'typing as unsupported',
    kit: 'discord',
    check: 28,
    says: /typing arrives as unsupported/,
    adapter: ignoring('typing'),
  },
  {
    name: 'memberships as unsupported',
    kit: 'slack, gateway',
    check: 28,
    says: /a person who joins arrives as unsupported/,
    adapter: ignoring('membership'),
  },
  {
    name: 'memberships as unsupported where the simulator has none',
    kit: 'telegram, poll',
    check: 31,
    says: /membership is claimed/,
    adapter: ignoring('membership'),
  },
  {
    name: 'places of people at 0, 0',
    kit: 'telegram, poll',
    check: 29,
    says: /is decoded as 0, 0/,
    adapter: onMessages((event) => ({
      ...event,
      content: { ...event.content, attachments: event.content.attachments.map(toNowhere) },
    })),
  },
  {
    name: 'file names that are lost on the way in',
    kit: 'discord',
    check: 22,
    says: /The name of a file: expected/,
    adapter: onMessages((event) => ({
      ...event,
      content: {
        ...event.content,
        attachments: event.content.attachments.map(({ name: _, ...attachment }) => attachment),
      },
    })),
  },
  {
    name: 'the first of several files alone',
    kit: 'discord',
    check: 22,
    says: /The number of files of a message with two/,
    adapter: onMessages((event) => ({
      ...event,
      content: { ...event.content, attachments: event.content.attachments.slice(0, 1) },
    })),
  },
  {
    name: 'files with another size and without a type',
    kit: 'discord',
    check: 22,
    says: /The type of a file/,
    adapter: onMessages((event) => ({
      ...event,
      content: {
        ...event.content,
        attachments: event.content.attachments.map(({ mimeType: _, ...each }) => ({ ...each, sizeBytes: 1 })),
      },
    })),
  },
  {
    name: 'names of people that are never given',
    kit: 'discord',
    check: 29,
    says: /The platform sent the name Marguerite/,
    adapter: onMessages(({ sender: { displayName: _, ...sender }, ...event }) => ({ ...event, sender })),
  },
  {
    name: 'other bots as people',
    kit: 'slack, gateway',
    check: 29,
    says: /Another bot is decoded as a person/,
    adapter: onMessages(({ sender: { isBot: _, ...sender }, ...event }) => ({ ...event, sender })),
  },
  {
    name: 'formatting of people that is lost',
    kit: 'slack, gateway',
    check: 4,
    says: /The pinned envelope .* decodes to/,
    adapter: onMessages((event) => ({ ...event, content: { ...event.content, spans: [] } })),
  },
  {
    name: 'pictures of people as files',
    kit: 'sms',
    check: 4,
    says: /The pinned envelope .* decodes to/,
    adapter: onMessages((event) => ({
      ...event,
      content: {
        ...event.content,
        attachments: event.content.attachments.map((attachment) => ({ ...attachment, type: 'file' })),
      },
    })),
  },
  {
    name: 'threads of people that are lost',
    kit: 'slack, webhook',
    check: 4,
    says: /The pinned envelope .* decodes to/,
    adapter: onMessages(({ chat: { threadId: _, ...chat }, ...event }) => ({ ...event, chat })),
  },
  {
    name: 'receipts that all say delivered',
    kit: 'sms',
    check: 4,
    says: /The pinned envelope .* decodes to/,
    adapter: decoding((event) => (event.type === 'receipt' ? { ...event, status: 'delivered' } : event)),
  },
  {
    name: 'people who join as people who leave',
    kit: 'telegram, webhook',
    check: 4,
    says: /The pinned envelope .* decodes to/,
    adapter: decoding((event) => (event.type === 'membership' ? { ...event, change: 'left' } : event)),
  },
  {
    name: 'a lane of its own for each event',
    kit: 'discord',
    check: 6,
    says: /The number of lanes of the messages of one chat/,
    host: (real) => ({ receive: (envelope) => real.receive({ ...envelope, lane: envelope.dedupeKey }) }),
  },
  {
    name: 'reactions of another person than the one who reacted',
    kit: 'telegram, poll',
    check: 28,
    says: /a reaction that is added arrives as reaction/,
    adapter: decoding((event) =>
      event.type === 'reaction' ? ({ ...event, sender: { id: 'somebody' } } as InboundEvent) : event,
    ),
  },
  {
    name: 'direct chats as groups',
    kit: 'discord',
    check: 29,
    says: /A message in a direct chat is decoded with the kind group/,
    adapter: onMessages((event) => ({ ...event, chat: { ...event.chat, kind: 'group' } })),
  },
  {
    name: 'times in another zone',
    kit: 'slack, gateway',
    check: 29,
    says: /has the time/,
    adapter: onMessages((event) => ({
      ...event,
      at: new Date(Date.parse(event.at) + 3_600_000).toISOString(),
    })),
  },
];

const elsewhere = (type: InboundEvent['type']) =>
  decoding((event) =>
    event.type === type && 'chat' in event
      ? { ...event, chat: { ...event.chat, id: 'elsewhere' as RemoteChatId } }
      : event,
  );
const onEdits = (change: (event: Extract<InboundEvent, { type: 'message_edited' }>) => object) =>
  decoding((event) => (event.type === 'message_edited' ? (change(event) as InboundEvent) : event));

const changes: readonly Mutant[] = [
  {
    name: 'reactions in another chat',
    kit: 'discord',
    check: 28,
    says: /a reaction that is added arrives as reaction/,
    adapter: elsewhere('reaction'),
  },
  {
    name: 'deletions in another chat',
    kit: 'slack, gateway',
    check: 28,
    says: /a deletion arrives as message_deleted/,
    adapter: elsewhere('message_deleted'),
  },
  {
    name: 'edits with the time of the message',
    kit: 'slack, gateway',
    check: 28,
    says: /no `sequence` that says which is later/,
    adapter: onEdits(({ sequence: _, ...event }) => ({
      ...event,
      at: new Date(Number(event.messageId) * 1_000).toISOString(),
    })),
  },
  {
    name: 'edits with a time in seconds',
    kit: 'discord',
    check: 28,
    says: /which is not that of the change/,
    adapter: onEdits((event) => ({ ...event, at: new Date(Date.parse(event.at) / 1_000).toISOString() })),
  },
  {
    name: 'deletions by people as own ones',
    kit: 'discord',
    check: 28,
    says: /a deletion arrives as message_deleted/,
    adapter: decoding((event) => (event.type === 'message_deleted' ? { ...event, echo: true } : event)),
  },
  {
    name: 'own reactions as those of a person',
    kit: 'discord',
    check: 8,
    says: /An own reaction is not marked as an echo/,
    adapter: decoding((event) => {
      if (event.type !== 'reaction') return event;
      const { echo: _, ...rest } = event;
      return rest;
    }),
  },
  {
    name: 'reports without the reference that the create gave to the platform',
    kit: 'sms',
    check: 26,
    says: /The reference in a delivery update/,
    adapter: decoding((event) => {
      if (event.type !== 'receipt') return event;
      const { reference: _, ...rest } = event;
      return rest;
    }),
  },
];

const flooded = (call: (host: AdapterHost, turn: number) => unknown) => (real: AdapterHost) => ({
  receive: async (envelope: Envelope) => {
    for (let turn = 0; turn < 500; turn += 1) await call(real, turn);
    await real.receive(envelope);
  },
});

const hosts: readonly Mutant[] = [
  {
    name: 'a log that is flooded',
    kit: 'telegram, poll',
    check: 30,
    says: /host\.log is called more than 200 times/,
    host: flooded((host, turn) => host.log.info('busy', { turn })),
  },
  {
    name: 'health that is reported without end',
    kit: 'telegram, poll',
    check: 30,
    says: /host\.health is called more than 100 times/,
    host: flooded((host) => host.health({ code: 'ok', message: 'Connected.' })),
  },
  {
    name: 'a state with a name for each event',
    kit: 'telegram, poll',
    check: 30,
    says: /at most 64 names/,
    host: flooded((host, turn) => host.state.save(`event-${turn}`, 'seen').catch(() => undefined)),
  },
  {
    name: 'health with a code that the contract does not have',
    kit: 'telegram, poll',
    check: 30,
    says: /host\.health is called with a wrong or missing code/,
    host: (real) => ({
      health: (report) => {
        try {
          real.health({ ...report, code: 'fine' as never });
        } catch {
          real.health(report);
        }
      },
    }),
  },
];

let held: Envelope | undefined;

const order: readonly Mutant[] = [
  {
    name: 'events in reverse order',
    kit: 'telegram, poll',
    check: 6,
    says: /The order of messages/,
    host: (real) => ({
      receive: async (envelope) => {
        const earlier = held;
        held = earlier === undefined ? envelope : undefined;
        if (earlier === undefined) {
          const late = () => {
            if (held === envelope) void real.receive(envelope);
          };
          timers.push(setTimeout(late, 300));
          return;
        }
        await real.receive(envelope);
        await real.receive(earlier);
      },
    }),
  },
  {
    name: 'a place that is saved before the message is stored',
    kit: 'telegram, poll',
    check: 7,
    says: /The message "crash before commit" arrives/,
    host: (real) => ({
      receive: async (envelope) => {
        // Another event comes before the message, and a crash at the next call hits that event.
        await real.receive({ dedupeKey: `before ${envelope.dedupeKey}`, lane: 'account', payload: {} });
        void real.receive(envelope);
      },
    }),
  },
  {
    name: 'a place that is saved when the first event of several is stored',
    kit: 'telegram, poll',
    check: 7,
    says: /of three" arrives/,
    host: (real) => ({
      receive: async (envelope) => {
        if (textOf(envelope).includes('second of three')) void real.receive(envelope);
        else await real.receive(envelope);
      },
    }),
  },
  {
    name: 'missed events beyond the first page',
    kit: 'telegram, poll',
    check: 21,
    says: /Missed messages arrive/,
    host: (real) => ({
      receive: async (envelope) => {
        const number = Number(/missed (\d+)/.exec(textOf(envelope))?.[1] ?? 0);
        if (number <= 100) await real.receive(envelope);
      },
    }),
  },
  {
    name: 'missed events in reverse order',
    kit: 'telegram, poll',
    check: 21,
    says: /Missed messages and their order/,
    host: (real) => {
      const kept: Envelope[] = [];
      return {
        receive: async (envelope) => {
          if (!textOf(envelope).includes('missed')) return real.receive(envelope);
          kept.push(envelope);
          if (kept.length < 250) return;
          for (const each of kept.reverse()) await real.receive(each);
        },
      };
    },
  },
];

let asked = 0;

const outbound: readonly Mutant[] = [
  {
    name: 'reactions that do nothing',
    kit: 'telegram, poll',
    check: 11,
    says: /react is native but changes nothing/,
    adapter: (real) => ({
      plan: (operation, capabilities) => {
        const plan = real.plan(operation, capabilities);
        if (operation.type !== 'react') return plan;
        return { ...plan, steps: plan.steps.map((step) => ({ ...step, payload: { nothing: true } })) };
      },
      execute: async (step, context) => {
        if (step.payload.nothing !== true) return real.execute(step, context);
        await real.identify();
        return {};
      },
    }),
  },
  {
    name: 'ids of written messages as numbers',
    kit: 'telegram, poll',
    check: 11,
    says: /A receipt has a wrong or missing remoteId/,
    adapter: (real) => ({
      execute: async (step, context) => {
        const receipt = await real.execute(step, context);
        return { ...receipt, remoteId: Number(receipt.remoteId) as never };
      },
    }),
  },
  {
    name: 'each refusal as that of a person who is gone',
    kit: 'discord',
    check: 17,
    says: /The reason of an unknown error/,
    adapter: (real) => ({
      execute: (step, context) =>
        real.execute(step, context).catch((error: PlatformError) => {
          const { dispatched, message, code = '', problem } = error;
          if (problem.kind !== 'rejected') throw error;
          throw new PlatformError(
            { kind: 'rejected', reason: 'recipient_gone' },
            { dispatched, message, code },
          );
        }),
    }),
  },
  {
    name: 'a lookup that never finds a message',
    kit: 'slack, gateway',
    check: 16,
    says: /lookup found none that was written/,
    adapter: () => ({ lookup: async () => ({ outcome: 'undecidable' }) }),
  },
  {
    name: 'a rate that allows no write',
    kit: 'telegram, poll',
    check: 11,
    says: /A rate has a wrong or missing buckets\.0\.count/,
    adapter: () => ({ rate: () => ({ buckets: [{ key: 'k', scope: 'chat', count: 0, perMs: 1 }] }) }),
  },
  {
    name: 'parts that are counted from one',
    kit: 'telegram, poll',
    check: 11,
    says: /indices 1, not those from 0/,
    adapter: planning((plan, type) =>
      type === 'send'
        ? { ...plan, steps: plan.steps.map((step) => ({ ...step, index: step.index + 1 })) }
        : plan,
    ),
  },
  {
    name: 'places that are native and reported as degraded',
    kit: 'slack, gateway',
    check: 31,
    says: /Locations are native but reported as degraded/,
    capabilities: (real) => ({ ...real, ops: { ...real.ops, location: 'native' } }),
  },
  {
    name: 'degradations by a name that the contract does not have',
    kit: 'sms',
    check: 11,
    says: /has no degradation format.blink/,
    adapter: planning((plan) => ({ ...plan, degradations: ['format.blink' as never] })),
  },
  {
    name: 'signals that are the second part',
    kit: 'telegram, poll',
    check: 11,
    says: /A signal has the index 1/,
    adapter: planning((plan, type) =>
      type === 'react' ? { ...plan, steps: plan.steps.map((step) => ({ ...step, index: 1 })) } : plan,
    ),
  },
  {
    name: 'reactions of another emoji',
    kit: 'discord',
    check: 11,
    says: /the message does not show it/,
    adapter: planning(
      (plan) => plan,
      (operation) => (operation.type === 'react' ? { ...operation, emoji: '🎉' } : operation),
    ),
  },
  {
    name: 'deletions of the first part only',
    kit: 'discord',
    check: 14,
    says: /one of several parts/,
    adapter: planning((plan, type) =>
      type === 'delete' ? { ...plan, steps: plan.steps.slice(0, 1) } : plan,
    ),
  },
  {
    name: 'places that are sent at 0, 0',
    kit: 'telegram, poll',
    check: 31,
    says: /no write contains the latitude and longitude/,
    adapter: planning((plan) => plan, nowhere),
  },
  {
    name: 'places that are told at 0, 0 in a text',
    kit: 'sms',
    check: 31,
    says: /A location is sent with the coordinates 0, 0/,
    adapter: planning((plan) => plan, nowhere),
  },
  {
    name: 'buttons that are left out',
    kit: 'slack, gateway',
    check: 31,
    says: /does not contain a button/,
    adapter: planning(
      (plan) => plan,
      (operation) => (operation.type === 'send' ? { ...operation, buttons: [] } : operation),
    ),
  },
  {
    name: 'mentions as plain names',
    kit: 'telegram, poll',
    check: 31,
    says: /no write contains the id of the person/,
    adapter: planning(
      (plan) => plan,
      (operation) =>
        operation.type === 'send'
          ? {
              ...operation,
              content: {
                ...operation.content,
                spans: operation.content.spans.filter(({ mark }) => mark !== 'mention'),
              },
            }
          : operation,
    ),
  },
  {
    name: 'file names that are lost on the way out',
    kit: 'discord',
    check: 11,
    says: /The name of a sent file/,
    adapter: planning(
      (plan) => plan,
      (operation) =>
        operation.type === 'send'
          ? {
              ...operation,
              content: {
                ...operation.content,
                attachments: operation.content.attachments.map(({ name: _, ...attachment }) => ({
                  ...attachment,
                  name: 'file.bin',
                })),
              },
            }
          : operation,
    ),
  },
  {
    name: 'threads that are ignored',
    kit: 'slack, gateway',
    check: 31,
    says: /thread is native, but the writes are the same without it/,
    adapter: planning(
      (plan) => plan,
      (operation) => {
        if (operation.type !== 'send') return operation;
        const { threadRootId: _, ...rest } = operation;
        return rest;
      },
    ),
  },
];

function nowhere(operation: Parameters<Adapter['plan']>[0]): Parameters<Adapter['plan']>[0] {
  if (operation.type !== 'send') return operation;
  const { content } = operation;
  return { ...operation, content: { ...content, attachments: content.attachments.map(toNowhere) } };
}

function toNowhere<T extends { readonly type: string }>(attachment: T): T {
  return attachment.type === 'location' ? { ...attachment, latitude: 0, longitude: 0 } : attachment;
}

const account: readonly Mutant[] = [
  {
    name: 'a file that is read into memory whole and handed on in pieces',
    kit: 'telegram, poll',
    check: 22,
    says: /read completely before its first piece/,
    adapter: (real) => ({
      openMedia: async (ref, signal) => {
        const opened = await real.openMedia!(ref, signal);
        const chunks: Uint8Array[] = [];
        for await (const chunk of opened.body) chunks.push(chunk);
        const whole = Buffer.concat(chunks);
        return {
          ...opened,
          body: (async function* () {
            for (let at = 0; at < whole.length; at += 65_536) yield whole.subarray(at, at + 65_536);
          })(),
        };
      },
    }),
  },
  {
    name: 'a file that is read on after its signal was aborted',
    kit: 'discord',
    check: 22,
    says: /although its signal was aborted/,
    adapter: (real) => ({ openMedia: (ref) => real.openMedia!(ref, new AbortController().signal) }),
  },
  {
    name: 'a refusal of a webhook that shows what it expected',
    kit: 'telegram, webhook',
    check: 5,
    says: /The response to an unsigned webhook contains a secret/,
    config:
      ({ credentials }) =>
      (real) => ({
        handle: async (request) => {
          const response = await real.handle!(request);
          return response.ok
            ? response
            : Response.json({ expected: credentials }, { status: response.status });
        },
      }),
  },
  {
    name: 'an account whose id changes',
    kit: 'telegram, poll',
    check: 30,
    says: /The account at the second request/,
    adapter: (real) => ({
      identify: async () => {
        asked += 1;
        const known = await real.identify();
        return { ...known, externalId: `${known.externalId}-${asked}` as typeof known.externalId };
      },
    }),
  },
  {
    name: 'health that is never ok',
    kit: 'discord',
    check: 30,
    says: /The connection reports ok/,
    host: (real) => ({
      health: (report) => {
        if (report.code !== 'ok') real.health(report);
      },
    }),
  },
  {
    name: 'a direct chat that is another one each time',
    kit: 'discord',
    check: 30,
    says: /The direct chat with one person/,
    adapter: (real) => ({
      openDirect: async (address) => {
        asked += 1;
        return `${await real.openDirect!(address)}${asked}` as RemoteChatId;
      },
    }),
  },
  {
    name: 'every op claimed as native',
    kit: 'slack, gateway',
    check: 31,
    says: /claimed as native, but the contract has no operation/,
    capabilities: (real) => ({ ...real, ops: ops('native') }),
  },
  {
    name: 'texts that are longer on a connection than on its platform',
    kit: 'sms',
    check: 11,
    says: /claims more for text.max than its definition/,
    adapter: (real) => ({
      capabilities: () => {
        const { text, ...others } = real.capabilities();
        return { ...others, text: { ...text, max: null } };
      },
    }),
  },
  {
    name: 'events of decode with times that are none',
    kit: 'sms',
    check: 3,
    says: /has an invalid at/,
    adapter: onMessages((event) => ({ ...event, at: 'now' })),
  },
  {
    name: 'edits, deletions and reactions claimed by a platform without them',
    kit: 'sms',
    check: 11,
    says: /native/,
    capabilities: (real) => ({
      ...real,
      ops: { ...real.ops, edit: 'native', delete: 'native', react: 'native', reply: 'native' },
      edit: { max_age_s: null, max_count: null, media: false },
      delete: { max_age_s: null, others: false },
      react: { per_user: 1, allowed: null },
    }),
  },
];

function mutated({ kit: name, adapter, host, capabilities, config: configured }: Mutant): ConformanceKit {
  const kit = bundledKits.find((each) => (each.name ?? each.definition.platform) === name);
  if (kit === undefined) throw new Error(`There is no kit ${name}.`);
  const { definition } = kit;
  const claims = capabilities?.(definition.capabilities);
  return {
    ...kit,
    definition: {
      ...definition,
      ...(claims === undefined ? {} : { capabilities: claims }),
      create: async (config, given) => {
        const real = await definition.create(config, host === undefined ? given : over(given, host(given)));
        const claiming = claims === undefined ? real : over(real, { capabilities: () => claims });
        const change = adapter ?? configured?.(config as ConnectionConfig);
        return change === undefined ? claiming : over(claiming, change(claiming));
      },
    },
  };
}

/** The object with some members replaced; the others keep their `this`. */
function over<T extends object>(real: T, members: object): T {
  return new Proxy(real, {
    get: (target, name) => {
      const member: unknown = Reflect.get(name in members ? members : target, name);
      return typeof member === 'function' && !(name in members) ? member.bind(target) : member;
    },
  });
}

describe('the conformance kit', () => {
  for (const mutant of [...inbound, ...changes, ...order, ...outbound, ...account, ...hosts])
    it(`notices ${mutant.name} (${mutant.kit})`, async () => {
      const options = { effort: 'quick', only: [mutant.check], patienceMs: 1_500 } as const;
      const { results, passed } = await conformance(mutated(mutant), options);
      expect(results).toMatchObject([{ number: mutant.check, outcome: 'fail' }]);
      expect(results[0]?.detail).toMatch(mutant.says);
      expect(passed).toBe(false);
    });

  it('recognises a removal by the id with which the reaction was added', async () => {
    const kit = mutated({ name: '', kit: 'discord', check: 28, says: /./, adapter: byId('r1') });
    const { results } = await conformance(kit, { effort: 'quick', only: [28], patienceMs: 1_500 });
    expect(results).toMatchObject([{ number: 28, outcome: 'pass' }]);
  });
});
