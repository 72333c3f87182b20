import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Adapter,
  type AdapterHost,
  PlatformError,
  type PlatformErrorOptions,
  type PlatformProblem,
  plainContent,
} from '../../../src/contract/index.js';
import { type ConformanceKit, conformance } from '../../../src/testing/index.js';
import { bundledKits } from '../../conformance/kits/index.js';

type Planted = Partial<Adapter> & { readonly stopTimer?: NodeJS.Timeout };

/** The defect in the adapter, and in its host. */
interface Defect {
  readonly kit: string;
  readonly adapter?: (real: Adapter, host: AdapterHost) => Planted;
  readonly host?: (real: AdapterHost) => Partial<AdapterHost>;
  readonly change?: (kit: ConformanceKit) => Partial<ConformanceKit>;
}

const folder = mkdtempSync(join(tmpdir(), 'trunkline-planted-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const timers: NodeJS.Timeout[] = [];
afterAll(() => timers.forEach(clearInterval));

/** The error with another message. */
const retold = (
  error: unknown,
  problem: Partial<{ problem: PlatformProblem }>,
  options: Partial<PlatformErrorOptions>,
) =>
  error instanceof PlatformError
    ? new PlatformError(problem.problem ?? error.problem, {
        dispatched: error.dispatched,
        message: error.message,
        ...(error.code === undefined ? {} : { code: error.code }),
        ...options,
      })
    : error;

const misreporting =
  (retell: (error: unknown) => unknown) =>
  (real: Adapter): Planted => ({
    execute: (step, context) =>
      real.execute(step, context).catch((error: unknown) => {
        throw retell(error);
      }),
  });

const receiving = (change: (real: AdapterHost) => AdapterHost['receive']) => (real: AdapterHost) => ({
  receive: change(real),
});

let firstAdapter: Adapter | undefined;
const removed = new Set<string>();

const defects: Readonly<Record<number, Defect>> = {
  1: {
    kit: 'sandbox',
    change: () => {
      const file = join(folder, 'eager.mjs');
      writeFileSync(
        file,
        `import net from 'node:net';\nnet.createServer().listen(0);\nexport const eager = {};`,
      );
      return { module: { url: pathToFileURL(file).href, exportName: 'eager' } };
    },
  },
  2: {
    kit: 'telegram, poll',
    adapter: (real, host) => ({
      start: async () => {
        host.log.info('adapter.starting', { using: timersToken });
        await real.start();
      },
    }),
    change: (kit) => ({
      account: async (simulator) => {
        const account = await (kit.account?.(simulator) ?? simulator.account());
        timersToken = account.credentials.bot_token ?? '';
        return account;
      },
    }),
  },
  3: {
    kit: 'sandbox',
    adapter: (real) => ({
      decode: (envelope) =>
        real.decode(envelope).map((event) => ({ ...event, at: new Date().toISOString() }) as never),
    }),
  },
  4: {
    kit: 'sandbox',
    adapter: (real) => ({
      decode: (envelope) =>
        real
          .decode(envelope)
          .map((event) =>
            'chat' in event
              ? ({ ...event, chat: { ...event.chat, id: `v2:${event.chat.id}` } } as never)
              : event,
          ),
    }),
  },
  5: {
    kit: 'slack, webhook',
    adapter: (real) => ({
      handle: async (request) => {
        const answer = await real.handle!(request);
        return answer.status === 401 ? new Response(null, { status: 200 }) : answer;
      },
    }),
  },
  6: {
    kit: 'telegram, poll',
    host: receiving((real) => (envelope) => real.receive({ ...envelope, dedupeKey: String(Math.random()) })),
  },
  7: {
    kit: 'telegram, poll',
    host: receiving((real) => async (envelope) => void real.receive(envelope)),
  },
  8: {
    kit: 'discord',
    adapter: (real) => ({
      decode: (envelope) => real.decode(envelope).map((event) => ({ ...event, echo: false }) as never),
    }),
  },
  9: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      plan: (operation, capabilities) => {
        const plan = real.plan(operation, capabilities);
        return { ...plan, steps: plan.steps.slice(0, 1) };
      },
    }),
  },
  10: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      plan: (operation, capabilities) => {
        const plan = real.plan(operation, capabilities);
        return {
          ...plan,
          steps: plan.steps.map((step) => ({ ...step, payload: { ...step.payload, entities: [] } })),
        };
      },
    }),
  },
  11: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      plan: (operation, capabilities) => ({
        ...real.plan(operation, capabilities),
        degradations: ['format.bold'],
      }),
    }),
  },
  12: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      plan: (operation, capabilities) => {
        if (operation.type !== 'send' || operation.content.text.length < 10_000)
          return real.plan(operation, capabilities);
        return real.plan(
          { ...operation, content: plainContent(operation.content.text.slice(0, 10_000)) },
          capabilities,
        );
      },
    }),
  },
  13: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      plan: (operation, capabilities) => {
        const plan = real.plan(operation, capabilities);
        return operation.type === 'edit'
          ? { ...plan, steps: plan.steps.filter(({ action }) => action !== 'remove') }
          : plan;
      },
    }),
  },
  14: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      execute: (step, context) => {
        const id = String(step.targetId);
        if (step.action === 'remove' && removed.has(id))
          throw new PlatformError(
            { kind: 'unavailable', cause: 'network' },
            { dispatched: 'unknown', message: 'x' },
          );
        if (step.action === 'remove') removed.add(id);
        return real.execute(step, context);
      },
    }),
  },
  15: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      execute: (step, context) => real.execute(step, context).catch(() => real.execute(step, context)),
    }),
  },
  16: { kit: 'telegram, poll', adapter: misreporting((error) => retold(error, {}, { dispatched: 'no' })) },
  17: { kit: 'telegram, poll', adapter: misreporting((error) => retold(error, {}, { code: 'unknown' })) },
  18: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      start: async () => {
        // More than the number of unrelated timers that may end at the same time.
        for (let n = 0; n < 5; n += 1) timers.push(setInterval(() => undefined, 1_000));
        await real.start();
      },
    }),
  },
  19: {
    kit: 'telegram, webhook',
    adapter: (real) => ({
      execute: (step, context) =>
        real.execute(step, context).catch((error: unknown) => {
          timers.push(setInterval(() => void real.identify().catch(() => undefined), 20));
          throw error;
        }),
    }),
  },
  20: {
    kit: 'telegram, poll',
    adapter: (real, host) => ({
      start: async () => {
        await real.start();
        host.health({ code: 'transient', message: 'Nothing happens.' });
      },
    }),
  },
  21: {
    kit: 'telegram, poll',
    host: receiving((real) => async (envelope) => {
      if (!JSON.stringify(envelope.payload).includes('missed')) await real.receive(envelope);
    }),
  },
  22: {
    kit: 'telegram, poll',
    adapter: (real) => ({
      openMedia: async (ref, signal) => {
        const opened = await real.openMedia!(ref, signal);
        const chunks: Uint8Array[] = [];
        for await (const chunk of opened.body) chunks.push(chunk);
        return {
          ...opened,
          body: (async function* () {
            yield Buffer.concat(chunks);
          })(),
        };
      },
    }),
  },
  23: {
    kit: 'discord',
    adapter: (real) => ({
      plan: (operation, capabilities) => {
        const plan = real.plan(operation, capabilities);
        const ringing = plan.steps.map(({ payload: { allowed_mentions: _, ...payload }, ...step }) => ({
          ...step,
          payload,
        }));
        return { ...plan, steps: ringing };
      },
    }),
  },
  24: {
    kit: 'telegram, poll',
    adapter: misreporting((error) =>
      retold(error, { problem: { kind: 'rejected', reason: 'recipient_gone' } }, {}),
    ),
  },
  25: {
    kit: 'telegram, poll',
    adapter: (real) => {
      firstAdapter ??= real;
      return { execute: (step, context) => firstAdapter!.execute(step, context) };
    },
  },
  26: {
    kit: 'sms',
    host: receiving(
      (real) => (envelope) =>
        real.receive({ ...envelope, dedupeKey: envelope.dedupeKey.split(':')[0] ?? '' }),
    ),
  },
  27: {
    kit: 'sandbox',
    adapter: (real) => ({
      decode: (envelope) => {
        const end = performance.now() + 10;
        while (performance.now() < end);
        return real.decode(envelope);
      },
    }),
  },
};
let timersToken = '';

/** The kit of a bundled adapter with the defect in it. */
function planted({ kit: name, adapter, host, change }: Defect): ConformanceKit {
  const kit = bundledKits.find((each) => (each.name ?? each.definition.platform) === name);
  if (kit === undefined) throw new Error(`There is no kit ${name}.`);
  const { definition } = kit;
  return {
    ...kit,
    ...change?.(kit),
    definition: {
      ...definition,
      create: async (config, given) => {
        const worse = host === undefined ? given : over(given, host(given));
        const real = await definition.create(config, worse);
        return adapter === undefined ? real : over(real, adapter(real, worse));
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
  for (const [number, defect] of Object.entries(defects))
    it(`notices the planted violation of check ${number}`, async () => {
      const options = { effort: 'quick', only: [Number(number)], patienceMs: 1_500 } as const;
      const { results, passed } = await conformance(planted(defect), options);
      expect(results).toMatchObject([{ number: Number(number), outcome: 'fail' }]);
      expect(passed).toBe(false);
    });
});
