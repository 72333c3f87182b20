import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startElsewhere } from '../fuzz/elsewhere.js';
import { startPostgres } from '../fuzz/postgres.js';
import { Caller, makeRecords, translated } from '../fuzz/stage.js';
import { startVictim } from '../fuzz/victim.js';
import { type Description, forSpecmatic } from './examples.js';

/** Per operation. All combinations of optional fields and headers would be thousands. */
const COMBINATIONS = 4;

export interface SpecmaticOptions {
  /** The path of the jar. */
  readonly jar: string;
  readonly version: '1.0' | '2.0';
  /** Also sends requests that violate the description. */
  readonly generative: boolean;
  /** A filter of specmatic; see its documentation. */
  readonly filter: string | undefined;
}

/** Runs specmatic against a service and its own description. Resolves with specmatic's exit code. */
export async function run({ jar, version, generative, filter }: SpecmaticOptions): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-specmatic-'));
  const elsewhere = await startElsewhere(1);
  const postgres = await startPostgres('specmatic');
  const service = await startVictim({
    DATABASE_URL: postgres.url,
    TV_SOURCES: `${elsewhere.url}/guides/good`,
    TRANSLATE_URL: elsewhere.url,
  });
  try {
    const api = new Caller(service.url, { 'x-api-key': service.key });
    const records = await makeRecords(api, false, elsewhere.url, 1);
    const description = await api.call<Description>('GET', `/openapi.json?version=${version}`);
    const text = JSON.stringify(forSpecmatic(description));
    await writeFile(join(folder, 'openapi.json'), translated(text, records, elsewhere.url));
    await writeFile(join(folder, 'specmatic.json'), JSON.stringify(configuration(service.key, generative)));
    const base = `${service.url}/v${version[0]}`;
    const args = [
      'test',
      `--testBaseURL=${base}`,
      '--timeout-in-ms=10000',
      ...(filter ? [`--filter=${filter}`] : []),
    ];
    const child = spawn('java', ['-jar', jar, ...args], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    process.once('exit', () => child.kill());
    const [code] = await once(child, 'close');
    return code as number;
  } finally {
    await service.stop();
    await postgres.stop();
    await elsewhere.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function configuration(key: string, generative: boolean): object {
  return {
    version: 2,
    contracts: [{ filesystem: { directory: '.' }, provides: ['openapi.json'] }],
    test: {
      resiliencyTests: { enable: generative ? 'all' : 'none' },
      maxTestRequestCombinations: COMBINATIONS,
      timeoutInMilliseconds: 10_000,
    },
    security: { OpenAPI: { securitySchemes: { apiKey: { type: 'apiKey', value: key } } } },
  };
}
