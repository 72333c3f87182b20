import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config.js';
import { checkDataDir } from './data-dir.js';
import { openForChecks, type Pool } from './database.js';
import { type Finding, problem } from './finding.js';
import { checkSealed, readMasterKey, type SecretBox } from './master-key.js';
import { checkPublicUrl } from './public-url.js';
import { checkRedis } from './redis.js';
import { asJson, asList, exitCodeOf } from './report.js';
import { checkSchema, isReadable } from './schema.js';
import { checkClock, checkConnections, checkServer } from './server.js';
import { checkService } from './service.js';
import { checkBacklog, checkCalls, checkPlatforms, checkWebhooks } from './work.js';

export interface DoctorOptions {
  readonly json?: boolean;
}

/** Time limit of each check, which includes waiting for a server that is starting. */
const LIMIT_MS = 20_000;

/** Checks an installation for common mistakes and changes nothing. Exit code 1 when there is a problem. */
export async function doctorCommand(config: Config, { json = false }: DoctorOptions): Promise<number> {
  const findings = await examine(config);
  const colored = process.stdout.isTTY === true && process.stdout.hasColors();
  process.stdout.write(json ? asJson(findings) : asList(findings, colored));
  return exitCodeOf(findings);
}

async function examine(config: Config): Promise<Finding[]> {
  const key = await bounded('Master key', async () => [await readMasterKey(config)]);
  const [found] = key;
  const box = found !== undefined && 'keys' in found ? found : undefined;
  const alone = [
    ...(await bounded('DATA_DIR', () => checkDataDir(config))),
    ...(box === undefined ? (key as Finding[]) : []),
  ];
  const stored = await examineDatabase(config, box);
  return [
    ...alone,
    ...stored,
    ...(await bounded('Redis', () => checkRedis(config))),
    ...(await bounded('Service', () => checkService(config))),
    ...(await bounded('PUBLIC_URL', () => checkPublicUrl(config, box?.keys ?? []))),
  ];
}

async function examineDatabase(config: Config, box: SecretBox | undefined): Promise<Finding[]> {
  const [opened] = await bounded('PostgreSQL', async () => [await openForChecks(config)]);
  if (opened === undefined) return [];
  if ('level' in opened) return [opened];
  const { pool } = opened;
  try {
    const server = [
      ...(await bounded('PostgreSQL', () => checkServer(pool))),
      ...(await bounded('Connections', () => checkConnections(pool, config))),
      ...(await bounded('Clock', () => checkClock(pool))),
    ];
    const schema = await bounded('Migrations', () => checkSchema(pool));
    // No other rows can be read without the tables.
    return [...server, ...schema, ...(isReadable(schema) ? await examineRows(pool, config, box) : [])];
  } finally {
    // A check that exceeded its limit may still hold a connection.
    await Promise.race([opened.stop(), sleep(LIMIT_MS, undefined, { ref: false })]);
  }
}

async function examineRows(pool: Pool, config: Config, box: SecretBox | undefined): Promise<Finding[]> {
  return [
    ...(box === undefined ? [] : await bounded('Master key', () => checkSealed(pool, box, config))),
    ...(await bounded('Connections to platforms', () => checkPlatforms(pool))),
    ...(await bounded('Queue', () => checkBacklog(pool))),
    ...(await bounded('Webhooks', () => checkWebhooks(pool))),
    ...(await bounded('Calls', () => checkCalls(pool, config))),
  ];
}

/** Runs one check with a time limit. If the check itself fails, that is a finding, and the other checks continue. */
async function bounded<Found>(
  name: string,
  check: () => Promise<readonly Found[]>,
): Promise<readonly (Found | Finding)[]> {
  const late = sleep(LIMIT_MS, undefined, { ref: false }).then(() => [
    problem(
      name,
      `The check took longer than ${LIMIT_MS / 1_000} s.`,
      'Look at the load of this machine and server.',
    ),
  ]);
  try {
    return await Promise.race([check(), late]);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    // Drivers include hosts and statements in their messages, but never passwords.
    return [
      problem(
        name,
        `The check failed: ${code ?? message}`,
        'Repeat the command. If it fails again, report it.',
      ),
    ];
  }
}
