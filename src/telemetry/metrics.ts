import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import {
  type AnsweredRequest,
  type ArrivedEnvelope,
  type FinishedAttempt,
  noopTelemetry,
  type Telemetry,
  type TriedWebhook,
} from '../core/deliveries/telemetry.js';

const QUICK = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Buckets of long waits. A message may wait until its retries end. */
const PATIENT = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/** The metrics of this process in Prometheus format. Every label has a bounded set of values. */
export class Metrics implements Telemetry {
  readonly registry = new Registry();
  readonly requestBegan = noopTelemetry.requestBegan;
  readonly #requests = this.#counter('http_requests_total', 'Requests answered.', [
    'method',
    'route',
    'status',
  ]);
  readonly #requestSeconds = this.#histogram(
    'http_request_seconds',
    'From the head of a request to the end of its answer; event streams are left out.',
    ['method', 'route'],
    QUICK,
  );
  readonly #attempts = this.#counter(
    'delivery_attempts_total',
    'Tries at platforms, by what became of them.',
    ['platform', 'operation', 'outcome'],
  );
  readonly #attemptSeconds = this.#histogram(
    'delivery_attempt_seconds',
    'What platforms took for a try.',
    ['platform'],
    QUICK,
  );
  readonly #acceptedToSent = this.#histogram(
    'delivery_accepted_to_sent_seconds',
    'From the acceptance of a message until the platform had it.',
    ['platform'],
    PATIENT,
  );
  readonly #webhookTries = this.#counter('webhook_tries_total', 'Tries of webhook deliveries, by outcome.', [
    'outcome',
  ]);
  readonly #webhookSeconds = this.#histogram(
    'webhook_try_seconds',
    'What receivers of webhooks took for a try.',
    [],
    QUICK,
  );
  readonly #committedToReceived = this.#histogram(
    'webhook_committed_to_received_seconds',
    "From an event's commit to its receiver's answer, where the first try succeeded.",
    [],
    QUICK,
  );
  readonly #inbound = this.#counter('inbound_events_total', 'Events of platforms that arrived.', [
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
