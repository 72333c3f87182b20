import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './command.mjs';

const LIMIT = 3600;
/** With more failed files than this, none runs again. */
const MAX_AGAIN = 6;

/**
 * Runs vitest and adds its results to the findings. Files that failed run once more, alone. A test that passes then is reported
 * as unsteady.
 */
export async function runTests(
  run,
  { command, again: repeat = command, env, cwd, print, findings, reports },
) {
  const first = await report(command, join(reports, `${run}.json`));
  if (first.testResults === undefined)
    return findings.fail(`The tests of ${run} wrote no report and ended with ${first.code}.`, first.output);
  const broken = first.testResults.filter(({ status }) => status === 'failed');
  if (first.code !== 0 && broken.length === 0)
    findings.fail(`The run of the tests of ${run} ended with ${first.code}.`, first.output);
  const again =
    broken.length > 0 && broken.length <= MAX_AGAIN
      ? await report(
          repeat,
          join(reports, `${run}-again.json`),
          broken.map(({ name }) => shortName(name)),
        )
      : undefined;
  for (const file of first.testResults) addFile(findings, run, file, sameFile(again, file));
  return undefined;

  async function report(command, path, files = []) {
    if (files.length > 0) print(`\n== Once more, alone: ${files.join(' ')}\n`);
    const whole = [...command, ...files, '--reporter=default', '--reporter=json', `--outputFile=${path}`];
    const { code, output } = await runCommand(whole, { limit: LIMIT, print, env, cwd });
    const text = await readFile(path, 'utf8').catch(() => '');
    return { ...(text !== '' && JSON.parse(text)), code, output };
  }
}

function addFile(findings, run, file, again) {
  const name = shortName(file.name);
  const failed = file.assertionResults.filter(({ status }) => status === 'failed');
  // The file ended before its tests, so no test failed and none passed.
  if (file.status === 'failed' && failed.length === 0) {
    if (again?.status !== 'passed')
      return findings.fail(`${run}: ${name} did not reach its tests.`, file.message);
    findings.unsteady(`${run}: ${name} did not reach its tests.`, file.message);
    return addTests(findings, run, again, undefined);
  }
  return addTests(findings, run, file, again);
}

function addTests(findings, run, { name, assertionResults }, again) {
  for (const { fullName, status, failureMessages = [] } of assertionResults) {
    const title = `${shortName(name)}: ${fullName}`;
    const passesNow =
      status === 'failed' &&
      again?.assertionResults.some((one) => one.fullName === fullName && one.status === 'passed');
    findings.test(title, passesNow ? 'passed' : status);
    const [message = ''] = failureMessages;
    if (passesNow) findings.unsteady(`${run}: ${title}`, message.split('\n')[0]);
    else if (status === 'failed')
      findings.fail(`${run}: ${title}`, message.split('\n').slice(0, 12).join('\n'));
  }
}

const sameFile = (report, { name }) => report?.testResults?.find((one) => one.name === name);

const shortName = (path) => path.replace(/^.*?\/(test|dashboard)\//, '$1/');
