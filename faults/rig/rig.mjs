import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { generateApiKey } from '../../dist/src/core/access/api-key-format.js';
import { Api } from './api.mjs';
import { Balancer } from './balancer.mjs';
import { Closers } from './closers.mjs';
import { Platform } from './platform.mjs';
import { freePort } from './ports.mjs';
import { Random } from './random.mjs';
import { RedisServer } from './redis.mjs';
import { ServiceProcess } from './service.mjs';
import { TcpGate } from './tcp-gate.mjs';
import { inParallel, sleep, until } from './waiting.mjs';
import { WebhookReceiver } from './webhook-receiver.mjs';
import { Writes } from './writes.mjs';

const CONNECT_LIMIT_MS = 180_000;
const EVERYTHING = { service: 'api,worker,gateway' };

/**
 * The environment of a run: processes of the service, each with its own gate to PostgreSQL, servers, simulated platforms in
 * their own processes, and a webhook receiver.
 */
export class Rig {
  /** By name. */
  processes = {};
  gates = {};
  platforms = {};
  receiver = new WebhookReceiver();
  /** Whether everything has started. */
  isOpen = false;
  /** The writes in progress at the faults. */
  writes = new Writes(this);
  #closers = new Closers();

  constructor({ seed, length, folder, postgres, hasRedis }) {
    this.seed = seed;
    this.length = length;
    this.folder = folder;
    this.postgres = postgres;
    this.hasRedis = hasRedis;
    this.random = new Random(seed);
  }

  /**
   * `processes`: roles by name. `platforms`: options of the simulator and settings of the connection, by name.
   * `queue`: `redis` or `postgres`; by default the seed chooses. `later`: processes that the fault starts itself.
   * `own`: environment variables of single processes, by name. `folders`: the process whose `DATA_DIR` another one uses,
   * by the name of the latter.
   */
  async open({
    processes = EVERYTHING,
    platforms = {},
    queue,
    redis = [],
    env = {},
    own = {},
    events = ['message.created'],
    later = [],
    folders = {},
  }) {
    await mkdir(this.folder, { recursive: true });
    this.queue = queue ?? (this.hasRedis && this.seed % 2 === 0 ? 'redis' : 'postgres');
    await this.#openStores(redis);
    const common = { ...(await this.#environment()), ...env };
    const names = Object.keys(processes);
    for (const name of names) {
      const folder = this.folderOf(folders[name] ?? name);
      await this.#prepareProcess(name, processes[name], { ...common, ...own[name], DATA_DIR: folder });
    }
    this.api = new Api(() => common.PUBLIC_URL, common.TRUNKLINE_BOOTSTRAP_API_KEY);
    const startPlatforms = Object.entries(platforms).map(([name, options]) =>
      this.#startPlatform(name, options),
    );
    await Promise.all([
      ...startPlatforms,
      ...names.filter((name) => !later.includes(name)).map((name) => this.processes[name].start()),
    ]);
    for (const [name, options] of Object.entries(platforms)) await this.#connect(name, options);
    await this.#connected();
    const url = await this.receiver.open();
    this.#closers.add(() => this.receiver.close());
    this.webhook = await this.api.call('POST', '/v1/api/webhooks', { url, events });
    this.isOpen = true;
  }

  async #openStores(redis) {
    this.database = await this.postgres.newDatabase();
    this.pool = new pg.Pool({ ...this.postgres.admin(this.database), max: 4 });
    // Faults stop and kill the server during queries.
    this.pool.on('error', () => undefined);
    this.#closers.add(() => this.postgres.dropDatabase(this.database));
    this.#closers.add(() => this.pool.end());
    if (this.queue !== 'redis') return;
    this.redis = new RedisServer(this.folder, redis);
    await this.redis.start();
    this.#closers.add(() => this.redis.close());
    this.redisGate = new TcpGate({ port: this.redis.port, host: '127.0.0.1' });
    this.redisPort = await this.redisGate.open();
    this.#closers.add(() => this.redisGate.close());
  }

  async #environment() {
    const { PATH, HOME } = process.env;
    this.balancer = new Balancer();
    this.publicPort = await this.balancer.open();
    this.#closers.add(() => this.balancer.close());
    return {
      PATH,
      ...(HOME === undefined ? {} : { HOME }),
      PUBLIC_URL: `http://127.0.0.1:${this.publicPort}`,
      ...(this.redisPort === undefined ? {} : { REDIS_URL: `redis://127.0.0.1:${this.redisPort}` }),
      TRUNKLINE_MASTER_KEY: randomBytes(32).toString('base64'),
      ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
      TRUNKLINE_BOOTSTRAP_EMAIL: 'owner@example.com',
      TRUNKLINE_BOOTSTRAP_PASSWORD: 'only for the fault suite',
      TRUNKLINE_BOOTSTRAP_API_KEY: generateApiKey('live').key,
    };
  }

  /** The `DATA_DIR` of a process. */
  folderOf(name) {
    return join(this.folder, name);
  }

  async #prepareProcess(name, roles, common) {
    const gate = new TcpGate(this.postgres.socket);
    const port = await gate.open();
    this.gates[name] = gate;
    const env = {
      ...common,
      PORT: `${await freePort()}`,
      TRUNKLINE_ROLES: roles,
      DATABASE_URL: `postgres://trunkline@127.0.0.1:${port}/${this.database}`,
    };
    const started = new ServiceProcess({ name, env, folder: this.folder });
    this.processes[name] = started;
    if (roles.includes('api')) this.balancer.targets.push(Number(env.PORT));
    this.#closers.add(() => gate.close());
    this.#closers.add(() => started.close());
  }

  /** `platform` is required if a platform has several connections with different names. */
  async #startPlatform(name, { platform = name, options = {} }) {
    // Keeps the order of the platforms independent of their start times.
    this.platforms[name] = undefined;
    const started = await Platform.start(name, platform, { limits: 'none', ...options });
    this.platforms[name] = started;
    this.#closers.add(() => started.stop());
  }

  async #connect(name, { settings = {}, account: kind }) {
    const platform = this.platforms[name];
    const account = await platform.ask('account', kind);
    const connection = await this.api.call('POST', `/v1/openapi/platforms/${platform.platform}/connections`, {
      name: `Simulated ${name}`,
      credentials: account.credentials,
      settings: { ...account.settings, rate_per_second: 0, ...settings },
    });
    platform.connectionId = connection.id;
    await platform.ask('setWebhook', connection.webhook_url);
  }

  async #connected() {
    const all = async () => {
      const { data } = await this.api.call('GET', '/v1/openapi/platforms/connections?limit=100');
      return data.every(({ status }) => status === 'connected');
    };
    if ((await until(all, CONNECT_LIMIT_MS)) === undefined)
      throw new Error('A connection did not connect in time.');
  }

  /** Creates `each` conversations on every platform, each linked to one chat. */
  async conversations(each) {
    const chats = [];
    for (const platform of Object.values(this.platforms)) {
      const ids = await platform.ask('chats', 0, each);
      for (const chatId of ids) chats.push({ platform, chatId });
    }
    return inParallel(chats, 8, async ({ platform, chatId }, number) => {
      const { id } = await this.api.call('POST', '/v1/openapi/conversations', {
        type: 'group',
        links: [{ connection_id: platform.connectionId, external_id: chatId, attribution: 'none' }],
      });
      return { number, platform, chatId, conversationId: id };
    });
  }

  async query(text, values = []) {
    const { rows } = await this.pool.query(text, values);
    return rows;
  }

  /**
   * Ends the leases of a killed process: lanes, connections and webhook deliveries. Only for short runs, and only if no other
   * process has its roles. The second pass ends leases that the database granted after the kill.
   */
  async lapse(name) {
    if (this.length !== 'short') return;
    const { TRUNKLINE_ROLES: roles } = this.processes[name].env;
    const [{ at }] = await this.query('SELECT clock_timestamp() AS at');
    for (const waitMs of [0, 300]) {
      await sleep(waitMs);
      for (const [table, column, role, span] of LEASES) {
        if (!roles.includes(role)) continue;
        // Only leases granted before this moment. A live process renews its lease for longer.
        await this.query(
          `UPDATE ${table} SET ${column} = now() - interval '1 ms'
           WHERE ${column} > now() AND ${column} <= $1::timestamptz + interval '${span}'`,
          [at],
        );
      }
    }
  }

  /** Number of rows with pending work. */
  async openRows() {
    const [{ open }] = await this.query(OPEN);
    return Number(open);
  }

  /** Resolves with the seconds until no work is pending, or with undefined after `limitMs`. */
  async quiet(limitMs) {
    const startedAt = performance.now();
    const done = async () => (await this.openRows().catch(() => 1)) === 0;
    const found = await until(done, limitMs, 100);
    return found === undefined ? undefined : (performance.now() - startedAt) / 1000;
  }

  /** The time of each send from its request to the response of the platform. */
  async waits(sends) {
    const rows = await this.query(
      'SELECT message_id AS id, sent_at FROM deliveries WHERE sent_at IS NOT NULL AND message_id = ANY ($1)',
      [sends.flatMap(({ ids }) => [...ids])],
    );
    const sentAt = new Map(rows.map(({ id, sent_at }) => [id, sent_at.getTime()]));
    return sends.flatMap(({ ids, startedAt }) =>
      [...ids].flatMap((id) => (sentAt.has(id) ? { at: startedAt, ms: sentAt.get(id) - startedAt } : [])),
    );
  }

  /** Waits up to `limitMs` for `wanted` messages of a direction. Resolves with their number. */
  async stored(direction, wanted, limitMs) {
    let found = 0;
    await until(
      async () => {
        const rows = await this.query('SELECT count(*)::int AS n FROM messages WHERE direction = $1', [
          direction,
        ]);
        found = rows[0].n;
        return found >= wanted;
      },
      limitMs,
      100,
    );
    return found;
  }

  /** Closes everything. Rejects with all errors. */
  close() {
    return this.#closers.close();
  }
}

/** Leases: table, column, role of the holder, and duration plus 200 ms. */
const LEASES = [
  ['links', 'leased_until', 'worker', '25.2 s'],
  ['webhook_deliveries', 'leased_until', 'worker', '60.2 s'],
  ['connections', 'leased_until', 'gateway', '12.2 s'],
];

/**
 * Pending work. An uncertain message counts for 40 s. By then the platform was asked several times. A message that it never wrote
 * stays uncertain until it expires.
 */
const OPEN = `
  SELECT (SELECT count(*) FROM deliveries WHERE status IN ('queued', 'sending')
      OR (status = 'uncertain' AND next_attempt_at IS NOT NULL AND uncertain_at > now() - interval '40 s'))
    + (SELECT count(*) FROM messages WHERE status IN ('queued', 'sending'))
    + (SELECT count(*) FROM envelopes WHERE status = 'pending')
    + (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending')
    + (SELECT count(*) FROM broadcasts WHERE status IN ('preparing', 'sending', 'canceling'))
    + (SELECT count(*) FROM outbox WHERE run_at IS NULL) AS open`;
