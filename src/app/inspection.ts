import type { Config } from '../config.js';
import { challengeHeader, type Forwarding, InstallationProof } from '../core/common/installation-proof.js';
import { OutgoingError, type OutgoingProblem } from '../core/common/outgoing.js';
import { createGuard } from '../outgoing/guard.js';
import { inspectRedis, type RedisFacts } from '../queue/inspect-redis.js';
import { QUEUE_LISTENERS } from '../queue/postgres-backend.js';
import { maxConnections } from '../store/connection/database.js';
import { createLog } from './log.js';

/** The result of a request to PUBLIC_URL. */
export type Reached =
  | { readonly problem: OutgoingProblem }
  | { readonly status: number; readonly forwarding: Forwarding | undefined };

const LIMIT_MS = 8_000;
/** Private networks are allowed, because the operator configured this one address. */
const EVERYWHERE = ['0.0.0.0/0', '::/0'];

/**
 * Requests `/healthz` at the public address and verifies that this installation responded. The proof uses the master key.
 * During a rotation, a process may still use the former key.
 */
export async function reachPublicUrl(publicUrl: string, masterKeys: readonly Buffer[]): Promise<Reached> {
  const [masterKey, ...others] = masterKeys;
  const reached = await reachWith(publicUrl, masterKey);
  const isUnknown = 'status' in reached && reached.forwarding === undefined;
  return isUnknown && others.length > 0 ? reachPublicUrl(publicUrl, others) : reached;
}

async function reachWith(publicUrl: string, masterKey: Buffer | undefined): Promise<Reached> {
  const guard = createGuard({
    allowPrivateTargets: EVERYWHERE,
    ownAddress: () => undefined,
    totalTimeoutMs: LIMIT_MS,
  });
  const proof = masterKey && new InstallationProof(masterKey);
  const challenge = proof?.challenge() ?? '';
  try {
    const headers = { [challengeHeader]: challenge, accept: 'application/json' };
    const { status, body } = await guard.request({ url: `${publicUrl}/healthz`, method: 'GET', headers });
    return { status, forwarding: proof?.verify(challenge, installationIn(body)) };
  } catch (error) {
    if (error instanceof OutgoingError) return { problem: error.problem };
    throw error;
  } finally {
    await guard.close();
  }
}

function installationIn(body: Uint8Array): unknown {
  try {
    return (JSON.parse(Buffer.from(body).toString('utf8')) as { installation?: unknown } | null)
      ?.installation;
  } catch {
    // The response is not from the service.
    return undefined;
  }
}

/** Reads facts about the Redis server. Raises QueueUnreachableError. */
export function redisFacts(redisUrl: string): Promise<RedisFacts> {
  return inspectRedis(redisUrl, createLog('error', { write: () => undefined }));
}

/** Maximum number of database connections of one process. */
export function connectionsOfProcess({ redisUrl }: Config): number {
  return maxConnections(redisUrl === undefined ? QUEUE_LISTENERS : undefined);
}
