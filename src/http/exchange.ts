import type { FastifyRequest } from 'fastify';
import type { Caller } from '../core/access/caller.js';
import type { RateState } from '../core/access/rate-limit.js';
import type { Credentials, Refusal } from '../core/authentication/authenticate.js';
import { invalidField } from '../core/common/errors.js';
import type { RequestTrace } from '../core/deliveries/telemetry.js';
import { type ApiVersion, selectVersion } from '../core/versions/api-version.js';
import { jsonBytes, parseJsonBody, readBody, requirePlain } from './body.js';
import { clientAddress } from './client-address.js';
import { isMultipart } from './multipart.js';
import { type StreamedForm, streamMultipart } from './multipart-stream.js';
import { headProblem } from './request-head.js';
import { type RequestTarget, readTarget } from './request-target.js';
import type { Route } from './route.js';

const TARGET_BYTES = 8_192;
const HEADER_BYTES = 16_384;
/** Maximum body size of a request without credentials, such as a sign-in. */
const OPEN_BYTES = 16_384;

/** A request that passes through the checks, with their results. */
export class Exchange {
  readonly target: RequestTarget;
  version: ApiVersion = '1.0';
  caller: Caller | undefined;
  /** The reason why the credentials were refused. It is only logged, because the response is the same for every reason. */
  refusal: Refusal | undefined;
  /** Set while the request is traced. */
  trace: RequestTrace | undefined;
  rate: RateState | undefined;
  expand: ReadonlySet<string> = new Set();
  private raw: Promise<Buffer> | undefined;
  private object: Record<string, unknown> | undefined;
  private streamed: StreamedForm | undefined;
  private waited = false;

  constructor(readonly request: FastifyRequest) {
    this.target = readTarget(request.raw.url ?? '/');
  }

  get requestId(): string {
    return this.request.id;
  }

  readonly header = (name: string): string | undefined => {
    const value = this.request.raw.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  };

  credentials(): Credentials {
    return {
      apiKey: this.header('x-api-key'),
      authorization: this.header('authorization'),
      address: clientAddress(this.request),
      method: this.request.raw.method ?? 'GET',
      header: this.header,
      onRefused: (refusal) => {
        this.refusal = refusal;
      },
    };
  }

  /** Throws `invalid_request` when a selector names an unknown version. */
  selectVersion(): void {
    this.version = selectVersion({
      path: this.target.versionSegment,
      query: this.target.versions,
      apiVersionHeader: this.header('x-api-version'),
      acceptVersionHeader: this.acceptVersion(),
    });
  }

  /** Throws `invalid_request` when path or headers are too large, or when a header that HTTP requires is missing. */
  checkHead(): void {
    if (this.target.bytes > TARGET_BYTES) {
      throw invalidField('', 'too_long', `Expected a path with query of at most ${TARGET_BYTES} bytes.`);
    }
    const headers = this.request.raw.rawHeaders;
    let bytes = 0;
    for (const part of headers) bytes += part.length + 2;
    if (bytes > HEADER_BYTES) {
      throw invalidField('', 'too_large', `Expected headers of at most ${HEADER_BYTES} bytes.`);
    }
    const problem = headProblem(this.request.raw);
    if (problem !== undefined) throw problem;
  }

  /** The body as sent. It is read only once, even if it is refused, because the rest of a refused body is incomplete. */
  rawBody(route: Route): Promise<Buffer> {
    this.noteWait();
    this.raw ??= readBody(this.request.raw, route.open === true ? OPEN_BYTES : jsonBytes);
    return this.raw;
  }

  /** The parts of a multipart body, with its file on disk. Undefined for a JSON body, and for routes that take no form. */
  async streamedForm(route: Route): Promise<StreamedForm | undefined> {
    if (route.upload === undefined) return undefined;
    const { streamed: wanted, fields } = route.upload;
    const contentType = this.header('content-type');
    if (!isMultipart(contentType)) {
      if (fields !== undefined) return undefined;
      throw invalidField('', 'unsupported', 'Expected Content-Type: multipart/form-data.');
    }
    requirePlain(this.header('content-encoding'));
    this.noteWait();
    this.streamed ??= await streamMultipart(this.request.raw, contentType, wanted);
    return this.streamed;
  }

  /** Whether the body had not arrived when it was needed. The client decides how long that takes. */
  get waitedForBody(): boolean {
    return this.waited;
  }

  private noteWait(): void {
    this.waited ||= !this.request.raw.complete;
  }

  /** Releases the resources of this request, such as an uploaded file. */
  async release(): Promise<void> {
    await this.streamed?.discard();
  }

  /** The body as a JSON object. */
  async json(route: Route): Promise<Record<string, unknown>> {
    const raw = await this.rawBody(route);
    if (raw.length > 0) requirePlain(this.header('content-encoding'));
    this.object ??= parseJsonBody(raw, this.header('content-type'));
    return this.object;
  }

  /**
   * The body as a JSON object, with any Content-Type. The request, or the first request that it repeats, was already accepted.
   */
  async sentJson(route: Route): Promise<Record<string, unknown>> {
    this.object ??= parseJsonBody(await this.rawBody(route), 'application/json');
    return this.object;
  }

  /** Reads the header from the raw headers as well, because the router hides it from requests without a route. */
  private acceptVersion(): string | undefined {
    const value = this.header('accept-version');
    if (value !== undefined) return value;
    const headers = this.request.raw.rawHeaders;
    const found = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'accept-version');
    return found === -1 ? undefined : headers[found + 1];
  }
}
