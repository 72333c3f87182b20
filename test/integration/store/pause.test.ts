import { afterEach, beforeEach, expect, it } from 'vitest';
import { Pause } from '../../../src/app/pause.js';
import { Notifications } from '../../../src/store/connection/notifications.js';
import type { ProcessLiveness } from '../../../src/store/connection/process-liveness.js';
import { Installation } from '../../../src/store/maintenance/installation.js';
import { silentLog } from '../../support/log.js';
import { type TestDatabase, testDatabase } from '../../support/postgres.js';
import { waitFor } from '../../support/wait-for.js';

let database: TestDatabase;
let notifications: Notifications;
/** Runs while each connection of the notifications is opened, before it listens. */
let whileOpening: () => Promise<void>;

beforeEach(async () => {
  database = await testDatabase();
  whileOpening = async () => undefined;
  const liveness = { attach: () => whileOpening() } as unknown as ProcessLiveness;
  const { connection, pool } = database;
  notifications = new Notifications({ connection, pool, log: silentLog, liveness });
  await notifications.start();
});

afterEach(async () => {
  await notifications.stop();
  await database.drop();
});

const here = () => new Installation(database.pool, { machine: 'this one' });

/** A paused process, and how often it began to work. */
async function paused(asked: true | undefined) {
  await new Installation(database.pool, { machine: asked ? 'this one' : 'another one' }).adopt();
  const process = { pause: new Pause(here(), silentLog), starts: 0 };
  await process.pause.begin(asked);
  expect(process.pause.message).toMatch(/^Paused/);
  return process;
}

const begin = (process: Awaited<ReturnType<typeof paused>>) =>
  process.pause.whenOver(notifications, async () => {
    process.starts += 1;
  });

it.each([
  ['as asked', true],
  ['because the database is a copy', undefined],
] as const)(
  'A process that is paused %s works after a resume that it did not hear of.',
  async (_why, asked) => {
    const process = await paused(asked);
    await begin(process);
    // The notification is sent while no connection listens.
    whileOpening = async () => {
      // The pool may have a cut connection. Then opening fails, and is tried again.
      await here().adopt();
      whileOpening = async () => undefined;
    };
    await database.cutConnections();
    await waitFor(() => expect([process.pause.message, process.starts]).toEqual([undefined, 1]));
  },
);

it('A process that is paused works after a resume between its start and its first notification.', async () => {
  const process = await paused(undefined);
  await here().adopt();
  await begin(process);
  await waitFor(() => expect(process.starts).toBe(1));
});

it('A process stays paused when its connection is restored, until a resume, and begins once.', async () => {
  const process = await paused(true);
  await begin(process);
  let isRestored = false;
  notifications.onReconnect(() => {
    isRestored = true;
  });
  await database.cutConnections();
  await waitFor(() => expect(isRestored).toBe(true));
  // The pool may still have cut connections.
  await waitFor(() => here().adoptedAt());
  expect([process.pause.message?.slice(0, 6), process.starts]).toEqual(['Paused', 0]);
  await waitFor(() => here().adopt());
  await waitFor(() => expect(process.starts).toBe(1));
  await here().adopt();
  await notifications.heard();
  expect(process.starts).toBe(1);
});

it('A process whose work cannot be started after a pause says so and does not start it twice.', async () => {
  const process = await paused(true);
  await process.pause.whenOver(notifications, async () => {
    process.starts += 1;
    throw new Error('no connection');
  });
  await here().adopt();
  await waitFor(() =>
    expect(process.pause.message).toMatch(/^The work could not be started after a pause\./),
  );
  await here().adopt();
  await notifications.heard();
  expect(process.starts).toBe(1);
});
