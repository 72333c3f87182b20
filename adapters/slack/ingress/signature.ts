import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Slack's limit against replays, applied in both directions
 * (docs.slack.dev/authentication/verifying-requests-from-slack).
 */
const MAX_SKEW_S = 300;

/** Slack's signature of a raw body and a time in Unix seconds. */
export function signBody(signingSecret: string, timestamp: string, body: Buffer): string {
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return `v0=${digest}`;
}

/** Whether Slack signed the request recently. */
export function isAuthentic(signingSecret: string, headers: Headers, body: Buffer, nowMs: number): boolean {
  const timestamp = headers.get('x-slack-request-timestamp') ?? '';
  const signature = headers.get('x-slack-signature') ?? '';
  // With an empty secret anyone could sign.
  if (signingSecret === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > MAX_SKEW_S) return false;
  const expected = Buffer.from(signBody(signingSecret, timestamp, body));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
