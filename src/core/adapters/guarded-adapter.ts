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
import { widerCell } from '../../contract/validation/narrowing.js';
import { checkedEvents } from './checked-events.js';
import type { HookRunner } from './hook-runner.js';
import type { Redactor } from './redactor.js';

/** Time that a call has to end after its signal was aborted. After that it counts as hung. */
const ABORTED_MS = 2_000;
const MAX_DEGRADATION_LENGTH = 100;
const MAX_ERROR_BODY_LENGTH = 65_536;

/**
 * Wraps an adapter at the boundary of the bridge. Every hook is traced and limited, and secrets of the connection are
 * removed from every string that the adapter returns. Ids and text written by people are passed on unchanged.
 */
export function guardAdapter(
  adapter: Adapter,
  runner: HookRunner,
  redactor: Redactor,
  declared: Capabilities,
): Adapter {
  return {
    identify: () => runner.whole('identify', async () => redactor.identity(await adapter.identify())),
    start: () => runner.whole('start', async () => adapter.start()),
    stop: () => runner.async('stop', async () => adapter.stop()),
    decode: (envelope) =>
      runner.sync('decode', () =>
        checkedEvents(envelope, adapter.decode(envelope)).map((event) => cleanEvent(event, redactor)),
      ),
    capabilities: narrowed(adapter, runner, declared),
    plan: (operation, capabilities) =>
      runner.sync('plan', () => cleanPlan(adapter.plan(operation, capabilities), redactor)),
    execute: (step, context) => execute(adapter, runner, redactor, step, context),
    ...optionalHooks(adapter, runner, redactor),
  };
}

/** The hooks that an adapter may leave out. */
function optionalHooks(adapter: Adapter, runner: HookRunner, redactor: Redactor): Partial<Adapter> {
  const { checkIngress, handle, rate, lookup, openDirect, findChat, writesToAddress, openMedia } = adapter;
  return {
    ...(checkIngress === undefined
      ? {}
      : { checkIngress: () => runner.whole('checkIngress', async () => checkIngress.call(adapter)) }),
    ...(handle === undefined
      ? {}
      : {
          handle: (request) =>
            runner.async('handle', async () => cleanAnswer(await handle.call(adapter, request), redactor)),
        }),
    ...(rate === undefined
      ? {}
      : { rate: (step, to) => runner.sync('rate', () => rate.call(adapter, step, to)) }),
    ...(lookup === undefined
      ? {}
      : { lookup: (query) => runner.async('lookup', async () => lookup.call(adapter, query)) }),
    ...(openDirect === undefined
      ? {}
      : {
          openDirect: (address) => runner.async('openDirect', async () => openDirect.call(adapter, address)),
        }),
    ...(findChat === undefined
      ? {}
      : {
          findChat: async (chatId) =>
            redactor.chat(await runner.async('findChat', async () => findChat.call(adapter, chatId))),
        }),
    ...(writesToAddress === undefined
      ? {}
      : {
          writesToAddress: (step, address) =>
            runner.sync('writesToAddress', () => writesToAddress.call(adapter, step, address)),
        }),
    ...(openMedia === undefined
      ? {}
      : {
          openMedia: async (ref, signal) =>
            cleanMedia(
              await runner.async('openMedia', async () => openMedia.call(adapter, ref, signal)),
              redactor,
            ),
        }),
  };
}

/**
 * The capabilities of an adapter on its connection, which never exceed its definition. If the adapter cannot determine
 * them or returns invalid ones, the capabilities of the definition apply.
 */
function narrowed(adapter: Adapter, runner: HookRunner, declared: Capabilities): Adapter['capabilities'] {
  const checked = new WeakSet<Capabilities>([declared]);
  return (chatId) => {
    try {
      return runner.sync('capabilities', () => {
        const claimed = adapter.capabilities(chatId) ?? declared;
        if (checked.has(claimed)) return claimed;
        const cell = widerCell(claimed, declared);
        if (cell !== undefined) throw new TypeError(`Its ${cell} is wrong, or wider than in its definition.`);
        checked.add(claimed);
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
    const receipt = await runner.async('execute', async () => adapter.execute(step, context));
    const { degradations } = receipt;
    return degradations === undefined ? receipt : { ...receipt, degradations: words(degradations, redactor) };
  } finally {
    signal.removeEventListener('abort', watch);
    clearTimeout(timer);
  }
}

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
  return names.map((name) => redactor.text(String(name), MAX_DEGRADATION_LENGTH) as Degradation);
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
 * A successful response goes from the adapter to its platform, which may require a secret in it. An error response may
 * be read by any client.
 */
async function cleanAnswer(response: Response, redactor: Redactor): Promise<Response> {
  if (response.status < 400 || response.body === null) return response;
  const text = redactor.text(await response.text(), MAX_ERROR_BODY_LENGTH);
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(text, { status: response.status, headers });
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
