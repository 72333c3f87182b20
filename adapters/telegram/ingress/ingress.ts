import type { AdapterHost, HealthReport, PlatformError } from '../../../src/contract/index.js';

/** How updates come in. */
export interface Ingress {
  /** Resolves when updates can arrive. */
  open(): Promise<void>;
  /** Idempotent; resolves when nothing is left running. */
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

/** Tells the host what a failed call of the ingress says about the connection. */
export function reportFailure(host: AdapterHost, error: PlatformError): void {
  const { problem, message, fix } = error;
  host.health({ code: codes[problem.kind], message, ...(fix === undefined ? {} : { fix }) });
}

export const connected: HealthReport = { code: 'ok', message: 'Connected to Telegram.' };
