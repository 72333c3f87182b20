import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AnyKit } from '../kit.js';

/** The effects of loading a module, observed in a process that does nothing else. */
export interface Loading {
  /** Empty if there are no problems. */
  readonly problems: readonly string[];
}

/** Runs before the module is loaded. It replaces all outside access with a report. */
const WATCH = `
import net from 'node:net';
import dns from 'node:dns';
import http from 'node:http';
import child from 'node:child_process';
const problems = [];
const forbid = (object, name, what) => {
  object[name] = () => { problems.push(what); throw new Error(what); };
};
forbid(net.Socket.prototype, 'connect', 'it connects to a server');
forbid(net.Server.prototype, 'listen', 'it listens');
forbid(dns, 'lookup', 'it looks up a name');
forbid(child, 'spawn', 'it starts a process');
forbid(globalThis, 'fetch', 'it fetches');
const [url, name] = process.argv.slice(1);
const before = process.getActiveResourcesInfo().length;
try {
  const module = await import(url);
  const definition = module[name];
  if (definition === undefined) problems.push('it exports no ' + name);
  else for (const member of ['contractVersion', 'platform', 'create'])
    if (definition[member] === undefined) problems.push('its definition has no ' + member);
} catch (error) {
  problems.push('it does not load: ' + error.message);
}
await new Promise((resolve) => setImmediate(resolve));
if (process.getActiveResourcesInfo().length > before) problems.push('it leaves timers or handles: ' + process.getActiveResourcesInfo());
console.log(JSON.stringify({ problems }));
process.exit();
`;

const LIMIT_MS = 30_000;

/** Imports the kit's module in a separate process. */
export async function loadApart({ module }: AnyKit): Promise<Loading> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', WATCH, module.url, module.exportName],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    },
  );
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  await once(child, 'close');
  try {
    return JSON.parse(output) as Loading;
  } catch {
    return { problems: [`it ends the process that loads it: ${errors.slice(0, 200)}`] };
  }
}
