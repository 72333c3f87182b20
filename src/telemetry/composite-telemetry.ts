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
  constructor(private readonly receivers: readonly Telemetry[]) {}

  requestBegan(method: string, traceparent: string | undefined): RequestTrace | undefined {
    for (const each of this.receivers) {
      const begun = each.requestBegan(method, traceparent);
      if (begun !== undefined) return begun;
    }
    return undefined;
  }

  requestAnswered(request: AnsweredRequest): void {
    for (const each of this.receivers) each.requestAnswered(request);
  }

  attemptFinished(attempt: FinishedAttempt): void {
    for (const each of this.receivers) each.attemptFinished(attempt);
  }

  webhookTried(tried: TriedWebhook): void {
    for (const each of this.receivers) each.webhookTried(tried);
  }

  envelopeArrived(envelope: ArrivedEnvelope): void {
    for (const each of this.receivers) each.envelopeArrived(envelope);
  }
}
