import { Command } from 'commander';
import { readClientConfig, readConfig } from '../../config.js';
import type { Finish } from '../finish.js';
import { secretFrom } from '../secret-option.js';

/** Commands for developers: simulators, adapters, events, webhooks and the documentation. */
export function toolCommands(finish: Finish): Command[] {
  return [simulate, say, adapter, listen, mcp, webhooks, docs].map((command) => command(finish));
}

interface SimulateOptions {
  readonly port?: string;
  readonly controlPort?: string;
  readonly seed?: string;
}

function simulate(finish: Finish): Command {
  return new Command('simulate')
    .description('Run one simulated platform alone, for tests of any bot.')
    .argument('<platform>', 'telegram, discord, slack or twilio')
    .option('--port <n>', 'port of the platform (default: a free one)')
    .option('--control-port <n>', 'port of the control API (default: a free one)')
    .option('--seed <n>', 'first number that ids count from')
    .action(async (platform: string, options: SimulateOptions) => {
      const { simulateCommand } = await import('../simulate/simulate.js');
      finish(await simulateCommand(platform, options));
    });
}

function say(finish: Finish): Command {
  return new Command('say')
    .description('Write a message as a person on a simulated platform of "trunkline start --simulators".')
    .argument('<platform>', 'telegram, discord, slack or sms')
    .argument('<text>', 'text of the message')
    .option('--from <name>', 'name of the person', 'Ada')
    .option('--chat <id>', 'chat of the platform (default: the first one)')
    .action(async (platform: string, text: string, options: { from: string; chat?: string }) => {
      const { sayCommand } = await import('../simulators/say.js');
      finish(await sayCommand(readConfig(), { platform, text, ...options }));
    });
}

function adapter(finish: Finish): Command {
  const create = new Command('new')
    .description('Write a small adapter package that builds and passes the conformance kit.')
    .argument('<platform>', 'id of the platform, such as matrix')
    .option('--dir <folder>', 'folder to write to (default: ./trunkline-adapter-<platform>)')
    .action(async (platform: string, { dir }: { dir?: string }) => {
      const { newAdapter } = await import('../new-adapter/new-adapter.js');
      finish(await newAdapter(platform, dir));
    });
  return new Command('adapter').description('Write adapters for other platforms.').addCommand(create);
}

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: string;
  readonly url?: string;
  readonly key?: string;
  readonly keyFile?: string;
  readonly secret?: string;
  readonly secretFile?: string;
}

const ON_COMMAND_LINE = 'visible to every user of this machine; prefer';

function listen(finish: Finish): Command {
  return new Command('listen')
    .description('Show events as they happen, and forward them to a server on your machine.')
    .option('--forward-to <url>', 'where to POST the events')
    .option('--events <list>', 'comma-separated events or categories (default: all)')
    .option('--url <base>', 'address of the service (default: TRUNKLINE_URL, else this machine)')
    .option(
      '--key-file <path>',
      'file that holds the API key, - for standard input (default: TRUNKLINE_API_KEY)',
    )
    .option('--key <key>', `the API key; ${ON_COMMAND_LINE} TRUNKLINE_API_KEY`)
    .option(
      '--secret-file <path>',
      'file that holds the signing secret (default: TRUNKLINE_WEBHOOK_SECRET, else a new one)',
    )
    .option('--secret <whsec>', `the signing secret; ${ON_COMMAND_LINE} TRUNKLINE_WEBHOOK_SECRET`)
    .action(async ({ key, keyFile, secret, secretFile, ...rest }: ListenOptions) => {
      const environment = readClientConfig();
      const options = {
        url: rest.url ?? environment.url,
        events: rest.events,
        forwardTo: rest.forwardTo,
        key: await secretFrom('key', key, keyFile, environment.key),
        secret: await secretFrom('secret', secret, secretFile, environment.webhookSecret),
      };
      finish(await (await import('../listen/listen.js')).listen(options));
    });
}

function mcp(finish: Finish): Command {
  return new Command('mcp')
    .description(
      'Offer the tools of a service to an agent over standard input and output (Model Context Protocol).',
    )
    .option('--url <base>', 'address of the service (default: TRUNKLINE_URL, else this machine)')
    .option('--key-file <path>', 'file that holds the API key (default: TRUNKLINE_API_KEY)')
    .action(async ({ url, keyFile }: { url?: string; keyFile?: string }) => {
      const environment = readClientConfig();
      const key = await secretFrom('key', undefined, keyFile, environment.key);
      const { bridge } = await import('../mcp/bridge.js');
      finish(await bridge({ url: url ?? environment.url, key }));
    });
}

interface VerifyOptions {
  readonly secret?: string;
  readonly secretFile?: string;
  readonly header: readonly string[];
  readonly tolerance?: string;
}

function webhooks(finish: Finish): Command {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  const verify = new Command('verify')
    .description('Check the signature of a webhook request whose body is on standard input.')
    .requiredOption('--header <line>', 'a header of the request, "Name: value"; may be repeated', collect, [])
    .option('--secret-file <path>', 'file that holds the secret (default: TRUNKLINE_WEBHOOK_SECRET)')
    .option('--secret <whsec>', `the secret; ${ON_COMMAND_LINE} TRUNKLINE_WEBHOOK_SECRET`)
    .option('--tolerance <seconds>', 'how far the time of the signature may be off (default: 300)')
    .action(async ({ secret, secretFile, header, tolerance }: VerifyOptions) => {
      const found = await secretFrom('secret', secret, secretFile, readClientConfig().webhookSecret);
      const { verifyWebhook } = await import('../webhooks.js');
      finish(await verifyWebhook({ secret: found, headers: header, tolerance }));
    });
  return new Command('webhooks').description('Tools for receivers of webhooks.').addCommand(verify);
}

function docs(finish: Finish): Command {
  return new Command('docs')
    .description('Print a page of the documentation, or the list of its topics.')
    .argument('[topic]', 'name of the page, such as configuration')
    .action(async (topic: string | undefined) => {
      finish(await (await import('../docs.js')).docsCommand(topic));
    });
}
