import { type Config, ConfigurationError, readConfig } from '../../config.js';
import type { ConversationRecord } from '../../core/conversations/record.js';
import type { ConnectionRecord } from '../../core/platforms/record.js';
import { LocalClient, RefusedError } from '../local-client.js';
import { startService } from '../service.js';
import { waitUntil } from '../wait-until.js';
import { type SignIn, signIn } from './sign-in.js';
import { gatheringOf, SimulatedPlatforms } from './simulated-platforms.js';

const CONNECT_LIMIT_MS = 15_000;
const LOOPBACK = '127.0.0.0/8';
/** 2023-11-14: from here on seconds are small enough for ids that count. */
const EPOCH_S = 1_700_000_000;

/** Serves until a signal comes, with a simulator of each platform connected to the service. */
export async function startWithSimulators(): Promise<number> {
  const given = readConfig();
  const owner = await signIn(given);
  const config: Config = {
    ...given,
    bootstrap: owner.bootstrap,
    allowPrivateTargets: [...given.allowPrivateTargets, LOOPBACK],
  };
  const platforms = new SimulatedPlatforms();
  const firstNumber = Math.floor(Date.now() / 1000) - EPOCH_S;
  await platforms.start(() => ({ firstNumber }));
  const { app, ended } = await startService(config, () => platforms.stop());
  const client = new LocalClient(app.url, owner.apiKey);
  try {
    await platforms.connect(client);
  } catch (error) {
    await app.stop();
    await platforms.stop();
    throw explained(error, given);
  }
  const connections = await settled(client, platforms);
  const [conversation] = await client.all<ConversationRecord>('/v1/openapi/conversations');
  // Beside the log, which has the standard output for itself.
  process.stderr.write(
    introduction(app.url, owner, connections, tryOut(app.url, owner, platforms, conversation)),
  );
  return ended;
}

/** The simulators' connections once all are connected, or what they are after a while. */
async function settled(client: LocalClient, platforms: SimulatedPlatforms): Promise<ConnectionRecord[]> {
  const ids = new Set(platforms.all.map(({ connectionId }) => connectionId));
  const read = async () =>
    (await client.all<ConnectionRecord>('/v1/openapi/platforms/connections')).filter(({ id }) => ids.has(id));
  const connected = await waitUntil(async () => {
    const connections = await read();
    return connections.every(({ status }) => status === 'connected') && connections;
  }, CONNECT_LIMIT_MS);
  return connected ?? read();
}

function explained(error: unknown, { dataDir }: Config): unknown {
  if (!(error instanceof RefusedError) || error.status !== 401) return error;
  return new ConfigurationError(
    `The data of ${dataDir} began without simulators, so no key of it is known. Set TRUNKLINE_BOOTSTRAP_API_KEY ` +
      'and its companions to a key made with "trunkline keys create", or DATA_DIR to another directory.',
  );
}

/** A first message to all platforms; later, when they are linked already, another one. */
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

function introduction(
  url: string,
  { email, password, apiKey }: SignIn,
  connections: readonly ConnectionRecord[],
  first: string,
): string {
  const simulators = connections.map(
    ({ platform, status, settings }) =>
      `    ${platform.padEnd(10)} ${String(settings.api_base_url).padEnd(30)} ${status}`,
  );
  return `
  Trunkline is running with ${connections.length} simulated platforms.

    Address    ${url}
    Sign-in    ${email}
    Password   ${password ?? 'as printed at the first start (new: trunkline users reset-password)'}
    API key    ${apiKey}

  Simulators
${simulators.join('\n')}

  See the platforms:

    curl -H 'X-API-Key: ${apiKey}' ${url}/v1/openapi/platforms

${first}

`;
}
