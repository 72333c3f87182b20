import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SimulatorOptions } from '../../contract/simulation/index.js';
import { generateApiKey } from '../../core/access/api-key-format.js';
import type { ConnectionRecord } from '../../core/platforms/record.js';
import type { WebhookRecord } from '../../core/webhooks/record.js';
import { LocalClient } from '../local-client.js';
import { SimulatedPlatforms } from '../simulators/simulated-platforms.js';
import { waitUntil } from '../wait-until.js';
import { freePort, ServiceProcess } from './service-process.js';
import { WebhookReceiver } from './webhook-receiver.js';

export interface StageOptions {
  /** Path of the program, as `node` expects it. */
  readonly program: string;
  readonly simulator?: (platform: string) => SimulatorOptions;
  readonly settings?: (platform: string) => Readonly<Record<string, unknown>>;
}

/**
 * A service in a child process, with its own data directory and ports. This process runs the simulators of all platforms and a
 * receiver of webhooks.
 */
export class Stage {
  readonly platforms = new SimulatedPlatforms();
  readonly receiver = new WebhookReceiver();
  #dataDir: string | undefined;
  #service: ServiceProcess | undefined;
  #client: LocalClient | undefined;
  #closing: Promise<void> | undefined;
  /** Id of the registered webhook. */
  webhookId = '';

  constructor(private readonly options: StageOptions) {}

  get service(): ServiceProcess {
    if (this.#service === undefined) throw new Error('The stage was not started.');
    return this.#service;
  }

  get client(): LocalClient {
    if (this.#client === undefined) throw new Error('The stage was not started.');
    return this.#client;
  }

  /** Starts the service; resolves with its address. */
  async startService(): Promise<string> {
    this.#dataDir = await mkdtemp(join(tmpdir(), 'trunkline-demo-'));
    // The embedded database may run as another user, which must be able to reach its folder in this one.
    await chmod(this.#dataDir, 0o711);
    const port = await freePort();
    if (this.#closing !== undefined) {
      await rm(this.#dataDir, { recursive: true, force: true });
      throw new Error('The stage was closed while it was started.');
    }
    const url = `http://127.0.0.1:${port}`;
    const apiKey = generateApiKey('live').key;
    this.#client = new LocalClient(url, apiKey);
    this.#service = new ServiceProcess({
      program: this.options.program,
      environment: {
        PORT: String(port),
        PUBLIC_URL: url,
        DATA_DIR: this.#dataDir,
        ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
        TRUNKLINE_BOOTSTRAP_EMAIL: 'owner@example.com',
        TRUNKLINE_BOOTSTRAP_PASSWORD: randomBytes(12).toString('base64url'),
        TRUNKLINE_BOOTSTRAP_API_KEY: apiKey,
      },
    });
    await this.#service.start();
    return url;
  }

  /** Starts the simulators and connects the service to them. */
  async connect(): Promise<void> {
    await this.platforms.start(this.options.simulator);
    await this.platforms.connect(
      this.client,
      this.options.settings === undefined ? {} : { settings: this.options.settings },
    );
  }

  /** Resolves with the connections once all are connected. After two minutes, resolves with their present state. */
  async connections(): Promise<ConnectionRecord[]> {
    const read = () => this.client.all<ConnectionRecord>('/openapi/platforms/connections');
    const ready = await waitUntil(async () => {
      const connections = await read();
      return connections.every(({ status }) => status === 'connected') && connections;
    });
    return ready ?? read();
  }

  /** Registers the receiver for all events. */
  async subscribe(): Promise<void> {
    const url = await this.receiver.start();
    const webhook = await this.client.post<WebhookRecord & { secret: string }>('/api/webhooks', {
      url,
      events: ['*'],
    });
    this.webhookId = webhook.id;
    this.receiver.secret = webhook.secret;
  }

  /** Warnings and errors of the service, and output that is not a log line. */
  troubles(): readonly string[] {
    return (this.#service?.lines ?? []).filter((line) => !/^\{"level":"(info|debug)"/.test(line));
  }

  /** Stops everything and removes the data. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#service?.stop();
    await this.platforms.stop();
    await this.receiver.stop();
    if (this.#dataDir !== undefined) await rm(this.#dataDir, { recursive: true, force: true });
  }
}
