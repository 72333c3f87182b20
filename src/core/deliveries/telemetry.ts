import type { AttemptOutcome, DeliveryTask } from './task.js';

/** A traced request in progress. */
export interface RequestTrace {
  /**
   * Links the record to be created with the trace of this request. Call it before the record is created, so that
   * workers find the trace.
   */
  keepFor(resourceId: string, workspaceId: string): Promise<void>;
}

/** A request with a response. */
export interface AnsweredRequest {
  readonly method: string;
  /** The route pattern, never the path, because metrics must not contain user data. */
  readonly route: string;
  readonly status: number;
  /** Absent for streamed responses, whose duration depends on the client. */
  readonly seconds: number | undefined;
  readonly trace: RequestTrace | undefined;
}

/** One attempt at a platform and its outcome. */
export interface FinishedAttempt {
  readonly platform: string;
  readonly operation: DeliveryTask['operation'];
  readonly outcome: AttemptOutcome;
  readonly messageId: string;
  readonly deliveryId: string;
  /**
   * Unix milliseconds: `claimedAt` of the lease, `startedAt` of the platform call, `recordedAt` of the commit of the
   * result.
   */
  readonly claimedAt: number;
  readonly startedAt: number;
  readonly recordedAt: number;
  /** Duration of the platform calls. */
  readonly seconds: number;
  /** Time from the acceptance of a message until the platform received it. */
  readonly sinceAcceptedSeconds: number | undefined;
}

/** One attempt of a webhook delivery. */
export interface TriedWebhook {
  /** `succeeded`, or the problem under its name in the attempts of a delivery. */
  readonly outcome: string;
  readonly seconds: number;
  /** Time from the commit of the event until the response of the receiver. Only for first attempts that succeeded. */
  readonly sinceCommittedSeconds: number | undefined;
}

/** An event received from a platform. */
export interface ArrivedEnvelope {
  readonly platform: string;
  readonly outcome: 'stored' | 'repeated' | 'refused';
}

/** Metrics and traces for operators. No behavior depends on them, and the methods never throw. */
export interface Telemetry {
  /** `traceparent` is the header of that name. Undefined: this request is not traced. */
  requestBegan(method: string, traceparent: string | undefined): RequestTrace | undefined;
  requestAnswered(request: AnsweredRequest): void;
  attemptFinished(attempt: FinishedAttempt): void;
  webhookTried(tried: TriedWebhook): void;
  envelopeArrived(envelope: ArrivedEnvelope): void;
}

/** For a process without telemetry. */
export const noopTelemetry: Telemetry = {
  requestBegan: () => undefined,
  requestAnswered: () => undefined,
  attemptFinished: () => undefined,
  webhookTried: () => undefined,
  envelopeArrived: () => undefined,
};
