import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandHost } from '../../support/command-line.js';

let host: CommandHost;
beforeAll(() => {
  host = new CommandHost();
});
afterAll(() => host.stop());

const docs = (...topic: string[]) => host.run(['docs', ...topic], { PATH: process.env.PATH ?? '' });
const page = (name: string) => readFileSync(`docs/${name}.md`, 'utf8');

describe('trunkline docs', () => {
  it('lists the topics with their titles, without decisions', async () => {
    const { code, out } = await docs();
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}configuration +Configuration$/m);
    expect(out).toMatch(/^ {2}agents +Agents$/m);
    expect(out).toMatch(/^ {2}coding-agents +Trunkline for coding agents$/m);
    expect(out).not.toMatch(/^ {2}(?:index|README|decisions)/m);
  });

  it.each([['events'], ['Events'], ['events.md'], ['docs/events.md']])(
    'prints a page for %s',
    async (topic) => {
      expect(await docs(topic)).toMatchObject({ code: 0, out: page('events'), err: '' });
    },
  );

  it('prints each page of the documentation by the name of its file', async () => {
    const names = readdirSync('docs').filter((file) => /^(?!index|README).*\.md$/.test(file));
    expect(names.length).toBeGreaterThan(50);
    const others: string[] = [];
    for (const file of names) {
      const name = file.slice(0, -3);
      if ((await docs(name)).out !== page(name)) others.push(name);
    }
    expect(others).toEqual([]);
  });

  it('prints the introduction for coding agents', async () => {
    expect(await docs('coding-agents')).toMatchObject({ code: 0, out: readFileSync('AGENTS.md', 'utf8') });
  });

  it('prints a decision by the name of its file', async () => {
    const topic = 'decisions/0005-lanes-are-links';
    expect(await docs(topic)).toMatchObject({ code: 0, out: page(topic) });
  });

  it.each([
    ['benchmark', /no topic "benchmark"\. Did you mean benchmarks, benchmarks-analytics/],
    ['dance', /no topic "dance"\. Run "trunkline docs" for a list of them\./],
    ['../package.json', /no topic "\.\.\/package\.json"/],
    ['../README', /no topic "\.\.\/README"/],
    ['', /no topic ""/],
  ])('refuses the unknown topic "%s" with exit code 2', async (topic, message) => {
    const { code, out, err } = await docs(topic);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });

  it('ends quietly when the reader stops reading', () => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', 'set -o pipefail; "$0" bin/trunkline.mjs docs reliability | true', process.execPath],
      { encoding: 'utf8' },
    );
    expect(status).toBe(0);
    // A checkout may build itself first, and the bundler then prints warnings.
    expect(stderr).not.toMatch(/EPIPE|Error/);
  });
});
