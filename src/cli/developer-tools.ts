import { parseArgs } from 'node:util';
import { readClientConfig } from '../config.js';
import { UsageError } from './usage-error.js';

/** Commands for those who write clients: they speak to a service, wherever it is, and need no database. */
export async function developerTool(command: 'listen' | 'webhooks', args: string[]): Promise<number> {
  if (command === 'listen') return (await import('./listen/listen.js')).listen(listenOptions(args));
  const [action, ...rest] = args;
  if (action !== 'verify') throw new UsageError('Say webhooks verify.');
  return (await import('./webhooks.js')).verifyWebhook(verifyOptions(rest));
}

function listenOptions(args: string[]) {
  const environment = readClientConfig();
  const text = { type: 'string' } as const;
  const values = parse(() =>
    parseArgs({ args, options: { 'forward-to': text, events: text, url: text, key: text, secret: text } }),
  ).values;
  const { url = environment.url, key = environment.key, events, secret, 'forward-to': forwardTo } = values;
  return { url, key, events, secret, forwardTo };
}

function verifyOptions(args: string[]) {
  const text = { type: 'string' } as const;
  const options = { secret: text, tolerance: text, header: { ...text, multiple: true } } as const;
  const { secret, tolerance, header = [] } = parse(() => parseArgs({ args, options })).values;
  if (secret === undefined) throw new UsageError('webhooks verify needs --secret.');
  return { secret, tolerance, headers: header };
}

function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
