import type {
  Adapter,
  Capabilities,
  Degradation,
  ExecuteContext,
  InboundEvent,
  PartStep,
  Plan,
  Receipt,
  RemoteMedia,
} from '../../contract/index.js';
import type { Check } from '../../contract/validation/check.js';
import { widerCell } from '../../contract/validation/narrowing.js';
import {
  isReading,
  wrongChatId,
  wrongIdentity,
  wrongLookup,
  wrongMedia,
  wrongPlan,
  wrongRate,
  wrongReceipt,
  wrongResponse,
} from '../../contract/validation/results.js';
import { checkedEvents } from './checked-events.js';
import type { HookRunner } from './hook-runner.js';
import type { Redactor } from './redactor.js';

/** Time that a call has to end after its signal was aborted. After that it counts as hung. */
const ABORTED_MS = 2_000;
const MAX_DEGRADATION_LENGTH = 100;
const MAX_DEGRADATIONS = 100;
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Wraps an adapter at the boundary of the bridge. Every hook is traced and limited, its result is checked, and secrets of
 * the connection are removed from every string that the adapter returns. Ids and text written by people are passed on
 * unchanged.
 */
export function guardAdapter(
  adapter: Adapter,
  runner: HookRunner,
  redactor: Redactor,
  declared: Capabilities,
): Adapter {
  return {
    identify: () =>
      runner.async('identify', async () =>
        redactor.identity(checked(wrongIdentity, 'identity', await adapter.identify())),
      ),
    start: () => runner.async('start', async () => adapter.start()),
    stop: () => runner.async('stop', async () => adapter.stop()),
    decode: (envelope) =>
      runner.sync('decode', () =>
        checkedEvents(envelope, adapter.decode(envelope)).map((event) => cleanEvent(event, redactor)),
      ),
    capabilities: narrowed(adapter, runner, declared),
    plan: (operation, capabilities) =>
      runner.sync('plan', () =>
        cleanPlan(checked(wrongPlan, 'plan', adapter.plan(operation, capabilities)), redactor),
      ),
    execute: (step, context) => execute(adapter, runner, redactor, step, context),
    ...optionalHooks(adapter, runner, redactor),
  };
}

/** The hooks that an adapter may leave out. */
function optionalHooks(adapter: Adapter, runner: HookRunner, redactor: Redactor): Partial<Adapter> {
  const { checkIngress, handle, rate, lookup, openDirect, findChat, writesToAddress, openMedia } = adapter;
  return {
    ...(checkIngress && {
      checkIngress: () => runner.async('checkIngress', async () => checkIngress.call(adapter)),
    }),
    ...(handle && {
      handle: (request) =>
        runner.async('handle', async () =>
          readAnswer(checked(wrongResponse, 'response', await handle.call(adapter, request)), redactor),
        ),
    }),
    ...(rate && {
      rate: (step, to) => runner.sync('rate', () => checked(wrongRate, 'rate', rate.call(adapter, step, to))),
    }),
    ...(lookup && {
      lookup: (query) =>
        runner.async('lookup', async () => checked(wrongLookup, 'result', await lookup.call(adapter, query))),
    }),
    ...(openDirect && {
      openDirect: (address) =>
        runner.async('openDirect', async () =>
          checked(wrongChatId, 'chat id', await openDirect.call(adapter, address)),
        ),
    }),
    ...(findChat && {
      findChat: (chatId) =>
        runner.async('findChat', async () => redactor.chat(await findChat.call(adapter, chatId))),
    }),
    ...(writesToAddress && {
      writesToAddress: (step, address) =>
        runner.sync('writesToAddress', () => writesToAddress.call(adapter, step, address) === true),
    }),
    ...(openMedia && {
      openMedia: (ref, signal) =>
        runner.async(
          'openMedia',
          async () =>
            cleanMedia(checked(wrongMedia, 'file', await openMedia.call(adapter, ref, signal)), redactor),
          signal,
        ),
    }),
  };
}

/** The result of a hook. Raises an error that names its first wrong field. */
function checked<Result>(check: Check, name: string, result: Result): Result {
  const wrong = check(result);
  if (wrong === undefined) return result;
  throw new TypeError(
    wrong === '' ? `Its ${name} is missing or wrong.` : `Its ${name} has a wrong or missing ${wrong}.`,
  );
}

/**
 * The capabilities of an adapter on its connection, which never exceed its definition. If the adapter cannot determine
 * them or returns invalid ones, the capabilities of the definition apply.
 */
function narrowed(adapter: Adapter, runner: HookRunner, declared: Capabilities): Adapter['capabilities'] {
  const known = new WeakSet<Capabilities>([declared]);
  return (chatId) => {
    try {
      return runner.sync('capabilities', () => {
        const claimed = adapter.capabilities(chatId) ?? declared;
        if (known.has(claimed)) return claimed;
        const cell = widerCell(claimed, declared);
        if (cell !== undefined) throw new TypeError(`Its ${cell} is wrong, or wider than in its definition.`);
        known.add(claimed);
        return claimed;
      });
    } catch {
      // The runner has already reported the error.
      return declared;
    }
  };
}

async function execute(
  adapter: Adapter,
  runner: HookRunner,
  redactor: Redactor,
  step: PartStep,
  context: ExecuteContext,
): Promise<Receipt> {
  const { signal } = context;
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    timer = setTimeout(() => runner.overdue('execute'), ABORTED_MS);
    timer.unref();
  };
  signal.addEventListener('abort', watch, { once: true });
  try {
    const call = async () => checked(wrongReceipt, 'receipt', await adapter.execute(step, context));
    return cleanReceipt(await runner.async('execute', call, signal), runner, redactor);
  } finally {
    signal.removeEventListener('abort', watch);
    clearTimeout(timer);
  }
}

/** Wrong degradations and rates do not change what was written, so they are left out and reported. */
function cleanReceipt(receipt: Receipt, runner: HookRunner, redactor: Redactor): Receipt {
  const { degradations, rates, ...ids } = receipt;
  const names = listed(degradations).filter((name) => typeof name === 'string');
  const readings = listed(rates).filter(isReading);
  if (names.length < sizeOf(degradations))
    runner.ignored('execute', 'Its receipt has wrong degradations, which are ignored.');
  if (readings.length < sizeOf(rates))
    runner.ignored('execute', 'Its receipt has wrong rates, which are ignored.');
  return {
    ...ids,
    ...(degradations && { degradations: words(names, redactor) }),
    ...(rates && { rates: readings }),
  };
}

const listed = <Item>(value: readonly Item[] | undefined): readonly Item[] =>
  Array.isArray(value) ? value : [];

/** The number of items that a list should have. A value that is not a list has one that is wrong. */
const sizeOf = (value: unknown): number => (value == null ? 0 : Array.isArray(value) ? value.length : 1);

function cleanPlan(plan: Plan, redactor: Redactor): Plan {
  return plan.degradations.length === 0
    ? plan
    : { ...plan, degradations: words(plan.degradations, redactor) };
}

/**
 * A packaged adapter is not type-checked here, so it may return names that the contract does not have. They are passed
 * on with secrets removed.
 */
function words(names: readonly Degradation[], redactor: Redactor): Degradation[] {
  return names
    .slice(0, MAX_DEGRADATIONS)
    .map((name) => redactor.text(name, MAX_DEGRADATION_LENGTH) as Degradation);
}

function cleanEvent(event: InboundEvent, redactor: Redactor): InboundEvent {
  switch (event.type) {
    case 'message':
    case 'message_edited': {
      const { attachments } = event.content;
      if (attachments.length === 0) return event;
      const clean = attachments.map((attachment) => ({
        ...attachment,
        ...(attachment.url === undefined ? {} : { url: redactor.text(attachment.url) }),
        ...(attachment.metadata === undefined ? {} : { metadata: redactor.json(attachment.metadata) }),
      }));
      return { ...event, content: { ...event.content, attachments: clean } };
    }
    case 'receipt': {
      const { failure } = event;
      if (failure === undefined) return event;
      const code = failure.code === undefined ? {} : { code: redactor.text(failure.code) };
      return { ...event, failure: { ...failure, ...code, message: redactor.text(failure.message) } };
    }
    case 'gap':
      return { ...event, reason: redactor.text(event.reason) };
    case 'unsupported':
      return { ...event, what: redactor.text(event.what) };
    default:
      return event;
  }
}

/**
 * The response with its body, which is read while the time limit of the hook runs. A successful response goes to the
 * platform, which may require a secret in it. An error response may be read by any client.
 */
async function readAnswer(response: Response, redactor: Redactor): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null) return response;
  const bytes = await bounded(body);
  if (status < 400) return new Response(bytes, { status, headers });
  const clean = [...headers]
    .filter(([name]) => name !== 'content-length')
    .map(([name, value]): [string, string] => [name, redactor.text(value)]);
  return new Response(redactor.text(bytes.toString()), { status, headers: clean });
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES)
      throw new RangeError(`Its response has more than ${MAX_ANSWER_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function cleanMedia(media: RemoteMedia, redactor: Redactor): RemoteMedia {
  const { name } = media;
  return {
    ...media,
    ...(name === undefined ? {} : { name: redactor.text(name) }),
    body: cleanBody(media.body, redactor),
  };
}

async function* cleanBody(body: AsyncIterable<Uint8Array>, redactor: Redactor): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw redactor.error(cause);
  }
}
