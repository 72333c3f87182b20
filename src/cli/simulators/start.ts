import { join } from 'node:path';
import { type Config, ConfigurationError, readConfig } from '../../config.js';
import type { ConversationRecord } from '../../core/conversations/record.js';
import type { ConnectionRecord } from '../../core/platforms/record.js';
import { LocalClient, RefusedError } from '../local-client.js';
import { startService } from '../service.js';
import { waitUntil } from '../wait-until.js';
import { ControlServers, simulatorsFolder } from './control-servers.js';
import { type SignIn, signIn } from './sign-in.js';
import { gatheringOf, SimulatedPlatforms } from './simulated-platforms.js';
import { SimulatorControl } from './simulator-control.js';

const LOOPBACK = '127.0.0.0/8';
/** 2023-11-14. The number of seconds since then is small enough as the first number of ids. */
const EPOCH_S = 1_700_000_000;

/** Runs the service until a signal arrives, with a connected simulator for each platform. */
export async function startWithSimulators(): Promise<number> {
  const given = readConfig();
  // Use a separate data directory, so that real and simulated contacts never mix.
  const dataDir = simulatorsFolder(given.dataDir);
  const owner = await signIn({ ...given, dataDir });
  const config = { ...onThisMachine(given), dataDir, bootstrap: owner.bootstrap };
  const platforms = new SimulatedPlatforms();
  const servers = new ControlServers();
  const stopSimulators = async () => {
    await servers.stop();
    await platforms.stop();
  };
  const firstNumber = Math.floor(Date.now() / 1000) - EPOCH_S;
  await platforms.start(() => ({ firstNumber }));
  const controlUrls = await servers.start(platforms.all, dataDir);
  let client: LocalClient | undefined;
  const controls = platforms.all.map(
    (each) => new SimulatorControl(each, async () => client && platforms.restore(each, client)),
  );
  // In a terminal, JSON log lines would scroll the introduction away.
  const logFile = process.stdout.isTTY ? join(dataDir, 'trunkline.log') : undefined;
  const { app, ended, stopping } = await startService({ ...config, logFile }, stopSimulators, controls);
  client = new LocalClient(app.url, owner.apiKey, stopping);
  try {
    await platforms.connect(client);
    const shown = { url: app.url, owner, dataDir, logFile, controlUrls };
    await introduce(client, platforms, shown);
  } catch (error) {
    // A signal arrived before everything was connected. The service stops by itself.
    if (stopping.aborted) return ended;
    await app.stop();
    await stopSimulators();
    throw explained(error, config);
  }
  return ended;
}

/** Waits until the platforms are connected and prints the introduction. At the first start, customers ask questions. */
async function introduce(
  client: LocalClient,
  platforms: SimulatedPlatforms,
  shown: Omit<Introduction, 'connections' | 'first'>,
): Promise<void> {
  const connections = await settled(client, platforms);
  const conversations = await client.all<ConversationRecord>('/openapi/conversations');
  const everywhere = conversations.find((each) => each.platforms.length === platforms.all.length);
  const first = tryOut(shown.url, shown.owner, platforms, everywhere);
  // Standard output has the log.
  process.stderr.write(introduction({ ...shown, connections, first }));
  if (conversations.length === 0) await firstQuestions(platforms);
}

/** Simulators and service share this machine, so its local address is the public one. */
function onThisMachine(config: Config): Config {
  const { port, publicUrl, allowPrivateTargets } = config;
  return {
    ...config,
    publicUrl: publicUrl ?? (port === 0 ? undefined : `http://localhost:${port}`),
    allowPrivateTargets: [...allowPrivateTargets, LOOPBACK],
  };
}

/** At the first start, a person on each platform asks a question, so that the dashboard has a message to answer. */
async function firstQuestions(platforms: SimulatedPlatforms): Promise<void> {
  for (const each of platforms.all) {
    const { id: gathering } = gatheringOf(each);
    const chat = each.simulator.chats().find(({ id, kind }) => kind === 'direct' && id !== gathering);
    if (chat === undefined) continue;
    const text = 'Hello, where is my order? It should have been here yesterday.';
    await each.simulator.post({ chatId: chat.id, sender: chat.title, text });
  }
}

/** The connections of the simulators once all are connected. After a time limit, their present state. */
async function settled(client: LocalClient, platforms: SimulatedPlatforms): Promise<ConnectionRecord[]> {
  const ids = new Set(platforms.all.map(({ connectionId }) => connectionId));
  const read = async () =>
    (await client.all<ConnectionRecord>('/openapi/platforms/connections')).filter(({ id }) => ids.has(id));
  const connected = await waitUntil(async () => {
    const connections = await read();
    return connections.every(({ status }) => status === 'connected') && connections;
  });
  return connected ?? read();
}

function explained(error: unknown, { dataDir }: Config): unknown {
  if (!(error instanceof RefusedError) || error.status !== 401) return error;
  return new ConfigurationError(
    `The data of ${dataDir} began without simulators, so no key of it is known. Set TRUNKLINE_BOOTSTRAP_API_KEY ` +
      'and its companions to a key made with "trunkline keys create", or DATA_DIR to another directory.',
  );
}

/** The command for a first message to all platforms. If they are linked already, the command for another message. */
function tryOut(
  url: string,
  { apiKey }: SignIn,
  platforms: SimulatedPlatforms,
  conversation: ConversationRecord | undefined,
): string {
  const links = platforms.all.map((each) => ({
    connection_id: each.connectionId,
    external_id: gatheringOf(each).id,
  }));
  const [path, body] =
    conversation === undefined
      ? ['conversations', { title: 'First', links, message: { text: 'Hello, everybody' } }]
      : ['messages', { conversation_id: conversation.number, text: 'Hello again' }];
  const title =
    conversation === undefined
      ? 'One conversation across all of them, with its first message:'
      : `A message to conversation ${conversation.number}:`;
  return `  ${title}

    curl -H 'X-API-Key: ${apiKey}' -H 'Content-Type: application/json' ${url}/v1/openapi/${path} \\
      -d '${JSON.stringify(body)}'`;
}

interface Introduction {
  readonly url: string;
  readonly owner: SignIn;
  readonly dataDir: string;
  /** Absent: the log goes to standard output. */
  readonly logFile: string | undefined;
  readonly connections: readonly ConnectionRecord[];
  /** Addresses of the control APIs by platform. */
  readonly controlUrls: ReadonlyMap<string, string>;
  /** The command that sends a first message. */
  readonly first: string;
}

function introduction(facts: Introduction): string {
  const { url, owner, dataDir, logFile, connections, controlUrls, first } = facts;
  const { email, password, apiKey } = owner;
  const simulators = connections.map(
    ({ platform, status, settings }) =>
      `    ${platform.padEnd(10)} ${String(settings.api_base_url).padEnd(30)} ${status.padEnd(11)} control ${controlUrls.get(platform)}`,
  );
  const forgotten = `as printed at the first start (new: DATA_DIR=${dataDir} trunkline users reset-password ${email})`;
  return `
  Trunkline is running with ${connections.length} simulated platforms.

    Address    ${url}
    Sign-in    ${email}
    Password   ${password ?? forgotten}
    API key    ${apiKey}
    Data       ${dataDir}
    Log        ${logFile ?? 'standard output'}

  Simulators
${simulators.join('\n')}

  See the platforms:

    curl -H 'X-API-Key: ${apiKey}' ${url}/v1/openapi/platforms

${first}

  Answer as a person on a platform:

    npx trunkline say telegram "Hi"

`;
}
