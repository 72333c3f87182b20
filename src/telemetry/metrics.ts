import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import {
  type AnsweredRequest,
  type ArrivedEnvelope,
  type FinishedAttempt,
  noopTelemetry,
  type Telemetry,
  type TriedWebhook,
} from '../core/deliveries/telemetry.js';

const SHORT = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Buckets of long waits. A message may wait until its retries end. */
const LONG = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** The metrics of this process in Prometheus format. Every label has a bounded set of values. */
export class Metrics implements Telemetry {
  readonly registry = new Registry();
  readonly requestBegan = noopTelemetry.requestBegan;
  readonly #requests = this.#counter('http_requests_total', 'HTTP requests with a response.', [
    'method',
    'route',
    'status',
  ]);
  readonly #requestSeconds = this.#histogram(
    'http_request_seconds',
    'Time from the request headers to the end of the response, without event streams.',
    ['method', 'route'],
    SHORT,
  );
  readonly #attempts = this.#counter(
    'delivery_attempts_total',
    'Delivery attempts at platforms, by outcome.',
    ['platform', 'operation', 'outcome'],
  );
  readonly #attemptSeconds = this.#histogram(
    'delivery_attempt_seconds',
    'Duration of the platform calls of an attempt.',
    ['platform'],
    SHORT,
  );
  readonly #acceptedToSent = this.#histogram(
    'delivery_accepted_to_sent_seconds',
    'Time from the acceptance of a message until the platform accepted it.',
    ['platform'],
    LONG,
  );
  readonly #webhookTries = this.#counter('webhook_tries_total', 'Webhook delivery attempts, by outcome.', [
    'outcome',
  ]);
  readonly #webhookSeconds = this.#histogram(
    'webhook_try_seconds',
    'Duration of webhook delivery attempts.',
    [],
    SHORT,
  );
  readonly #committedToReceived = this.#histogram(
    'webhook_committed_to_received_seconds',
    'Time from the commit of an event to the response of the receiver, if the first attempt succeeded.',
    [],
    SHORT,
  );
  readonly #inbound = this.#counter('inbound_events_total', 'Events received from platforms.', [
    'platform',
    'outcome',
  ]);

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  requestAnswered({ method, route, status, seconds }: AnsweredRequest): void {
    this.#requests.inc({ method, route, status });
    if (seconds !== undefined) this.#requestSeconds.observe({ method, route }, seconds);
  }

  attemptFinished(attempt: FinishedAttempt): void {
    const { platform, operation, outcome, seconds, sinceAcceptedSeconds } = attempt;
    this.#attempts.inc({ platform, operation, outcome });
    this.#attemptSeconds.observe({ platform }, seconds);
    if (sinceAcceptedSeconds !== undefined) this.#acceptedToSent.observe({ platform }, sinceAcceptedSeconds);
  }

  webhookTried({ outcome, seconds, sinceCommittedSeconds }: TriedWebhook): void {
    this.#webhookTries.inc({ outcome });
    this.#webhookSeconds.observe(seconds);
    if (sinceCommittedSeconds !== undefined) this.#committedToReceived.observe(sinceCommittedSeconds);
  }

  envelopeArrived({ platform, outcome }: ArrivedEnvelope): void {
    this.#inbound.inc({ platform, outcome });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name: `trunkline_${name}`, help, labelNames, registers: [this.registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({
      name: `trunkline_${name}`,
      help,
      labelNames,
      buckets,
      registers: [this.registry],
    });
  }
}
