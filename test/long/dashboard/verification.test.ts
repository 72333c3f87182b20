import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { VERIFICATION } from '../../../dashboard/src/features/developers/verification.js';
import { signatureHeaders } from '../../../src/core/webhooks/signature.js';
import { eventExample } from '../../../src/http/openapi/examples/events.js';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSB3ZWJob29r';
const OTHER_SECRET = 'whsec_YW5vdGhlciBzZWNyZXQgZW50aXJlbHk=';
/** Contains characters of several bytes. */
const PAYLOAD = eventExample('webhook.test', '1.0');
const BODY = JSON.stringify(PAYLOAD);

/** The command for each sample, and the code that calls it with the program's arguments and prints `true` or `false`. */
const RUNNERS: Readonly<
  Record<keyof typeof VERIFICATION, { command: string[]; file: string; call: string }>
> = {
  'Node.js': {
    command: [process.execPath],
    file: 'verify.mjs',
    call: 'console.log(verify(...process.argv.slice(2)));',
  },
  Python: {
    command: ['python3'],
    file: 'verify.py',
    call: 'import sys\nprint(str(verify(sys.argv[1], sys.argv[2], sys.argv[3].encode())).lower())',
  },
  PHP: {
    command: ['php'],
    file: 'verify.php',
    call: 'echo verify($argv[1], $argv[2], $argv[3]) ? "true" : "false";',
  },
  Ruby: { command: ['ruby'], file: 'verify.rb', call: 'puts verify(ARGV[0], ARGV[1], ARGV[2])' },
  Go: {
    command: ['go', 'run'],
    file: 'verify.go',
    call: 'func main() { fmt.Println(Verify(os.Args[1], os.Args[2], []byte(os.Args[3]))) }',
  },
};

const folder = mkdtempSync(join(tmpdir(), 'trunkline-verify-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The signature header as the service sends it. */
function sign(text: string, timestamp = Math.floor(Date.now() / 1000), secrets = [SECRET]): string {
  const body = Buffer.from(text);
  return signatureHeaders({ id: PAYLOAD.id, body, timestamp }, secrets)['x-service-signature'] ?? '';
}

function programOf(language: keyof typeof VERIFICATION): string {
  const { call } = RUNNERS[language];
  const sample = VERIFICATION[language];
  if (language === 'PHP') return `<?php\n${sample}\n${call}\n`;
  if (language !== 'Go') return `${sample}\n\n${call}\n`;
  return `${sample.replace('package webhooks', 'package main').replace('"encoding/hex"', '"encoding/hex"\n\t"fmt"\n\t"os"')}\n\n${call}\n`;
}

describe.each(Object.keys(VERIFICATION) as (keyof typeof VERIFICATION)[])('The sample in %s', (language) => {
  const { command, file } = RUNNERS[language];
  const path = join(folder, file);
  const [program = '', ...args] = command;

  test.skipIf(!isInstalled(program))(
    'accepts a signature of the service, alone and during a rotation, and refuses a wrong and an old one',
    () => {
      writeFileSync(path, programOf(language));
      const verify = (header: string, body = BODY) =>
        execFileSync(program, [...args, path, SECRET, header, body], { encoding: 'utf8' }).trim();
      expect(verify(sign(BODY))).toBe('true');
      // During a rotation both secrets sign, in either order.
      expect(verify(sign(BODY, undefined, [SECRET, OTHER_SECRET]))).toBe('true');
      expect(verify(sign(BODY, undefined, [OTHER_SECRET, SECRET]))).toBe('true');
      expect(verify(sign(BODY, undefined, [OTHER_SECRET]))).toBe('false');
      expect(verify(sign(`${BODY} `))).toBe('false');
      expect(verify(sign(BODY).replace(/v1=.*/, 'v1=00'))).toBe('false');
      expect(verify(sign(BODY, 1_700_000_000))).toBe('false');
    },
  );
});

test('The page about webhooks has the same samples', () => {
  const page = readFileSync('docs/webhooks.md', 'utf8');
  const missing = Object.entries(VERIFICATION).filter(
    ([, sample]) => !page.includes(`\n${sample}\n\`\`\`\n`),
  );
  expect(missing.map(([language]) => language)).toEqual([]);
});

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
