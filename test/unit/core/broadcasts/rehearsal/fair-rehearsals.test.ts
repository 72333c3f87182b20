import { expect, it } from 'vitest';
import type { Caller } from '../../../../../src/core/access/caller.js';
import { RehearseBroadcast } from '../../../../../src/core/broadcasts/rehearsal/rehearse.js';
import { waitFor } from '../../../../support/wait-for.js';

const watch = { signal: new AbortController().signal, onProgress: () => undefined };
const of = (workspaceId: string) => ({ workspaceId }) as Caller;

it('rehearsals of one workspace leave a place for another, and too many of one are refused', async () => {
  /** The workspaces whose rehearsals run, each with a function that ends it. */
  const running: { readonly workspace: string; end(): void }[] = [];
  const rehearsals = new RehearseBroadcast({
    audiences: { filtersOf: async () => [] },
    create: { broadcastOf: async (caller: Caller) => ({ workspace_id: caller.workspaceId }) },
    store: {
      play: ({ workspace_id: workspace }: { workspace_id: string }) =>
        new Promise<void>((_, reject) =>
          running.push({ workspace, end: () => reject(new Error('It has ended.')) }),
        ),
    },
  } as never);
  const rehearse = (workspace: string) =>
    rehearsals.execute(of(workspace), {} as never, 'id', watch).catch((error: Error) => error);
  const greedy = Array.from({ length: 30 }, () => rehearse('greedy'));
  await waitFor(() => expect(running.length).toBeGreaterThan(0));
  const neighbour = rehearse('neighbour');
  await waitFor(() => expect(running.map(({ workspace }) => workspace)).toContain('neighbour'));
  const refused = await Promise.race(greedy);
  expect(refused).toMatchObject({ details: { reason: 'backlog' } });
  await waitFor(async () => {
    for (const { end } of running) end();
    expect(running.length).toBeGreaterThan(11);
  });
  for (const { end } of running) end();
  await Promise.all([...greedy, neighbour]);
});
