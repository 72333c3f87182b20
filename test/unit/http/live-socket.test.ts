import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import type { SendSignal } from '../../../src/core/calls/use-cases.js';
import { LiveSocket } from '../../../src/http/rtc/live-socket.js';
import { silentLog } from '../../support/log.js';

const caller = {
  workspaceId: 'w',
  userId: 'u',
  environment: 'live',
  credential: { kind: 'api_key', id: 'k' },
  scopes: new Set<string>(),
  rateLimit: 0,
  onlyOwnConversations: false,
} as const;

let server: WebSocketServer;
let client: WebSocket;
let live: LiveSocket;
let frames: unknown[];
let closed: Promise<[number, Buffer]>;
const clock = { now: 0 };
const credential = { holds: true as boolean | Error };
/** The ids of signaled calls, and the gate that signals wait for. */
let signaled: { readonly callIds: string[]; gate: Promise<void> };

beforeEach(async () => {
  clock.now = 1_000_000;
  credential.holds = true;
  frames = [];
  signaled = { callIds: [], gate: Promise.resolve() };
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const arrived = once(server, 'connection');
  client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.on('message', (data) => {
    frames.push(JSON.parse(String(data)));
    client.emit('frame');
  });
  closed = once(client, 'close') as Promise<[number, Buffer]>;
  const [socket] = (await arrived) as [WebSocket];
  const execute: SendSignal['execute'] = async (_caller, callId) => {
    await signaled.gate;
    signaled.callIds.push(callId);
    return true;
  };
  live = new LiveSocket(
    {
      socket,
      caller,
      signal: { execute } as SendSignal,
      log: silentLog,
      now: () => clock.now,
      isStillValid: async () => {
        if (credential.holds instanceof Error) throw credential.holds;
        return credential.holds;
      },
    },
    async () => undefined,
  );
  await once(client, 'open');
});
afterEach(() => {
  client.terminate();
  server.close();
});

/** Simulates elapsed seconds, with the regular check of the socket in each. */
function pass(seconds: number): void {
  for (let n = 0; n < seconds; n += 1) {
    clock.now += 1_000;
    live.beat();
  }
}

/** Resolves when the service has answered the frame. */
async function ask(frame: { readonly type: string; readonly ref: string }): Promise<void> {
  client.send(JSON.stringify(frame));
  while (!frames.some((one) => (one as { ref?: string }).ref === frame.ref)) await once(client, 'frame');
}

const id = (n: number) => `019b76da-a800-7000-8000-0000000000${n.toString(16).padStart(2, '0')}`;

describe('a socket', () => {
  it('is pinged every 20 s and closed with 4408 after 60 s without a response', async () => {
    pass(61);
    expect((await closed)[0]).toBe(4408);
    expect(frames).toEqual([{ type: 'ping' }, { type: 'ping' }, { type: 'ping' }]);
  });

  it('stays open while the client responds', async () => {
    for (let n = 0; n < 5; n += 1) {
      pass(50);
      await ask({ type: 'pong', ref: `p${n}` });
    }
    expect(client.readyState).toBe(WebSocket.OPEN);
  });

  it('is closed with 4401 when its credential is revoked, but not while the check fails', async () => {
    credential.holds = new Error('database away');
    await live.recheck();
    expect(client.readyState).toBe(WebSocket.OPEN);
    credential.holds = false;
    await live.recheck();
    expect((await closed)[0]).toBe(4401);
  });

  it('is closed with 4429 after more than 50 frames in a second', async () => {
    for (let n = 0; n < 50; n += 1) client.send('{"type":"pong"}');
    await new Promise((resolve) => client.send('{"type":"pong"}', resolve));
    expect((await closed)[0]).toBe(4429);
  });

  it('processes frames in order, however long each takes', async () => {
    let open: (() => void) | undefined;
    signaled.gate = new Promise((resolve) => {
      open = resolve;
    });
    const ids = Array.from({ length: 40 }, (_, n) => id(n));
    for (const callId of ids) client.send(JSON.stringify({ type: 'join', call_id: callId }));
    client.send('{"type":"ping"}');
    open?.();
    await once(client, 'frame');
    expect(signaled.callIds).toEqual(ids);
    expect(frames).toEqual([{ type: 'pong' }]);
  });
});
