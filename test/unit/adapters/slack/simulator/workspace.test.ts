import { describe, expect, it } from 'vitest';
import { Workspace } from '../../../../../adapters/slack/simulator/workspace.js';

describe('the simulated Slack workspace', () => {
  it('shows a direct channel by the id of its user and by its own id', () => {
    const workspace = new Workspace();
    const address = Workspace.address(7);
    const { id } = workspace.openDirect(address);
    workspace.add({ channel: id, author: workspace.person('Ada'), text: 'hello' });
    expect(workspace.seen(address).map(({ text }) => text)).toEqual(['hello']);
    expect(workspace.seen(id)).toEqual(workspace.seen(address));
    expect(workspace.seen(Workspace.address(8))).toEqual([]);
  });
});
