import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../support/api-client.js';
import { bodies } from '../support/hostile/bodies.js';
import { credentials } from '../support/hostile/credentials.js';
import { files } from '../support/hostile/files.js';
import { framing } from '../support/hostile/framing.js';
import { hooks } from '../support/hostile/hooks.js';
import { oauth } from '../support/hostile/oauth.js';
import { outgoing } from '../support/hostile/outgoing.js';
import { paths } from '../support/hostile/paths.js';
import { queries } from '../support/hostile/queries.js';
import { type HostileCase, type Scene, setScene } from '../support/hostile/scene.js';
import { sessions } from '../support/hostile/sessions.js';
import { sockets } from '../support/hostile/sockets.js';
import { tenants } from '../support/hostile/tenants.js';

const GROUPS: Readonly<Record<string, readonly HostileCase[]>> = {
  framing,
  paths,
  bodies,
  queries,
  credentials,
  tenants,
  sessions,
  oauth,
  outgoing,
  files,
  hooks,
  sockets,
};

/** Texts that no response may contain: paths of the program, SQL statements, and stack traces. */
const INTERNAL = /node_modules|\/dist\/|\.(ts|js):\d+|at .+ \(|\bSELECT\b|pg_catalog|violates|ECONNREFUSED/;

let scene: Scene;

beforeAll(async () => {
  scene = await setScene();
});

describe.each(Object.entries(GROUPS))('The service is not harmed by hostile %s:', (_, cases) => {
  it.each(cases)('$name', async ({ act, status, says }) => {
    const answer = await act(scene);
    expect(status, answer.text.slice(0, 500)).toContain(answer.status);
    expect(answer.text).not.toMatch(INTERNAL);
    if (says !== undefined) expect(answer.text).toContain(says);
  });
});

describe('After all hostile requests', () => {
  it('the service is ready, and the records of both workspaces are as they were', async () => {
    for (const path of ['/healthz', '/readyz']) {
      expect((await scene.ask('GET', path, { key: null })).status).toBe(200);
    }
    const read = async (path: string, key: string) =>
      JSON.parse((await scene.ask('GET', path, { key })).text) as Json;
    for (const [key, { conversation, message, contact }] of [
      [scene.key, scene],
      [scene.foreign.key, scene.foreign],
    ] as const) {
      expect(await read(`/openapi/conversations/${String(conversation.id)}`, key)).toMatchObject({
        title: conversation.title,
        status: conversation.status,
      });
      expect(await read(`/openapi/messages/${String(message.id)}`, key)).toEqual(message);
      expect(await read(`/openapi/users/${String(contact.id)}`, key)).toEqual(contact);
    }
    const { secret: _, ...webhook } = scene.foreign.webhook;
    expect(await read(`/api/webhooks/${String(webhook.id)}`, scene.foreign.key)).toMatchObject(webhook);
    const { data } = await read('/openapi/messages?limit=100', scene.foreign.key);
    expect(data).toHaveLength(1);
  });

  it('there are at least 150 of them, each with a unique name', () => {
    const names = Object.values(GROUPS).flatMap((cases) => cases.map(({ name }) => name));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(150);
  });
});
