import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { misplacedInAdapters } from './support/adapter-folders.js';
import { readDatabaseFiles } from './support/database-files.js';
import { namedFunctions } from './support/function-names.js';
import { type Findings, findLawBreakers } from './support/import-laws.js';
import {
  countLines,
  crowdedFolders,
  directRequests,
  longFunctions,
  readSources,
} from './support/source-rules.js';

/** One violation per rule: the file to add, and the expected error. */
const VIOLATIONS: Record<string, { file: string; text: string }> = {
  'contract-imports-nothing-of-ours': {
    file: 'src/contract/planted.ts',
    text: "import '../core/common/errors.js';",
  },
  'core-imports-contract-only': { file: 'src/core/planted.ts', text: "import '../store/errors.js';" },
  'areas-of-the-core-have-an-order': {
    file: 'src/core/common/planted.ts',
    text: "import '../messages/record.js';",
  },
  'outer-areas-never-meet': { file: 'src/http/planted.ts', text: "import '../store/errors.js';" },
  'extras-can-be-passed-over': {
    file: 'src/core/common/planted-extra.ts',
    text: "import '../extras/tv/record.js';",
  },
  'the-client-stands-alone': { file: 'src/client/planted.ts', text: "import '../core/common/errors.js';" },
  'the-client-runs-in-browsers': { file: 'src/client/planted-node.ts', text: "import 'node:crypto';" },
  'the-client-bundles-what-it-imports': { file: 'src/client/planted-zod.ts', text: "import 'zod';" },
  'the-conformance-kit-knows-contract-and-core': {
    file: 'src/testing/planted.ts',
    text: "import '../store/errors.js';",
  },
  'nothing-imports-the-conformance-kit': {
    file: 'src/core/planted-kit.ts',
    text: "import '../testing/verdict.js';",
  },
  'fast-check-has-a-home': { file: 'src/core/planted-check.ts', text: "import 'fast-check';" },
  'config-imports-nothing-of-ours': { file: 'src/config.ts', text: "import './core/common/errors.js';" },
  'commands-use-the-composition-root': { file: 'src/cli/planted.ts', text: "import '../outgoing/guard.js';" },
  'only-commands-use-the-composition-root': {
    file: 'src/watchdog/planted.ts',
    text: "import '../app/version.js';",
  },
  'nothing-imports-the-process': { file: 'src/webhooks/planted.ts', text: "import '../main.js';" },
  'platforms-are-named-in-their-lists': {
    file: 'src/app/start.ts',
    text: "import '../../adapters/slack/module.js';",
  },
  'the-service-loads-no-simulators': {
    file: 'src/app/planted.ts',
    text: "import '../../adapters/simulators.js';",
  },
  'the-lists-import-adapters-only': {
    file: 'adapters/index.ts',
    text: "import '../src/core/common/errors.js';",
  },
  'adapters-know-the-contract-only': {
    file: 'adapters/slack/planted.ts',
    text: "import '../sms/segments.js';",
  },
  'simulators-know-the-contract-only': {
    file: 'adapters/slack/simulator/planted.ts',
    text: "import '../../../src/core/common/errors.js';",
  },
  'shipped-code-imports-no-tests': {
    file: 'src/store/planted.ts',
    text: "import '../../test/planted-target.js';",
  },
  'the-dashboard-knows-only-the-api': {
    file: 'dashboard/planted.ts',
    text: "import '../src/core/common/errors.js';",
  },
  'features-know-no-other-feature': {
    file: 'dashboard/src/features/inbox/planted.ts',
    text: "import '../planted/target';",
  },
  'the-kit-knows-no-screen': {
    file: 'dashboard/src/kit/planted.ts',
    text: "import '../features/planted/target';",
  },
  'no-cycles': { file: 'src/core/planted-loop-a.ts', text: "import './planted-loop-b.js';" },
  'pg-has-a-home': {
    file: 'src/webhooks/planted-pg.ts',
    text: "import type pg from 'pg';\nexport type A = pg.Pool;",
  },
  'bullmq-has-a-home': { file: 'src/store/planted-bullmq.ts', text: "import 'bullmq';" },
  'fastify-has-a-home': { file: 'src/core/planted-fastify.ts', text: "import 'fastify';" },
  'oauth-has-a-home': { file: 'src/core/planted-oauth.ts', text: "import '@node-oauth/oauth2-server';" },
  'inversify-has-a-home': { file: 'src/core/planted-inversify.ts', text: "import 'inversify';" },
  'prom-client-has-a-home': { file: 'src/webhooks/planted-prom-client.ts', text: "import 'prom-client';" },
  'opentelemetry-has-a-home': {
    file: 'src/webhooks/planted-opentelemetry.ts',
    text: "import '@opentelemetry/api';",
  },
  'undici-has-a-home': { file: 'src/webhooks/planted-undici.ts', text: "import 'undici';" },
  'eventsource-parser-has-a-home': {
    file: 'src/http/planted-parser.ts',
    text: "import 'eventsource-parser';",
  },
  'mcp-has-a-home': {
    file: 'src/http/planted-mcp.ts',
    text: "import '@modelcontextprotocol/sdk/server/mcp.js';",
  },
  'cookie-has-a-home': { file: 'src/core/planted-cookie.ts', text: "import 'cookie';" },
  'argon2-has-a-home': { file: 'src/store/planted-argon2.ts', text: "import '@node-rs/argon2';" },
  'openid-client-has-a-home': { file: 'src/store/planted-openid.ts', text: "import 'openid-client';" },
  'otpauth-has-a-home': { file: 'src/store/planted-otpauth.ts', text: "import 'otpauth';" },
  'yaml-has-a-home': { file: 'src/store/planted-yaml.ts', text: "import 'yaml';" },
  'smol-toml-has-a-home': { file: 'src/store/planted-toml.ts', text: "import 'smol-toml';" },
  'ws-has-a-home': { file: 'src/connections/planted-ws.ts', text: "import 'ws';" },
  'telegram-has-a-home': { file: 'adapters/sms/planted-grammy.ts', text: "import 'grammy';" },
  'discord-has-a-home': { file: 'adapters/sms/planted-discord.ts', text: "import '@discordjs/rest';" },
  'slack-has-a-home': { file: 'adapters/sms/planted-slack.ts', text: "import '@slack/web-api';" },
  'twilio-has-a-home': { file: 'src/core/planted-twilio.ts', text: "import 'twilio';" },
  'the-queue-knows-only-types-of-pg': { file: 'src/queue/planted-pg.ts', text: "import 'pg';" },
  'containers-are-filled-in-modules': { file: 'src/core/modules/tokens.ts', text: "import 'inversify';" },
  'packages-are-listed': { file: 'src/core/planted-unlisted.ts', text: "import 'acorn';" },
  'shipped-code-runs-without-dev-dependencies': {
    file: 'src/core/planted-dev.ts',
    text: "import 'ajv';",
  },
  'imports-resolve': { file: 'src/core/planted-missing.ts', text: "import './nowhere.js';" },
};

/** Files that the planted files import and that are not empty. */
const TARGETS: Record<string, string> = {
  'src/core/planted-loop-b.ts': "import './planted-loop-a.js';",
  // Two areas that need each other have no order.
  'src/core/messages/record.ts': "import '../common/errors.js';",
};

// `npm run check:imports` checks the tree itself.
describe('The import laws', () => {
  describe('a violation', () => {
    let root: string;
    let findings: Findings;

    beforeAll(async () => {
      root = mkdtempSync(join(tmpdir(), 'trunkline-laws-'));
      for (const name of ['package.json', 'tsconfig.json']) cpSync(name, join(root, name));
      const { 'imports-resolve': _, ...resolved } = VIOLATIONS;
      for (const { file, text } of Object.values(resolved)) plantTarget(root, file, text);
      symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
      for (const [file, text] of Object.entries(TARGETS)) plant(root, file, text);
      for (const { file, text } of Object.values(VIOLATIONS)) plant(root, file, text);
      findings = await findLawBreakers(root);
    });

    afterAll(() => rmSync(root, { recursive: true, force: true }));

    test('is planted for every law', () => {
      expect(Object.keys(VIOLATIONS).sort()).toEqual([...findings.rules].sort());
    });

    test.each(Object.entries(VIOLATIONS))('is reported: %s', (rule, { file }) => {
      const noticed = findings.violations.filter(({ from }) => from === file || from === dirname(file));
      expect(noticed.map((violation) => violation.rule.name)).toContain(rule);
    });
  });
});

/** Creates the file of this repository that a planted file imports. A copy of the whole tree takes seconds to check. */
function plantTarget(root: string, file: string, text: string): void {
  const [, path] = /'(\.[^']*)'/.exec(text) ?? [];
  if (path !== undefined) plant(root, join(dirname(file), path).replace(/\.js$/, '.ts'), 'export {};');
}

function plant(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), `${text}\n`);
}

const sources = readSources('src', 'adapters').filter(({ path }) => !path.endsWith('.gen.ts'));

const dashboard = readSources('dashboard/src').filter(({ path }) => !path.endsWith('.gen.ts'));

describe('The source files', () => {
  test('are all included in the checks', () => {
    expect(sources.length).toBeGreaterThan(100);
  });

  test('have at most 300 lines', () => {
    // A catalogue holds the texts of one area in three languages, and no code.
    const isCatalogue = (path: string) => /^dashboard\/src\/.*messages\.ts$/.test(path);
    const budgeted = [...sources, ...dashboard].filter(({ path }) => !isCatalogue(path));
    const long = budgeted.filter(({ text }) => countLines(text) > 300);
    expect(long.map(({ path, text }) => `${path} (${countLines(text)})`)).toEqual([]);
  });

  test('have no function of more than 50 lines', () => {
    const functional = dashboard.filter(({ path }) => !path.endsWith('.test.ts'));
    expect([...sources, ...functional].flatMap((file) => longFunctions(file, 50))).toEqual([]);
    expect(functional.length).toBeGreaterThan(50);
    const planted = `const a = () => {\n${'a();\n'.repeat(49)}};`;
    expect(longFunctions({ path: 'a.ts', text: planted }, 50)).toEqual(['a.ts:1 function (51)']);
  });

  test('are in the folder of their area, except for a few', () => {
    const limits = { src: 4, 'src/store': 8 };
    expect(crowdedFolders(sources, limits)).toEqual([]);
    const planted = (folder: string, length: number) =>
      Array.from({ length }, (_, index) => ({ path: `${folder}/planted-${index}.ts` }));
    const crowds = [...planted('src', 5), ...planted('src/store', 9), ...planted('src/core', 9)];
    expect(crowdedFolders(crowds, limits)).toEqual(['src (5)', 'src/store (9)']);
  });

  test('have descriptive names', () => {
    const vague = /utils|helpers|manager|(^|[-.])types\.ts$/i;
    expect(sources.map(({ path }) => path).filter((path) => vague.test(basename(path)))).toEqual([]);
    expect(['string-utils.ts', 'types.ts', 'session-manager.ts'].every((name) => vague.test(name))).toBe(
      true,
    );
  });
});

describe('The folders of adapters', () => {
  test('have at most 8 loose files and only the common subfolders', () => {
    const files = readdirSync('adapters', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative('adapters', join(parentPath, name)));
    expect(files.length).toBeGreaterThan(100);
    expect(misplacedInAdapters(files)).toEqual([]);
  });

  test('with a ninth loose file or a subfolder of another name are reported', () => {
    const loose = Array.from({ length: 9 }, (_, index) => `pager/file-${index}.ts`);
    expect(misplacedInAdapters([...loose, 'index.ts', 'pager/helpers/a.ts', 'pager/inbound/a.ts'])).toEqual([
      'pager/ (9 loose files)',
      'pager/helpers/',
    ]);
  });
});

test('only src/config.ts and src/environment.ts read the environment', () => {
  const readers = sources.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ path }) => path);
  expect(readers).toEqual(['src/config.ts', 'src/environment.ts']);
});

describe('Requests to other servers', () => {
  /**
   * The guarded client itself, the library for other programs, the simulators and their bench, commands that call an address from
   * the user, the socket of the embedded database, and Discord's gateway, which uses the guard's lookup.
   */
  const DIALLERS =
    /^(src\/(outgoing|client|contract\/simulation|testing|store\/embedded)\/|adapters\/([^/]+\/simulator\/|discord\/ingress\/gateway-connection\.ts$)|src\/cli\/(listen\/|(readiness|local-client|simulators\/say)\.ts$))/;

  test('leave through the guarded client', () => {
    const guarded = sources.filter(({ path }) => !DIALLERS.test(path));
    expect(guarded.flatMap(directRequests)).toEqual([]);
  });

  test.each([
    ['fetch("https://a.example");', 'fetch'],
    ['const send = globalThis.fetch;', 'fetch'],
    ['use({ fetch });', 'fetch'],
    ['import { request } from "node:https";', 'request of node:https'],
    ['import http from "node:http";', 'all of node:http'],
    ['import { connect as dial } from "node:net";', 'connect of node:net'],
    ['new WebSocket("wss://a.example");', 'new WebSocket'],
  ])('are reported when made without it: %s', (text, what) => {
    expect(directRequests({ path: 'a.ts', text })).toEqual([`a.ts:1 ${what}`]);
  });

  test.each([
    'host.fetch("https://a.example");',
    'const send = (fetch: Fetch) => fetch("https://a.example");',
    'import type { IncomingMessage } from "node:http";',
    'import { createServer } from "node:http";',
  ])('are not confused with %s', (text) => {
    expect(directRequests({ path: 'a.ts', text })).toEqual([]);
  });
});

describe('Database functions', () => {
  const files = readDatabaseFiles(resolve('src/store'), 'functions');
  const names = new Set(
    files.flatMap(({ sql }) =>
      [...sql.matchAll(/^CREATE OR REPLACE FUNCTION (\w+)/gm)].map(([, name]) => name ?? ''),
    ),
  );

  test('are named by TypeScript in calls.gen.ts alone', () => {
    expect(names.size).toBeGreaterThan(100);
    const store = sources.filter(({ path }) => path.startsWith('src/store/'));
    expect(store.flatMap((file) => namedFunctions(file, names))).toEqual([]);
  });

  test.each([
    "pool.query('SELECT accept_messages($1, $2) AS answers');",
    `const text = \`SELECT \${column}, accept_messages (m) FROM messages m\`;`,
    `const text = \`SELECT accept_messages(\${first}, true)\`;`,
    "change(pool, 'accept_messages', input);",
  ])('are reported when named elsewhere: %s', (text) => {
    expect(namedFunctions({ path: 'a.ts', text }, names)).toEqual(['a.ts:1 accept_messages']);
  });

  test.each(["acceptMessages(pool, 'accept');", '// SELECT accept_messages($1)'])(
    'are not confused with %s',
    (text) => {
      expect(namedFunctions({ path: 'a.ts', text }, names)).toEqual([]);
    },
  );
});

describe('time limits', () => {
  /** These keep references to the timeouts that they link, or link none. */
  const HOLDS = /^src\/(client\/transport|testing\/reference-host|cli\/listen\/follow)\.ts$/;

  test('are linked to other signals without AbortSignal.any, so that garbage collection does not remove them', () => {
    const users = sources.filter(({ path, text }) => !HOLDS.test(path) && text.includes('AbortSignal.any('));
    expect(users.map(({ path }) => path)).toEqual([]);
  });
});

describe('the time', () => {
  /** Independent programs, files whose times come from the machine, and code that must notice that the machine slept. */
  const OWN_TIME =
    /^(src\/(cli|client|testing|watchdog|contract\/simulation|store\/embedded)\/|adapters\/[^/]+\/simulator\/|src\/(contract\/clock|core\/common\/stopwatch|store\/(connection\/database|install)|queue\/throttled-errors|media\/disk-files|core\/webhooks\/signature)\.ts$)/;

  test('comes from the database, not from the machine', () => {
    const readers = sources.filter(
      ({ path, text }) => !OWN_TIME.test(path) && /Date\.now\b|new Date\(\)/.test(text),
    );
    expect(readers.map(({ path }) => path)).toEqual([]);
  });
});
