import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../core/common/log.js';
import type { TraceStore } from '../core/common/traces.js';
import {
  type AnsweredRequest,
  type FinishedAttempt,
  noopTelemetry,
  type RequestTrace,
  type Telemetry,
} from '../core/deliveries/telemetry.js';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
const ALL_ZERO = /^0+$/;
const FLUSH_EVERY_MS = 1_000;
/** Time limit of sending the last spans. The exporter itself waits for ten seconds. */
const LAST_MS = 2_000;

/** Which traces are kept, in OpenTelemetry's terms. `ratio` applies to `traceidratio`. */
export interface TraceSampling {
  readonly sampler: `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`;
  readonly ratio: number;
}

export interface TracesOptions {
  /** Base URL of an OTLP/HTTP receiver. */
  readonly endpoint: string;
  readonly sampling: TraceSampling;
  readonly version: string;
  readonly store: TraceStore;
  readonly log: Log;
}

/** Sends an API request and the deliveries that it caused as one trace to a collector. */
export class Traces implements Telemetry {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly webhookTried = noopTelemetry.webhookTried;
  readonly envelopeArrived = noopTelemetry.envelopeArrived;

  constructor(private readonly options: TracesOptions) {
    const exporter = new OTLPTraceExporter({ url: `${options.endpoint}/v1/traces` });
    this.#provider = new TracerProvider({
      sampler: samplerOf(options.sampling),
      resource: resourceFromAttributes({ 'service.name': 'trunkline', 'service.version': options.version }),
      spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: FLUSH_EVERY_MS })],
    });
    this.#tracer = this.#provider.getTracer('trunkline', options.version);
  }

  requestBegan(method: string, traceparent: string | undefined): RequestTrace {
    const parent = contextOf(traceparent);
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER }, parent);
    return new StartedRequest(span, this.options);
  }

  requestAnswered({ method, route, status, trace: started }: AnsweredRequest): void {
    if (!(started instanceof StartedRequest)) return;
    const { span } = started;
    span.updateName(`${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    });
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  attemptFinished(attempt: FinishedAttempt): void {
    this.#traceAttempt(attempt).catch((err: unknown) =>
      this.options.log.debug({ err, delivery_id: attempt.deliveryId }, 'trace.lost'),
    );
  }

  /** Sends the remaining spans. A time limit keeps a slow collector from delaying the end of the process. */
  async stop(): Promise<void> {
    const limit = new AbortController();
    const sent = this.#provider
      .shutdown()
      .catch((err: unknown) => this.options.log.debug({ err }, 'trace.lost'));
    await Promise.race([sent, sleep(LAST_MS, undefined, { signal: limit.signal }).catch(() => undefined)]);
    limit.abort();
  }

  /** Records a span of the job, from the claim of the delivery to its record, and a span of the platform call. */
  async #traceAttempt(attempt: FinishedAttempt): Promise<void> {
    const { platform, operation, outcome, messageId, deliveryId, startedAt, seconds, claimedAt } = attempt;
    const parent = contextOf(await this.options.store.find(messageId));
    const attributes = {
      'trunkline.platform': platform,
      'trunkline.operation': operation,
      'trunkline.outcome': outcome,
      'trunkline.message_id': messageId,
      'trunkline.delivery_id': deliveryId,
    };
    const job = this.#tracer.startSpan(
      'deliver',
      { kind: SpanKind.CONSUMER, startTime: claimedAt, attributes },
      parent,
    );
    const call = this.#tracer.startSpan(
      `${platform} ${operation}`,
      { kind: SpanKind.CLIENT, startTime: startedAt, attributes },
      trace.setSpan(parent, job),
    );
    if (outcome !== 'sent' && outcome !== 'waiting') call.setStatus({ code: SpanStatusCode.ERROR });
    call.end(startedAt + seconds * 1_000);
    job.end(attempt.recordedAt);
  }
}

/** Creates the sampler. The library reads the environment variables of the exporter, but not those of the sampler. */
function samplerOf({ sampler, ratio }: TraceSampling): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  switch (sampler) {
    case 'parentbased_always_on':
    case 'parentbased_always_off':
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({
        root: roots[sampler.slice('parentbased_'.length) as keyof typeof roots](),
      });
    default:
      return roots[sampler]();
  }
}

/** A span that has started and not ended. */
class StartedRequest implements RequestTrace {
  constructor(
    readonly span: Span,
    private readonly options: Pick<TracesOptions, 'store' | 'log'>,
  ) {}

  async keepFor(resourceId: string, workspaceId: string): Promise<void> {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    if (!this.span.isRecording()) return;
    const flags = traceFlags.toString(16).padStart(2, '0');
    this.span.setAttribute('trunkline.resource_id', resourceId);
    await this.options.store
      .keep(resourceId, workspaceId, `00-${traceId}-${spanId}-${flags}`)
      .catch((err: unknown) => this.options.log.debug({ err }, 'trace.lost'));
  }
}

/** The parent context of a `traceparent` value. A missing or invalid value starts a new trace. */
function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return ROOT_CONTEXT;
  if (ALL_ZERO.test(traceId) || ALL_ZERO.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
