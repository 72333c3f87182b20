import { actAs } from '../core/access/acting.js';
import { holdsStill, namingScopes, requireAccess, requireWholeWorkspace } from '../core/access/authorize.js';
import { anonymous, type Caller } from '../core/access/caller.js';
import type { FailedAuthentications } from '../core/access/failed-authentications.js';
import { requireInGrant } from '../core/access/grants.js';
import { type RateLimiter, rateLimitExceeded } from '../core/access/rate-limit.js';
import { seeAs } from '../core/access/reading.js';
import { AppError, shuttingDown, unavailable } from '../core/common/errors.js';
import type { Claim, IdempotencyStore, StoredAnswer } from '../core/common/idempotency.js';
import type { Log } from '../core/common/log.js';
import type { RequestTrace } from '../core/deliveries/telemetry.js';
import type { Cursors } from '../core/listing/cursor.js';
import { listEnvelope } from '../core/listing/envelope.js';
import { type ListRequest, readListRequest } from '../core/listing/list-request.js';
import type { ListPage, ListQuery } from '../core/listing/list-spec.js';
import type { WireRecord } from '../core/versions/dialect.js';
import { present } from '../core/versions/present.js';
import { isAudited } from './audited.js';
import type { Endpoint, Mount } from './endpoint.js';
import { type ErrorBody, presentError } from './error-answer.js';
import type { Exchange } from './exchange.js';
import { CallerChanged, identify, requireUnchanged } from './identify.js';
import { type Context, type HandlerResult, type OtherSuccess, TakeOver } from './route.js';
import { idempotencyKey, idempotentRequest, runOnce } from './run-once.js';

/** Services that the checks use. */
export interface PipelineServices {
  readonly rateLimit: RateLimiter;
  readonly failedAuthentications: FailedAuthentications;
  readonly idempotency: IdempotencyStore;
  readonly cursors: Cursors;
  readonly log: Log;
  readonly newId: () => string;
  readonly isDraining: () => boolean;
  /** Compare each record with its schema. Tests use this, because a difference is a defect. */
  readonly checkResponses: boolean;
}

export interface Answer {
  readonly status: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly replayed?: boolean;
  readonly takeOver?: TakeOver;
}

/** A parsed request that is ready for its handler. */
interface Prepared {
  readonly context: Context & { readonly list: ListQuery };
  readonly list: ListRequest | undefined;
}

const NO_LIST: ListQuery = {
  filter: [],
  sort: '',
  order: 'desc',
  limit: 0,
  at: { mode: 'first' },
  count: false,
};

/** Runs the checks on a request, in the order of the contract. The first failure determines the response. */
export class Pipeline {
  constructor(private readonly services: PipelineServices) {}

  async answer(exchange: Exchange, mount: Mount, endpoint: Endpoint | undefined): Promise<Answer> {
    mount.admit?.(exchange.credentials());
    if (endpoint?.route.open === true && endpoint.answers(exchange.target.path)) {
      return this.answerOpenly(exchange, endpoint);
    }
    const caller = await this.authenticate(exchange, mount, endpoint);
    await this.countRequest(exchange, caller);
    exchange.selectVersion();
    return this.answerAs(exchange, mount, endpoint, caller);
  }

  private async answerAs(
    exchange: Exchange,
    mount: Mount,
    endpoint: Endpoint | undefined,
    caller: Caller,
  ): Promise<Answer> {
    try {
      return await seeAs(caller, () => this.answerTo(exchange, endpoint, caller));
    } catch (error) {
      if (!(error instanceof CallerChanged)) throw error;
      return this.answerAs(exchange, mount, endpoint, await this.authenticate(exchange, mount, endpoint));
    }
  }

  private async answerTo(
    exchange: Exchange,
    endpoint: Endpoint | undefined,
    caller: Caller,
  ): Promise<Answer> {
    if (endpoint === undefined || !endpoint.answers(exchange.target.path)) {
      throw new AppError('not_found', 'There is nothing at this path and method.');
    }
    const { scopes, oauth, admits, wholeWorkspace } = endpoint.route;
    requireAccess(caller, typeof scopes === 'function' ? scopes(caller) : scopes, oauth);
    if (wholeWorkspace) requireWholeWorkspace(caller);
    requireInGrant(caller, endpoint.route);
    const sent = () => exchange.json(endpoint.route).catch(() => ({}));
    await admits?.(caller, exchange.request.params as Record<string, string>, sent);
    const key = idempotencyKey(exchange, endpoint.route);
    if (key !== undefined) return this.answerOnce(exchange, endpoint, caller, key);
    return this.answerNow(exchange, endpoint, caller);
  }

  /**
   * Handles a request without credentials. If the credentials in its body are refused, that counts as a failed authentication.
   */
  private async answerOpenly(exchange: Exchange, endpoint: Endpoint): Promise<Answer> {
    exchange.selectVersion();
    try {
      return await this.answerNow(exchange, endpoint, anonymous);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unauthorized') throw error;
      throw this.services.failedAuthentications.refuse(exchange.credentials().address);
    }
  }

  private async answerNow(exchange: Exchange, endpoint: Endpoint, caller: Caller): Promise<Answer> {
    const prepared = await this.prepare(exchange, endpoint, caller, undefined);
    return this.present(
      exchange,
      endpoint,
      prepared.list,
      await this.handle(endpoint, prepared, exchange.trace),
    );
  }

  private async authenticate(
    exchange: Exchange,
    mount: Mount,
    endpoint: Endpoint | undefined,
  ): Promise<Caller> {
    const caller = await identify(exchange, mount, endpoint);
    if (caller === undefined)
      throw this.services.failedAuthentications.refuse(exchange.credentials().address);
    exchange.caller = caller;
    return caller;
  }

  private async countRequest(exchange: Exchange, caller: Caller): Promise<void> {
    const state = await this.services.rateLimit(caller);
    exchange.rate = state;
    if (state.refused) throw rateLimitExceeded(state);
  }

  private async answerOnce(
    exchange: Exchange,
    endpoint: Endpoint,
    caller: Caller,
    key: string,
  ): Promise<Answer> {
    const { idempotency, log } = this.services;
    const request = await idempotentRequest(exchange, endpoint.route, caller, key);
    await requireUnchanged(exchange, endpoint);
    const { answer, replayed } = await runOnce(idempotency, log, request, async (claim) => {
      const prepared = await this.prepare(exchange, endpoint, caller, claim);
      const result = await this.handle(endpoint, prepared, exchange.trace);
      if (result instanceof TakeOver) throw new Error('A POST cannot take its response over.');
      return storable(result);
    });
    if (answer.status >= 400) {
      const body = presentError(answer.body as ErrorBody, exchange.version);
      return { status: answer.status, body, replayed };
    }
    const success: OtherSuccess = {
      status: answer.status as 200,
      record: (answer.body as object | null) ?? undefined,
    };
    return { ...(await this.present(exchange, endpoint, undefined, success)), replayed };
  }

  /** Reads query, body and path, in this order. The path is last, because a wrong id results in 404. */
  private async prepare(
    exchange: Exchange,
    endpoint: Endpoint,
    caller: Caller,
    claim: Claim | undefined,
  ): Promise<Prepared> {
    const { route, validation } = endpoint;
    const { target, version } = exchange;
    exchange.checkHead();
    const query = validation.readQuery(target);
    exchange.expand = validation.readExpand(target, version);
    for (const name of exchange.expand) {
      const access = route.expand?.[name];
      if (access !== undefined) requireAccess(caller, access.scopes, access.oauth);
    }
    const list = route.list && this.readList(exchange, endpoint, caller);
    const { body, form, file } = await this.readContent(exchange, endpoint);
    await requireUnchanged(exchange, endpoint);
    const params = validation.readParams(exchange.request.params);
    if (this.services.isDraining()) throw unavailable(shuttingDown.reason, shuttingDown.message);
    const credentials = exchange.credentials();
    const context = {
      caller,
      params,
      query,
      body,
      form,
      file,
      version,
      requestId: exchange.requestId,
      resourceId: claim?.resourceId ?? this.services.newId(),
      claim,
      expand: exchange.expand,
      path: target.path,
      header: exchange.header,
      address: credentials.address,
      isStillValid: async () => holdsStill(await endpoint.mount.authenticate(credentials), caller),
      list: list?.query ?? NO_LIST,
    };
    return { context, list };
  }

  private async readContent(exchange: Exchange, { route, validation }: Endpoint) {
    const streamed = await exchange.streamedForm(route);
    if (streamed !== undefined) {
      const fields = validation.readForm(streamed);
      const inPlace = route.upload?.fields !== undefined;
      return { body: inPlace ? {} : fields, form: inPlace ? fields : undefined, file: streamed.file };
    }
    const bodied = route.method !== 'GET' && route.method !== 'DELETE';
    const body = bodied ? validation.readBody(await exchange.json(route), exchange.version) : {};
    return { body, form: undefined, file: undefined };
  }

  private readList(exchange: Exchange, endpoint: Endpoint, caller: Caller): ListRequest | undefined {
    const { target, version } = exchange;
    const scope = { workspaceId: caller.workspaceId, path: target.unversionedPath, parameters: target.query };
    const { list } = endpoint.route;
    return list && readListRequest(list, scope, this.services.cursors, version === '2.0');
  }

  private async handle(
    endpoint: Endpoint,
    { context, list }: Prepared,
    trace: RequestTrace | undefined,
  ): Promise<OtherSuccess | TakeOver> {
    if (trace !== undefined && endpoint.route.method === 'POST') {
      await trace.keepFor(context.resourceId, context.caller.workspaceId);
    }
    const { route, validation } = endpoint;
    const work = () => route.handler(context);
    const handled = isAudited(route) ? actAs(context.caller, context.address, work) : work();
    const result = await handled.catch((error: unknown) => {
      throw validation.inVersion(namingScopes(error, context.caller), context.version);
    });
    if (result instanceof TakeOver) return result;
    const { success: status } = endpoint.route;
    if (status === 101)
      throw new Error('This operation has no answer but its handler taking the response over.');
    const success = isOtherSuccess(result) ? result : { status, record: result };
    if (this.services.checkResponses) validation.checkResponse(success.record, list !== undefined);
    return success;
  }

  private async present(
    exchange: Exchange,
    endpoint: Endpoint,
    list: ListRequest | undefined,
    result: OtherSuccess | TakeOver,
  ): Promise<Answer> {
    if (result instanceof TakeOver) return { status: 200, takeOver: result };
    const { status, record, headers } = result;
    if (record === undefined || status === 204) return { status: 204, headers };
    const { version } = exchange;
    const show = (item: object) => present(endpoint.recordType, item as WireRecord, version, exchange.expand);
    if (list !== undefined) {
      const page = record as ListPage<object>;
      const shown = { ...page, items: page.items.map(show) };
      return { status, body: listEnvelope(list, shown, exchange.target.path, this.services.cursors) };
    }
    const { echo } = endpoint.route;
    if (echo === undefined) return { status, headers, body: show(record) };
    const sent = await exchange.sentJson(endpoint.route);
    return { status, body: show(echo(record as Record<string, unknown>, sent)) };
  }
}

function storable({ status, record }: OtherSuccess): StoredAnswer {
  return record === undefined ? { status: 204, body: null } : { status, body: record };
}

function isOtherSuccess(result: HandlerResult): result is OtherSuccess {
  return result !== undefined && 'record' in result && typeof (result as OtherSuccess).status === 'number';
}
