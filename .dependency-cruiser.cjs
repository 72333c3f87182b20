/**
 * The rules for imports. `test/architecture.test.ts` violates each rule once and expects an error.
 */

const OURS = '^(src|adapters|test|bench|dashboard|scripts)/';
const SHIPPED = '^(src|adapters)/';

/** This folder composes the service from its parts. */
const COMPOSITION = '^src/app/';

/** The files that register services in containers, and those that import only types of Inversify. */
const MODULES = '^src/(app/container|core/modules/(?!tokens).+|.+/module)\\.ts$';
const TYPES_OF_INVERSIFY = [COMPOSITION, '^src/core/modules/tokens\\.ts$', '^adapters/index\\.ts$'];

const SIMULATORS = ['^adapters/simulators\\.ts$', '^adapters/[^/]+/simulator/'];

/** Packages that only the files in their home import. */
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
  // Slack's SDK requires an undici dispatcher for its WebSocket.
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
    comment: 'The contract is all that an adapter may import, so it imports nothing of ours.',
    from: { path: '^src/contract/' },
    to: { path: OURS, pathNot: '^src/contract/' },
  },
  {
    name: 'core-imports-contract-only',
    comment: 'The core declares its needs in the ports of its areas. Other folders implement them.',
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
    comment:
      'Television, translations and location tracking are extras. The rest of the core does not import them.',
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
    comment: 'The client library runs in other programs, so it imports nothing else of ours.',
    from: { path: '^src/client/' },
    to: { path: OURS, pathNot: '^src/client/' },
  },
  {
    name: 'the-client-runs-in-browsers',
    comment: 'The client library uses only what both browsers and Node have.',
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
    comment: 'Authors of adapters use this folder without the rest of the bridge.',
    from: { path: '^src/testing/' },
    to: { path: OURS, pathNot: '^src/(testing|core|contract)/' },
  },
  {
    name: 'nothing-imports-the-conformance-kit',
    comment: 'This folder is only for tests.',
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
    comment: 'A command starts the service of src/app, uses only the store, or is a client.',
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
    comment: 'The areas get their dependencies as arguments or through ports of the core.',
    from: { path: SHIPPED, pathNot: '^src/(app|cli)/' },
    to: { path: COMPOSITION },
  },
  {
    name: 'nothing-imports-the-process',
    comment: 'Only main.ts starts a process and calls commands.',
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
    comment: 'Only commands and simulators import simulators.',
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
    comment: 'An adapter imports only src/contract/index.ts and its own files.',
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
    comment: 'Screens share only the kit, the API client and the languages. dashboard/src/app composes them.',
    from: { path: '^dashboard/src/features/([^/]+)/' },
    to: { path: '^dashboard/src/(features|app)/', pathNot: '^dashboard/src/features/$1/' },
  },
  {
    name: 'the-kit-knows-no-screen',
    comment: 'Code that all screens share imports no screen.',
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
    comment: 'The store creates the pools and passes them to the queue.',
    from: { path: '^src/queue/' },
    to: { path: '(^|/)node_modules/(@types/)?pg(/|$)', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'containers-are-filled-in-modules',
    comment:
      'Only module files and app/container.ts register services. Other files import only types of Inversify.',
    from: { path: TYPES_OF_INVERSIFY, pathNot: MODULES },
    to: { path: '(^|/)node_modules/(inversify|@inversifyjs/[^/]+)(/|$)', dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'packages-are-listed',
    comment: 'A package that is only a dependency of another package may disappear with its next version.',
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
