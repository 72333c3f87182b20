import { runCommand } from './command.mjs';

/** Runs a command as one check, and runs it again if it fails. */
export async function runCheck(what, command, { limit, findings, print, ...options }) {
  const first = await runCommand(command, { limit, print, ...options });
  if (first.code === 0) return findings.pass();
  print(`\n== Once more: ${command.join(' ')}\n`);
  const second = await runCommand(command, { limit, print, ...options });
  if (second.code !== 0) return findings.fail(what, second.output);
  findings.pass();
  return findings.unsteady(what, first.output);
}

const FAULTS_LIMIT = 900;
/** With more late faults than this, none runs again. */
const MAX_LATE = 3;

/**
 * Runs faults with seeds. A fault that FAILED has lost, duplicated or misordered something. Even one such run in a hundred is a
 * defect, so it does not run again. A fault that was only late, or did not start or end, runs once more, alone.
 */
export async function runFaults(faults, seeds, { findings, print }) {
  const campaign = (names, ...more) =>
    runCommand(['npm', 'run', '--silent', 'faults', '--', ...names, '--seed', seeds, ...more], {
      limit: FAULTS_LIMIT,
      print,
    });
  const first = await campaign(faults, '--at-once', '4');
  if (first.code === 0) return findings.pass();
  const missing = missingFaults(first.output);
  if (missing.length > 0 && missing.length <= MAX_LATE && !/^FAILED F/m.test(first.output)) {
    print(`\n== Once more, alone: ${missing.join(' ')}\n`);
    const second = await campaign(missing);
    if (second.code === 0) {
      findings.pass();
      return findings.unsteady(`faults ${missing.join(' ')}`, first.output);
    }
  }
  return findings.fail('A fault lost, duplicated or misordered something, or did not end.', first.output);
}

/** Faults that were late, or that have no verdict. */
function missingFaults(output) {
  const ids = (pattern) => [...output.matchAll(pattern)].map(([, id]) => id);
  const due = (/^To run: (.*)$/m.exec(output)?.[1] ?? '').split(' ').filter(Boolean);
  const passed = new Set(ids(/^passed (F\d+)/gm));
  return [...new Set([...due.filter((id) => !passed.has(id)), ...ids(/^LATE (F\d+)/gm)])];
}
