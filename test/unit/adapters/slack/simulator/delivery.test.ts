import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebhookDelivery } from '../../../../../adapters/slack/simulator/delivery.js';

let app: Server;
let delivery: WebhookDelivery;
let held: ServerResponse[];

beforeEach(async () => {
  held = [];
  app = createServer((_request, response) => void held.push(response)).listen(0, '127.0.0.1');
  await once(app, 'listening');
  delivery = new WebhookDelivery({ signingSecret: 'secret', retriesMs: [10] });
  delivery.url = `http://127.0.0.1:${(app.address() as AddressInfo).port}/hook`;
});

afterEach(() => {
  delivery.stop();
  app.closeAllConnections();
  app.close();
});

function answerAll(status: number): void {
  for (const response of held.splice(0)) response.writeHead(status).end();
}

describe("Slack's deliveries to one app", () => {
  it('run a hundred at a time, and the others start as those end', async () => {
    for (let number = 0; number < 150; number += 1) delivery.send(`channel ${number}`, { number });
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(100);
    answerAll(200);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(50);
  });

  it('are retried after a 503', async () => {
    for (let number = 0; number < 100; number += 1) delivery.send(`channel ${number}`, { number });
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(100);
    answerAll(503);
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(100);
    answerAll(200);
  });
});
