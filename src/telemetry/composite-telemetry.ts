import type {
  AnsweredRequest,
  ArrivedEnvelope,
  FinishedAttempt,
  RequestTrace,
  Telemetry,
  TriedWebhook,
} from '../core/deliveries/telemetry.js';

/** Passes each report to several receivers. */
export class CompositeTelemetry implements Telemetry {
  constructor(private readonly watchers: readonly Telemetry[]) {}

  requestBegan(method: string, traceparent: string | undefined): RequestTrace | undefined {
    for (const each of this.watchers) {
      const begun = each.requestBegan(method, traceparent);
      if (begun !== undefined) return begun;
    }
    return undefined;
  }

  requestAnswered(request: AnsweredRequest): void {
    for (const each of this.watchers) each.requestAnswered(request);
  }

  attemptFinished(attempt: FinishedAttempt): void {
    for (const each of this.watchers) each.attemptFinished(attempt);
  }

  webhookTried(tried: TriedWebhook): void {
    for (const each of this.watchers) each.webhookTried(tried);
  }

  envelopeArrived(envelope: ArrivedEnvelope): void {
    for (const each of this.watchers) each.envelopeArrived(envelope);
  }
}
