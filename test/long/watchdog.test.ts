import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it, type TestContext } from 'vitest';
import { generateApiKey } from '../../src/core/access/api-key-format.js';
import { ApiClient, eventually, type Json } from '../support/api-client.js';
import { plainPlatform } from '../support/packaged-platform.js';
import { testDatabase } from '../support/postgres.js';
import { OWNER_EMAIL, OWNER_PASSWORD, startProgram } from '../support/service-process.js';

/** The tests run concurrently, and each starts the service up to six times. */
const LIMIT_MS = 600_000;
const PLATFORM = 'wrecker';

const { key } = generateApiKey('live');

/** A service whose process may end at any time. */
class Program {
  readonly lines: Json[] = [];
  readonly exited: Promise<number | null>;
  #child: ReturnType<typeof startProgram>['child'];
  #wake: () => void = () => undefined;

  constructor(folder: string, databaseUrl: string, env: Readonly<Record<string, string>>) {
    const { PATH, HOME } = process.env;
    const { child, exited } = startProgram({
      PATH,
      HOME,
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: databaseUrl,
      PORT: '0',
      DRAIN_NOTICE_SECONDS: '0',
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      TRUNKLINE_BOOTSTRAP_EMAIL: OWNER_EMAIL,
      TRUNKLINE_BOOTSTRAP_PASSWORD: OWNER_PASSWORD,
      TRUNKLINE_BOOTSTRAP_API_KEY: key,
      ...env,
    });
    this.#child = child;
    this.exited = exited.finally(() => this.#wake());
    if (child.stdout === null) throw new Error('The output of the service is not piped.');
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(JSON.parse(line) as Json);
      this.#wake();
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves with the line of this name once it is logged. */
  async line(name: string): Promise<Json> {
    for (;;) {
      const found = this.lines.find(({ msg }) => msg === name);
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        throw new Error(`It ended without ${name}: ${JSON.stringify(this.lines.slice(-4))}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async client(): Promise<ApiClient> {
    const { url } = await this.line('listening');
    return new ApiClient(String(url), key, {});
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}

/** A folder with one adapter and a database for the services of one test. The tests run concurrently. */
async function workshop({ onTestFinished }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'trunkline-watchdog-'));
  const database = await testDatabase();
  const adapter = join(folder, 'wrecker.mjs');
  const running: Program[] = [];
  onTestFinished(async () => {
    for (const program of running) await program.kill();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    /** Replaces the adapter. */
    write: (hooks: string, more: object = {}) =>
      writeFile(adapter, plainPlatform({ platform: PLATFORM, displayName: 'Wrecker', hooks, ...more })),
    start(env: Readonly<Record<string, string>> = {}): Program {
      const program = new Program(folder, database.url, { TRUNKLINE_ADAPTERS: adapter, ...env });
      running.push(program);
      return program;
    },
  };
}

/** Creates a connection of the adapter, which starts at once. Returns its id. */
async function connect(api: ApiClient): Promise<string> {
  const { id } = await api.must<Json>(201, 'POST', `/openapi/platforms/${PLATFORM}/connections`, {
    name: 'Mine',
    credentials: { token: 'a-token-of-mine' },
  });
  return String(id);
}

const connection = (api: ApiClient, id: string) =>
  api.must<Json>(200, 'GET', `/openapi/platforms/connections/${id}`);

describe.concurrent('an adapter that ends the service', () => {
  it(
    'by process.exit is reported, disabled after three exits as its health shows, and started again by a reconnect',
    async (test) => {
      const { write, start } = await workshop(test);
      await write('start: async () => { process.exit(7); },');
      const first = start();
      const id = await connect(await first.client());
      const ended = { msg: 'adapter.ended_process', adapter: PLATFORM, hook: 'start', connection_id: id };
      expect(await first.exited).toBe(7);
      expect(first.lines.at(-1)).toMatchObject(ended);
      expect(await start().exited).toBe(7);
      expect(await start().exited).toBe(7);

      const held = start();
      const api = await held.client();
      expect(await held.line('adapter.held_back')).toMatchObject({
        adapter: PLATFORM,
        reason: expect.stringContaining('hook start'),
      });
      const { health } = await eventually(
        () => connection(api, id),
        ({ status }) => status === 'degraded',
      );
      expect(health).toMatchObject({
        code: 'misconfigured',
        message: `The adapter ${PLATFORM} ended the service 3 times and is not started. The last time, it exited the process in its hook start.`,
        fix: expect.stringContaining('reconnect'),
      });
      const tested = await api.must<Json>(200, 'POST', `/openapi/platforms/connections/${id}/test`);
      expect(tested).toMatchObject({ ok: false, error: { message: expect.stringContaining('3 times') } });
      await held.kill();

      const still = start();
      const client = await still.client();
      await still.line('connection.unserved');
      await client.must(200, 'POST', `/openapi/platforms/connections/${id}/reconnect`);
      expect(await still.exited).toBe(7);
      expect(still.lines.map(({ msg }) => msg)).toContain('adapter.released');
    },
    LIMIT_MS,
  );

  it.for([
    { how: 'aborts it', code: 'process.abort()' },
    { how: 'kills it', code: "process.kill(process.pid, 'SIGKILL')" },
  ])(
    'because it $how is reported, and disabled after three ends',
    { timeout: LIMIT_MS },
    async ({ code }, test) => {
      const { write, start } = await workshop(test);
      await write(`start: async () => { ${code}; },`);
      const first = start();
      const id = await connect(await first.client());
      await first.exited;
      const ended = { msg: 'adapter.ended_process', adapter: PLATFORM, hook: 'start', connection_id: id };
      expect(first.lines.at(-1)).toMatchObject(ended);
      for (let time = 2; time <= 3; time += 1) await start().exited;
      expect(await start().line('adapter.held_back')).toMatchObject({ adapter: PLATFORM });
    },
  );

  it(
    'by an endless decode is reported while it blocks, and disabled after three starts',
    async (test) => {
      const { write, start } = await workshop(test);
      await write(`
      start: async () => { void host.receive({ dedupeKey: 'k', lane: 'l', payload: null }); },
      decode: () => { for (;;); },
    `);
      const first = start();
      const id = await connect(await first.client());
      const named = { adapter: PLATFORM, hook: 'decode', connection_id: id };
      const process = { pid: first.pid, host: hostname(), role: 'api,worker,gateway' };
      expect(await first.line('adapter.blocks_process')).toMatchObject({ ...named, ...process });
      await first.kill();
      for (let time = 2; time <= 3; time += 1) {
        const again = start();
        expect(await again.line('adapter.blocks_process')).toMatchObject(named);
        await again.kill();
      }
      const held = start();
      const api = await held.client();
      const { health } = await eventually(
        () => connection(api, id),
        ({ status }) => status === 'degraded',
      );
      expect(health).toMatchObject({
        message: expect.stringContaining('The last time, it blocked the process in its hook decode'),
      });
    },
    LIMIT_MS,
  );

  it(
    'by an endless loop in its timer is identified by its running code, and the process is ended',
    async (test) => {
      const { write, start } = await workshop(test);
      await write('start: async () => { setTimeout(() => { for (;;); }, 10); },');
      const program = start();
      await connect(await program.client());
      expect(await program.line('adapter.blocks_process')).toMatchObject({ adapter: PLATFORM });
      await program.exited;
      expect(program.lines.at(-1)).toMatchObject({ msg: 'adapter.ended_process', adapter: PLATFORM });
    },
    LIMIT_MS,
  );

  it(
    'while its package is loaded is not loaded again after three exits, until the package changes',
    async (test) => {
      const { write, start } = await workshop(test);
      await write('', { whenLoaded: 'process.exit(9);' });
      for (let time = 1; time <= 3; time += 1) expect(await start().exited).toBe(9);
      const held = start();
      await held.line('listening');
      expect(await held.line('adapter.refused')).toMatchObject({
        reason: expect.stringContaining('ended the service 3 times'),
      });
      await held.kill();
      await write('', { whenLoaded: '// Repaired.' });
      const repaired = start();
      const api = await repaired.client();
      await api.must(200, 'GET', `/openapi/platforms/${PLATFORM}`);
    },
    LIMIT_MS,
  );

  it(
    'by filling its memory is reported before the memory is exhausted',
    async (test) => {
      const { write, start } = await workshop(test);
      await write(`
      start: async () => {
        const kept = [];
        setInterval(() => { for (let i = 0; i < 2_000; i += 1) kept.push({ i, text: 'x' + i, list: [i, i, i] }); }, 20);
      },
    `);
      const program = start({ NODE_OPTIONS: '--max-old-space-size=256' });
      await connect(await program.client());
      expect(await program.line('adapter.exhausts_memory')).toMatchObject({ adapter: PLATFORM });
    },
    LIMIT_MS,
  );
});

describe.concurrent('an adapter that throws or hangs', () => {
  it(
    'in create, identify or validate is named in the responses of the test and of the change instead of a bare 500',
    async (test) => {
      const { write, start } = await workshop(test);
      const throwing = (hook: string) =>
        `${hook}: async () => { throw new Error('a-token-of-mine is broken'); },`;
      await write(throwing('identify'));
      const program = start();
      const api = await program.client();
      const id = await connect(api);
      const tested = await api.must<Json>(200, 'POST', `/openapi/platforms/connections/${id}/test`);
      const message = `The adapter ${PLATFORM} failed in its hook identify: *** is broken`;
      expect(tested).toMatchObject({
        ok: false,
        checks: [{ name: 'adapter', ok: false, message }],
        error: { code: 'provider_error', message, permanent: true },
      });
      const { health } = await eventually(
        () => connection(api, id),
        ({ status }) => status === 'degraded',
      );
      expect(health).toMatchObject({ code: 'misconfigured', message });
      await program.kill();

      const definition = `
      validate: () => { throw new Error('no rule for a-token-of-mine'); },
      create: async () => { throw new Error('not made'); },
    `;
      await write('', { definition });
      const second = start();
      const other = await second.client();
      const refused = await other.post(`/openapi/platforms/${PLATFORM}/connections`, {
        name: 'Other',
        credentials: { token: 'a-token-of-mine' },
      });
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).toContain(
        `The adapter ${PLATFORM} failed in its hook validate: no rule for ***`,
      );
      const made = await other.must<Json>(200, 'POST', `/openapi/platforms/connections/${id}/test`);
      expect(made).toMatchObject({
        ok: false,
        checks: [{ name: 'adapter', message: expect.stringContaining('hook create: not made') }],
      });
      const hook = await fetch(`${(await second.line('listening')).url}/hooks/${PLATFORM}/${id}`, {
        method: 'POST',
      });
      expect(hook.status).toBe(503);
    },
    LIMIT_MS,
  );

  it(
    'in identify and never returns is reported by the test, which names the hook',
    async (test) => {
      const { write, start } = await workshop(test);
      await write('identify: () => new Promise(() => undefined),');
      const program = start();
      const api = await program.client();
      const id = await connect(api);
      const tested = await api.must<Json>(200, 'POST', `/openapi/platforms/connections/${id}/test`);
      expect(tested).toMatchObject({
        ok: false,
        checks: [{ name: 'reachable', ok: false, message: expect.stringContaining('in its hook identify') }],
      });
      const { health } = await eventually(
        () => connection(api, id),
        ({ status }) => status === 'degraded',
      );
      expect(health).toMatchObject({
        code: 'transient',
        message: expect.stringContaining('in its hook identify'),
      });
    },
    LIMIT_MS,
  );
});
