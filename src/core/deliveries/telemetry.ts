import type { AttemptOutcome, DeliveryTask } from './task.js';

/** A request under way, for those who follow it to what it leads to. */
export interface RequestTrace {
  /** Remembers the request as where the making of this record belongs. Before it is made, so that workers find it. */
  keepFor(resourceId: string, workspaceId: string): Promise<void>;
}

/** A request that was answered. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of the path, never the path: those who count must not keep what others write. */
  readonly route: string;
  readonly status: number;
  /** Absent for answers that go on as long as their reader likes. */
  readonly seconds: number | undefined;
  readonly trace: RequestTrace | undefined;
}

/** One try at a platform, and what became of it. */
export interface FinishedAttempt {
  readonly platform: string;
  readonly operation: DeliveryTask['operation'];
  readonly outcome: AttemptOutcome;
  readonly messageId: string;
  readonly deliveryId: string;
  /** Unix milliseconds: when it was taken up, when the platform was asked, when what became of it was committed. */
  readonly claimedAt: number;
  readonly startedAt: number;
  readonly recordedAt: number;
  /** What the platform took. */
  readonly seconds: number;
  /** From the acceptance of a message until the platform had it. */
  readonly sinceAcceptedSeconds: number | undefined;
}

/** One try of a webhook delivery. */
export interface TriedWebhook {
  /** `succeeded`, or the problem by the name it has in the attempts of a delivery. */
  readonly outcome: string;
  readonly seconds: number;
  /** From the event's commit until the receiver's answer; only of first tries that succeeded. */
  readonly sinceCommittedSeconds: number | undefined;
}

/** An event of a platform that arrived. */
export interface ArrivedEnvelope {
  readonly platform: string;
  readonly outcome: 'stored' | 'repeated' | 'refused';
}

/** What those who operate the service want to know. Nothing is decided by it, and telling it never fails. */
export interface Telemetry {
  /** `traceparent` is the header of that name. Undefined: this request is not traced. */
  requestBegan(method: string, traceparent: string | undefined): RequestTrace | undefined;
  requestAnswered(request: AnsweredRequest): void;
  attemptFinished(attempt: FinishedAttempt): void;
  webhookTried(tried: TriedWebhook): void;
  envelopeArrived(envelope: ArrivedEnvelope): void;
}

/** For a service without telemetry. */
export const noopTelemetry: Telemetry = {
  requestBegan: () => undefined,
  requestAnswered: () => undefined,
  attemptFinished: () => undefined,
  webhookTried: () => undefined,
  envelopeArrived: () => undefined,
};
