// Fails for words of the project's former dialect in its prose, and for former names in its code. `npm run check:words [folder]`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './fingerprint.mjs';

/** Each word with its replacements. */
const WORDS = {
  anew: 'again',
  beside: 'next to, in addition to, in parallel',
  heed: 'apply, follow',
  mishap: 'failure',
  newcomer: 'new contact',
  nobody: 'no user, no client; or say what does not happen',
  somebody: 'a user, a contact, a client',
  told: 'reported, described, sent',
  whoever: 'the user who, the process that',
};
/** Former names in the code, with their replacements. */
const NAMES = {
  AccountTurns: 'AccountRateLimiter',
  apply_early_event: 'apply_parked_event',
  awaitRoom: 'awaitCapacity',
  doorTo: 'findWebhook',
  early_events: 'parked_events',
  found_room: 'found_capacity',
  giveBack: 'release',
  hear_events: 'enable_event_recording',
  impliedRareStatus: 'impliedLowFrequencyStatus',
  judge_messages: 'validate_messages',
  keep_early: 'park_event',
  LifeSign: 'ProcessLiveness',
  LOOK_EVERY_MS: 'CHECK_EVERY_MS',
  LOOK_MS: 'CHECK_EVERY_MS',
  message_fate: 'route_message',
  mostWaiting: 'maxWaiting',
  name_original: 'link_reply',
  NearQueue: 'LocalFirstQueue',
  nobodySends: 'noDispatcher',
  Outlook: 'RenderPreview',
  prepare_nobody: 'prepare_without_recipients',
  put_back_on_the_way: 'requeue_recipients',
  RareValues: 'LowFrequencyValues',
  RoomRequest: 'CapacityRequest',
  runHanded: 'runHandoff',
  SecretPlace: 'SecretLocation',
  SimulatorDesk: 'SimulatorControl',
  take_rooms: 'acquire_bucket_capacity',
  turn_failed: 'delivery_run_failed',
  Upkeep: 'Maintenance',
  wanted_room: 'wanted_capacity',
};
const NAME_PATTERN = new RegExp(`\\b(?:${Object.keys(NAMES).join('|')})\\b`, 'g');
/** Schema files are history. */
const CODE = /^(?!src\/store\/schema\/).*\.(?:ts|tsx|mjs|sql)$/;
const PATTERN = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})\\b`, 'gi');

const FOLDERS = ['docs', 'src', 'test', 'adapters', 'bench', 'faults', 'examples', 'dashboard', 'scripts'];
const AT_ROOT = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
/** Decisions are history, and programs write the other files. */
const EXEMPT =
  /^docs\/(?:decisions|api)\/|^docs\/(?:README|behaviours|benchmarks[\w-]*|conformance|events-catalogue|reliability)\.md$|\.gen\.ts$|^scripts\/words\.mjs$/;
/** In other folders, only Markdown is read. */
const READ =
  /\.md$|^(?:src|adapters|dashboard\/src|examples\/[\w-]+\/src)\/.*\.(?:tsx?|sql)$|^test\/.*\.ts$|^(?:scripts|faults|bench)\/.*\.mjs$/;
/** A line with the title of a test. Other lines of tests may use any word, because tests also imitate hostile clients. */
const TITLE = /^\s*(?:(?:it|test|describe)\b.*\(|\].*\)\()['"`]/;

/** The refused words of one line. Code and link targets may contain them, such as the system user `nobody`. */
function wordsIn(line) {
  return line.replaceAll(/`[^`]*`|\]\([^)]*\)/g, '').match(PATTERN) ?? [];
}

const root = process.argv[2] ?? '.';
const listed = listFiles(root, FOLDERS, (path) => READ.test(path) && !EXEMPT.test(path));
const files = [...AT_ROOT, ...listed.filter((path) => !path.includes('node_modules/'))];
const faults = files.flatMap((path) =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const words = path.startsWith('test/') && !TITLE.test(line) ? [] : wordsIn(line);
      const names = CODE.test(path) ? (line.match(NAME_PATTERN) ?? []) : [];
      return [...words, ...names].map(
        (word) => `${path}:${index + 1}: "${word}"; write ${NAMES[word] ?? WORDS[word.toLowerCase()]}`,
      );
    }),
);
for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${faults.length} words refused.`);
process.exitCode = faults.length === 0 ? 0 : 1;
