import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { type Command, CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/program.js';
import { blocksToRun, codeBlocks } from '../support/code-blocks.js';

const COMMANDS = 'test/e2e/documentation-commands.test.ts';
const QUICKSTARTS = 'test/long/quickstarts.test.ts';
/** The languages of the blocks of each page that a test runs, in their order, and the test. */
const TESTED: readonly (readonly [page: string, languages: string, test: string])[] = [
  ['docs/agents.md', 'json', 'test/unit/code-blocks.test.ts'],
  ['docs/apply.md', 'yaml text', 'test/long/apply.test.ts'],
  ['docs/attachments.md', 'sh', COMMANDS],
  ['docs/audiences.md', 'sh csv', COMMANDS],
  ['docs/broadcasts.md', 'sh', COMMANDS],
  ['docs/calls.md', 'sh sh', COMMANDS],
  ['docs/client.md', `ts${' ts text'.repeat(6)} ts ts ts text`, 'test/e2e/client.test.ts'],
  ['docs/configuration.md', 'sh', COMMANDS],
  ['docs/deployment.md', 'yaml sh', 'test/unit/deploy.test.ts'],
  ['docs/events.md', 'sh', COMMANDS],
  ['docs/linking-chats.md', 'sh', QUICKSTARTS],
  ['docs/locations.md', 'sh', COMMANDS],
  ['docs/operations.md', 'yaml', 'test/unit/deploy.test.ts'],
  ['docs/partitions.md', 'sql sql', 'test/integration/store/partitions.test.ts'],
  ['docs/quickstart-discord.md', 'sh sh sh sh sh', QUICKSTARTS],
  ['docs/quickstart-slack.md', 'json sh sh sh sh sh', QUICKSTARTS],
  ['docs/quickstart-sms.md', 'sh sh sh sh sh', QUICKSTARTS],
  ['docs/quickstart-telegram.md', 'sh sh sh sh sh', QUICKSTARTS],
  ['docs/rest-api.md', 'sh', QUICKSTARTS],
  ['docs/rest-api.md', 'json', COMMANDS],
  ['docs/simulators.md', 'ts', 'test/long/package.test.ts'],
  ['docs/webhooks.md', 'sh', COMMANDS],
  ['docs/webhooks.md', 'js python php ruby go', 'test/long/dashboard/verification.test.ts'],
  [
    'docs/writing-an-adapter.md',
    'sh sh text sh text sh text sh sh sh text sh text',
    'examples/check/run.mjs',
  ],
  ['packages/client/README.md', 'ts text', 'test/long/client-package.test.ts'],
];

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' })
  .split('\n')
  .filter((page) => page !== '' && !page.startsWith('test/'));
const blocks = pages.flatMap((page) => codeBlocks(page).map((block) => ({ page, ...block })));

describe('Each code block of the documentation', () => {
  test('is run by a test, is marked as an illustration, or is a diagram', () => {
    expect(blocks.length).toBeGreaterThan(150);
    const unmarked = (page: string) =>
      codeBlocks(page)
        .filter(({ language, isIllustration }) => language !== 'mermaid' && !isIllustration)
        .map(({ language }) => language);
    const tested = (page: string) =>
      TESTED.filter(([tested]) => tested === page).flatMap(([, languages]) => languages.split(' '));
    for (const page of pages) expect(unmarked(page), page).toEqual(tested(page));
  });

  test('ends on a line of its own', () => {
    for (const page of pages) {
      const fences = readFileSync(page, 'utf8').match(/^ *(?:```|~~~)/gm) ?? [];
      expect(fences.length, page).toBe(2 * codeBlocks(page).length);
    }
  });

  test.each(TESTED)('of %s with %s is named by its test', (page, _languages, file) => {
    const named = page.startsWith('docs/quickstart-')
      ? 'docs/quickstart-'
      : page.replace(/^packages.client./, '');
    expect(readFileSync(file, 'utf8')).toContain(named);
  });
});

/** The arguments of each call of the command line in a text. */
function callsIn(text: string): string[][] {
  const joined = text.replaceAll('\\\n', ' ').replaceAll(/\s#\s.*$/gm, '');
  const calls = joined.matchAll(
    /(?:^|[|&;(] *|exec -T app )(?:npx )?(?:trunkline|node (?:\S*\/)?bin\/trunkline\.mjs)(?= |$)((?:"[^"]*"|'[^']*'|[^|&;<>()'"\n])*)/gm,
  );
  return [...calls].map(([, args = '']) =>
    [...args.matchAll(/"([^"]*)"|((?:[^\s'"]|'[^']*')+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain?.replaceAll("'", '') ?? '',
    ),
  );
}

/** What is wrong with a call, or undefined. Nothing is executed. */
async function faultOf(args: string[]): Promise<string | undefined> {
  const program = buildProgram(() => undefined);
  const silence = (command: Command): void => {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    for (const child of command.commands) silence(child);
  };
  silence(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) return String(error);
  }
}

describe('The commands in code blocks', () => {
  test('of trunkline exist, with their arguments and options', async () => {
    const calls = blocks.flatMap(({ page, code }) => callsIn(code).map((args) => ({ page, args })));
    expect(calls.length).toBeGreaterThan(35);
    const faults: string[] = [];
    for (const { page, args } of calls) {
      const fault = await faultOf(args);
      if (fault !== undefined) faults.push(`${page}: ${args.join(' ')}: ${fault}`);
    }
    expect(faults).toEqual([]);
    expect(await faultOf(['backup'])).toContain("missing required argument 'file'");
    expect(await faultOf(['doctor', '--jsn'])).toContain('--jsn');
  });

  test('of npm are scripts of the package, and the tests that they name exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
    const own = blocks.filter(({ page }) => page !== 'docs/writing-an-adapter.md');
    const named = own.flatMap(({ code }) =>
      [...code.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    const files = own.flatMap(({ code }) => code.match(/\b(?:test|deploy|scripts)\/[\w./-]+/g) ?? []);
    expect(files.length).toBeGreaterThan(5);
    // vitest takes the beginning of a path as well.
    const exists = (file: string) => {
      const near = existsSync(dirname(file)) ? readdirSync(dirname(file)) : [];
      return near.some((name) => name.startsWith(basename(file)));
    };
    expect(files.filter((file) => !exists(file))).toEqual([]);
  });

  test('of the configuration of an agent start the program', async () => {
    const [config = ''] = blocksToRun('docs/agents.md', 'json');
    const { command, args } = JSON.parse(config).mcpServers.trunkline;
    expect([command, args[0]]).toEqual(['npx', 'trunkline']);
    expect(await faultOf(args.slice(1))).toBeUndefined();
  });
});
