import type { AdapterHost, HealthReport, PlatformError } from '../../../src/contract/index.js';

/** A way in which updates arrive: polling or webhook. */
export interface Ingress {
  /** Resolves as soon as updates can arrive. */
  open(): Promise<void>;
  /** Idempotent. Resolves when nothing is running any more. */
  close(): Promise<void>;
  handle(request: Request): Promise<Response>;
}

const codes: Readonly<Record<PlatformError['problem']['kind'], HealthReport['code']>> = {
  rate_limited: 'rate_limited',
  unavailable: 'transient',
  rejected: 'misconfigured',
  unauthorized: 'bad_credentials',
  misconfigured: 'misconfigured',
  moved: 'misconfigured',
};

/** Reports a failed ingress call to the host as health of the connection. */
export function reportFailure(host: AdapterHost, error: PlatformError): void {
  const { problem, message, fix } = error;
  host.health({ code: codes[problem.kind], message, ...(fix === undefined ? {} : { fix }) });
}

export const connected: HealthReport = { code: 'ok', message: 'Connected to Telegram.' };
