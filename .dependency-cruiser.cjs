/**
 * Who may import whom. `test/architecture.test.ts` breaks each of these rules once and expects it to be noticed.
 */

const OURS = '^(src|adapters|test|bench|dashboard|scripts)/';
const SHIPPED = '^(src|adapters)/';

/** This folder puts the parts together. */
const COMPOSITION = '^src/app/';

/** The files that fill containers, and those that need no more of Inversify than its types. */
const MODULES = '^src/(app/container|core/modules/(?!tokens).+|.+/module)\\.ts$';
const TYPES_OF_INVERSIFY = [COMPOSITION, '^src/core/modules/tokens\\.ts$', '^adapters/index\\.ts$'];

const SIMULATORS = ['^adapters/simulators\\.ts$', '^adapters/[^/]+/simulator/'];

/** Where else than in their home nobody imports these packages. */
const HOMES = [
  { name: 'pg', packages: '(@types/)?pg', home: '^src/(store|queue)/' },
  { name: 'bullmq', packages: 'bullmq|ioredis', home: '^src/queue/' },
  { name: 'fastify', packages: 'fastify|@fastify/[^/]+|fastify-[^/]+', home: '^src/http/' },
  { name: 'oauth', packages: '@node-oauth/[^/]+|basic-auth', home: '^src/http/oauth/' },
  {
    name: 'inversify',
    packages: 'inversify|@inversifyjs/[^/]+|reflect-metadata',
    home: [MODULES, ...TYPES_OF_INVERSIFY],
  },
  { name: 'prom-client', packages: 'prom-client', home: '^src/telemetry/' },
  { name: 'opentelemetry', packages: '@opentelemetry/[^/]+', home: '^src/telemetry/' },
  // Slack's SDK takes an undici dispatcher for its WebSocket.
  { name: 'undici', packages: 'undici', home: '^(src/outgoing|adapters/slack)/' },
  { name: 'eventsource-parser', packages: 'eventsource-parser', home: '^src/(client|cli|http/agents)/' },
  { name: 'mcp', packages: '@modelcontextprotocol/[^/]+', home: '^src/(http/agents|cli/mcp)/' },
  { name: 'fast-check', packages: 'fast-check', home: '^src/testing/' },
  { name: 'cookie', packages: 'cookie', home: '^src/http/' },
  { name: 'argon2', packages: '@node-rs/argon2', home: '^src/app/access/passwords\\.ts$' },
  { name: 'openid-client', packages: 'openid-client', home: '^src/app/access/openid-provider\\.ts$' },
  { name: 'otpauth', packages: 'otpauth', home: '^src/app/access/one-time-codes\\.ts$' },
  { name: 'yaml', packages: 'yaml', home: '^src/app/apply/' },
  { name: 'smol-toml', packages: 'smol-toml', home: '^src/app/imports/matterbridge/' },
  { name: 'ws', packages: '(@types/)?ws', home: '^(adapters|src/http)/' },
  { name: 'telegram', packages: 'grammy|@grammyjs/[^/]+', home: '^adapters/telegram/' },
  {
    name: 'discord',
    packages: 'discord\\.js|@discordjs/[^/]+|discord-api-types',
    home: '^adapters/discord/',
  },
  { name: 'slack', packages: '@slack/[^/]+', home: '^adapters/slack/' },
  { name: 'twilio', packages: 'twilio', home: '^adapters/sms/' },
];

const layers = [
  {
    name: 'contract-imports-nothing-of-ours',
    comment: 'The contract is what an adapter may know: a leaf.',
    from: { path: '^src/contract/' },
    to: { path: OURS, pathNot: '^src/contract/' },
  },
  {
    name: 'core-imports-contract-only',
    comment: 'The core says what it needs in the ports of its areas; others implement it.',
    from: { path: '^src/core/' },
    to: { path: OURS, pathNot: '^src/(core|contract)/' },
  },
  {
    name: 'areas-of-the-core-have-an-order',
    comment: 'An area of the core never imports one that imports it, directly or through others.',
    scope: 'folder',
    from: { path: '^src/core/[^/]+$' },
    to: { circular: true, path: '^src/core/[^/]+$' },
  },
  {
    name: 'extras-can-be-passed-over',
    comment: 'Television, translations and location tracking: nothing else in the core needs them.',
    from: { path: '^src/core/', pathNot: '^src/core/(extras|modules)/' },
    to: { path: '^src/core/extras/' },
  },
  {
    name: 'outer-areas-never-meet',
    comment:
      'The outer areas import core and contract, never each other, and get their configuration as an argument.',
    from: { path: '^src/(store|queue|connections|webhooks|outgoing|media|telemetry|http)/' },
    to: { path: OURS, pathNot: '^src/($1|core|contract)/' },
  },
  {
    name: 'the-client-stands-alone',
    comment: 'The client library runs in programs of others: it imports nothing else of ours.',
    from: { path: '^src/client/' },
    to: { path: OURS, pathNot: '^src/client/' },
  },
  {
    name: 'the-client-runs-in-browsers',
    comment: 'The client library needs no more than what browsers and Node both have.',
    from: { path: '^src/client/' },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'the-client-bundles-what-it-imports',
    comment:
      'packages/client has no dependencies: scripts/client-package.mjs bundles this library with its license.',
    from: { path: '^src/client/' },
    to: { path: '(^|/)node_modules/', pathNot: '(^|/)node_modules/eventsource-parser/' },
  },
  {
    name: 'the-conformance-kit-knows-contract-and-core',
    comment: 'Authors of adapters use it without the rest of the bridge.',
    from: { path: '^src/testing/' },
    to: { path: OURS, pathNot: '^src/(testing|core|contract)/' },
  },
  {
    name: 'nothing-imports-the-conformance-kit',
    comment: 'It is for tests.',
    from: { path: SHIPPED, pathNot: '^src/testing/' },
    to: { path: '^src/testing/' },
  },
  {
    name: 'config-imports-nothing-of-ours',
    from: { path: '^src/(config|environment)\\.ts$' },
    to: { path: OURS, pathNot: '^src/environment\\.ts$' },
  },
  {
    name: 'commands-use-the-composition-root',
    comment: 'A command starts what src/app puts together, works on the store alone, or is a client.',
    from: { path: '^src/cli/' },
    to: {
      path: OURS,
      pathNot: [
        COMPOSITION,
        '^src/(cli|client|core|contract|store)/',
        '^src/config\\.ts$',
        '^adapters/(index|simulators)\\.ts$',
      ],
    },
  },
  {
    name: 'only-commands-use-the-composition-root',
    comment: 'The areas get what they need as arguments or through ports of the core.',
    from: { path: SHIPPED, pathNot: '^src/(app|cli)/' },
    to: { path: COMPOSITION },
  },
  {
    name: 'nothing-imports-the-process',
    comment: 'main.ts is where a process begins, and commands are called by it alone.',
    from: { path: SHIPPED, pathNot: '^src/(main\\.ts$|cli/)' },
    to: { path: '^src/(main\\.ts$|cli/)' },
  },
  {
    name: 'platforms-are-named-in-their-lists',
    comment: 'adapters/index.ts lists the bundled adapters, adapters/simulators.ts their simulators.',
    from: { path: '^src/' },
    to: { path: '^adapters/', pathNot: '^adapters/(index|simulators)\\.ts$' },
  },
  {
    name: 'the-service-loads-no-simulators',
    comment: 'Only commands and simulators themselves import simulators.',
    from: {
      path: SHIPPED,
      pathNot: ['^src/(cli|testing)/', '^src/contract/simulation/', ...SIMULATORS],
    },
    to: { path: ['^src/contract/simulation/', ...SIMULATORS] },
  },
  {
    name: 'the-lists-import-adapters-only',
    from: { path: '^adapters/(index|simulators)\\.ts$' },
    to: { path: OURS, pathNot: ['^adapters/', '^src/contract/'] },
  },
];

const adapters = [
  {
    name: 'adapters-know-the-contract-only',
    comment: 'An adapter imports src/contract/index.ts and its own files: no sibling, no other file of src.',
    from: { path: '^adapters/([^/]+)/', pathNot: '^adapters/[^/]+/simulator/' },
    to: { path: OURS, pathNot: ['^adapters/$1/', '^src/contract/index\\.ts$'] },
  },
  {
    name: 'simulators-know-the-contract-only',
    from: { path: '^adapters/([^/]+)/simulator/' },
    to: { path: OURS, pathNot: ['^adapters/$1/', '^src/contract/(simulation/)?index\\.ts$'] },
  },
];

const surroundings = [
  {
    name: 'shipped-code-imports-no-tests',
    from: { path: SHIPPED },
    to: { path: '^(test|bench|scripts|dashboard)/' },
  },
  {
    name: 'the-dashboard-knows-only-the-api',
    from: { path: '^dashboard/' },
    to: { path: OURS, pathNot: '^dashboard/' },
  },
  {
    name: 'features-know-no-other-feature',
    comment:
      'Screens share the kit, the API client and the languages, and are put together in dashboard/src/app.',
    from: { path: '^dashboard/src/features/([^/]+)/' },
    to: { path: '^dashboard/src/(features|app)/', pathNot: '^dashboard/src/features/$1/' },
  },
  {
    name: 'the-kit-knows-no-screen',
    comment: 'What all screens use imports none of them.',
    from: { path: '^dashboard/src/(kit|api|i18n)/' },
    to: { path: '^dashboard/src/(features|app)/' },
  },
  {
    name: 'no-cycles',
    from: {},
    to: { circular: true },
  },
];

const packages = [
  ...HOMES.map(({ name, packages, home }) => ({
    name: `${name}-has-a-home`,
    comment: `Import it in ${home} only.`,
    from: { path: SHIPPED, pathNot: home },
    to: { path: `(^|/)node_modules/(${packages})(/|$)` },
  })),
  {
    name: 'the-queue-knows-only-types-of-pg',
    comment: 'Pools are made in store and handed to the queue.',
    from: { path: '^src/queue/' },
    to: { path: '(^|/)node_modules/(@types/)?pg(/|$)', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'containers-are-filled-in-modules',
    comment:
      'Containers are filled in module files and in app/container.ts; others take types of Inversify only.',
    from: { path: TYPES_OF_INVERSIFY, pathNot: MODULES },
    to: { path: '(^|/)node_modules/(inversify|@inversifyjs/[^/]+)(/|$)', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'packages-are-listed',
    comment: 'A package that only another package brings along may vanish with its next version.',
    from: { path: SHIPPED },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'shipped-code-runs-without-dev-dependencies',
    from: { path: SHIPPED },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
  },
  {
    name: 'imports-resolve',
    from: { path: SHIPPED },
    to: { couldNotResolve: true },
  },
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [...layers, ...adapters, ...surroundings, ...packages].map((rule) => ({
    severity: 'error',
    ...rule,
  })),
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '^dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.d.ts', '.json'],
    },
  },
};
