import type { Config } from '../../config.js';
import { askReadiness } from '../healthcheck.js';
import { type Finding, ok, problem, warning } from './finding.js';

const NAME = 'Service';

/** Checks whether a process of the service runs on this machine and accepts requests. */
export async function checkService(config: Config): Promise<Finding[]> {
  const at = `${config.host}:${config.port}`;
  const answer = await askReadiness(config);
  if (answer === undefined)
    return [
      warning(
        NAME,
        `No service answers at ${at} on this machine. The state of connections and queue is the last recorded one.`,
        'Start it with "trunkline start", or run this command with its PORT and HOST.',
      ),
    ];
  const { message, paused } = fieldsOf(answer.body);
  if (answer.status === 503)
    return [problem(NAME, `It runs and is not ready: ${message}`, 'Remove the cause that it names.')];
  if (answer.status !== 200)
    return [
      problem(
        NAME,
        `What answers at ${at} is another program: /readyz is ${answer.status}.`,
        'Set PORT to the port of the service.',
      ),
    ];
  if (paused)
    return [
      warning(
        NAME,
        `It is paused and sends nothing: ${message}`,
        'When this database is the real one, run "trunkline resume", or remove TRUNKLINE_PAUSED and --paused.',
      ),
    ];
  return [ok(NAME, `It runs at ${at} and is ready.`)];
}

function fieldsOf(body: string): { message: string; paused: boolean } {
  try {
    const { message, paused, error } = JSON.parse(body) ?? {};
    return { message: String(message ?? error?.message ?? 'no reason given'), paused: paused === true };
  } catch {
    // The response is from another program.
    return { message: 'no reason given', paused: false };
  }
}
