import { SingleBar } from 'cli-progress';
import type pg from 'pg';
import { loadDescriptions } from '../support/api-description.js';
import { aftermath } from './aftermath.js';
import { type Batch, Campaign, type CampaignOptions, type Failure, MAX_FAILURES } from './campaign.js';
import { readingProblems } from './cpu/reading.js';
import { measureRequests } from './cpu/service.js';
import { type Elsewhere, startElsewhere } from './elsewhere.js';
import type { Memory } from './inspector.js';
import { operationsNamed } from './operations.js';
import { startPostgres } from './postgres.js';
import { Caller, clearAway, makeRecords, type Records } from './stage.js';
import { signIn, startVictim, type Victim } from './victim.js';

export interface RunOptions {
  readonly requests: number;
  /** Each seed gets an equal share of the requests. */
  readonly seeds: readonly number[];
  /** The number of the first request, to send one request again. */
  readonly first: number;
  /** The name of an operation as in the description, or a part of it. */
  readonly only: string | undefined;
  /** The time in which expensive requests are sent, and the number of the first one. */
  readonly measure: { readonly seconds: number; readonly first: number };
}

/** Interval in requests at which records are created again, because some requests remove them. */
const ROUND = 1_000;
const LIMIT_MS = 10_000;
/** Texts for each field of the platforms' payloads, and the time for all of them. */
const READING = { texts: 6, limitMs: 45_000 };
/**
 * How much more memory a process may hold at the end than after a quarter of the requests. Most of the growth by then is bounded
 * caches and pages of the allocator. A leak of a kilobyte per request would be 15 MiB in 20,000 requests.
 */
const MORE_HELD_MIB = 12;
const MORE_RESIDENT_MIB = 80;

/** Runs requests against a separate service. Resolves with whether no failure was found. */
export async function run(options: RunOptions): Promise<boolean> {
  const { seeds, requests, first, only } = options;
  console.log(`Seeds ${seeds.join(' and ')}, ${requests} requests, of each from number ${first}.`);
  const slow = only === undefined ? readingProblems({ seed: seeds[0] ?? 0, ...READING }) : [];
  const measured = { ...options.measure, seed: seeds[0] ?? 0, only };
  if (measured.seconds > 0) slow.push(...(await measureRequests(measured)));
  for (const problem of slow) console.log(`\nSLOW ${problem}`);
  const isWell = requests === 0 || (await sendAll(options));
  return isWell && slow.length === 0;
}

async function sendAll(options: RunOptions): Promise<boolean> {
  const { seeds } = options;
  const elsewhere = await startElsewhere(seeds[0] ?? 0);
  const postgres = await startPostgres('fuzz');
  const victim = await startVictim({
    DATABASE_URL: postgres.url,
    TV_SOURCES: elsewhere.guides,
    TV_REFRESH_MINUTES: '1',
    TRANSLATE_URL: elsewhere.url,
  });
  try {
    return await new Run(options, victim, elsewhere, postgres.connection).all();
  } finally {
    const code = await victim.stop();
    if (code !== 0) console.log(`The service ended with ${code}.`);
    await elsewhere.close();
    await postgres.stop();
  }
}

class Run {
  readonly #live: Caller;
  /** Seconds of CPU time that the service and this program used. */
  #processors: readonly number[] = [];

  constructor(
    private readonly options: RunOptions,
    private readonly victim: Victim,
    private readonly elsewhere: Elsewhere,
    private readonly database: pg.ClientConfig,
  ) {
    this.#live = new Caller(victim.url, { 'x-api-key': victim.key });
  }

  async all(): Promise<boolean> {
    const { url } = this.victim;
    let session = await signIn(url, this.database);
    const { key: testKey } = await new Caller(url, session).create('/dashboard/api/keys', {
      name: 'Fuzz',
      scopes: (await new Caller(url, session).list('/dashboard/api/keys'))[0]?.scopes,
      rate_limit: 0,
      environment: 'test',
    });
    const test = new Caller(url, { 'x-api-key': String(testKey) });
    const descriptions = await loadDescriptions(url);
    const operations = operationsNamed(this.options.only, descriptions);
    // A request may have ended the session or changed the plan.
    const accessOf = async (live: Records, own: Records) => {
      session = await signIn(url, this.database);
      await new Caller(url, session).call('PATCH', '/dashboard/api/workspace', { plan: 'unlimited' });
      return {
        'live key': { headers: { 'x-api-key': this.victim.key }, records: live },
        'test key': { headers: { 'x-api-key': String(testKey) }, records: own },
        session: { headers: session, records: live, prefix: '/dashboard/api' },
        none: { headers: {}, records: live },
      };
    };
    const nothing = new Map();
    const campaign = new Campaign({
      url,
      elsewhere: this.elsewhere.url,
      operations,
      descriptions,
      access: await accessOf(nothing, nothing),
      limitMs: LIMIT_MS,
    });
    const startedAt = performance.now();
    const memories = await this.#send(campaign, test, accessOf);
    this.#processors = [await this.victim.inspector.processorSeconds(), process.cpuUsage().user / 1e6];
    const seconds = (performance.now() - startedAt) / 1000;
    campaign.close();
    const scene = {
      live: this.#live,
      test,
      database: this.database,
      dataDir: this.victim.dataDir,
      elsewhere: this.elsewhere,
      descriptions,
    };
    const left = this.victim.ended() === undefined ? await aftermath(scene) : ['The service ended'];
    return this.#report(campaign, [...left, ...memoryProblems(memories)], memories, seconds);
  }

  /** Resolves with the memory after a quarter of the requests and at the end. */
  async #send(
    campaign: Campaign,
    test: Caller,
    accessOf: (live: Records, own: Records) => Promise<CampaignOptions['access']>,
  ): Promise<Memory[]> {
    const { requests } = this.options;
    const bar = new SingleBar({
      format: '{bar} {percentage} % | {value} of {total} | {duration} s | {failures} failures',
      noTTYOutput: true,
      notTTYSchedule: 10_000,
    });
    bar.start(requests, 0, { failures: 0 });
    const memories: Memory[] = [];
    const batches = batchesOf(this.options);
    for (const [turn, batch] of batches.entries()) {
      if (this.victim.ended() !== undefined || campaign.failures.length >= MAX_FAILURES) break;
      const [live, own] = await Promise.all([
        this.#renew(this.#live, false, turn),
        this.#renew(test, true, turn),
      ]);
      await campaign.send(batch, await accessOf(live, own), () =>
        bar.increment({ failures: campaign.failures.length }),
      );
      const quarter = memories.length === 0 && turn + 1 >= batches.length / 4;
      if (quarter || turn + 1 === batches.length) memories.push(await this.victim.inspector.memory());
    }
    bar.stop();
    return memories;
  }

  async #renew(api: Caller, isTest: boolean, turn: number): Promise<Records> {
    await clearAway(api, isTest);
    return makeRecords(api, isTest, this.elsewhere.url, turn);
  }

  #report(
    campaign: Campaign,
    left: readonly string[],
    memories: readonly Memory[],
    seconds: number,
  ): boolean {
    const seeds = this.options.seeds.join(',');
    const shown = (counts: ReadonlyMap<string, number>) =>
      [...counts]
        .sort()
        .map(([name, times]) => `${name} ${times}`)
        .join(', ');
    console.log(`Answers: ${shown(campaign.statuses)}`);
    console.log(`What was wrong: ${shown(campaign.mutations)}`);
    console.log(`${seconds.toFixed(1)} s, the slowest answer took ${Math.round(campaign.slowestMs)} ms.`);
    const [service, own] = this.#processors.map((taken) => taken.toFixed(0));
    console.log(`Of processors: ${service} s by the service, ${own} s by this program.`);
    for (const { resident, held } of memories)
      console.log(`Memory: ${held.toFixed(1)} MiB held, ${resident.toFixed(0)} MiB resident`);
    for (const failure of campaign.failures) console.log(failureText(failure));
    for (const [title, entry] of this.victim.defects)
      console.log(`\nLOGGED ${title}\n  ${JSON.stringify(entry).slice(0, 3_000)}`);
    for (const problem of left) console.log(`\nLEFT BEHIND ${problem}`);
    const found = campaign.failures.length + this.victim.defects.size + left.length;
    console.log(found === 0 ? `All was well. Seeds ${seeds}.` : `\n${found} failures. Seeds ${seeds}.`);
    return found === 0;
  }
}

/** Batches, each of one seed. */
function batchesOf({ seeds, requests, first }: RunOptions): Batch[] {
  const each = Math.ceil(requests / seeds.length);
  return seeds.flatMap((seed) =>
    Array.from({ length: Math.ceil(each / ROUND) }, (_, round) => ({
      seed,
      first: first + round * ROUND,
      count: Math.min(ROUND, each - round * ROUND),
    })),
  );
}

function failureText({ plan, problems, answer, curl }: Failure): string {
  return [
    `\nFAILED number ${plan.number} of seed ${plan.seed}: ${plan.operation} as ${plan.credential} (${plan.mutations.join(', ') || 'nothing wrong with it'})`,
    ...problems.slice(0, 5).map((problem) => `  ${problem}`),
    `  Answer: ${answer}`,
    `  Again:  npm run fuzz -- --seed ${plan.seed} --first ${plan.number} --requests 1`,
    `  ${curl.slice(0, 6_000)}`,
  ].join('\n');
}

function memoryProblems([quarter, end]: readonly Memory[]): string[] {
  if (quarter === undefined || end === undefined) return [];
  const problems: string[] = [];
  if (end.held - quarter.held > MORE_HELD_MIB)
    problems.push(`Memory grew: ${quarter.held.toFixed(1)} → ${end.held.toFixed(1)} MiB held`);
  if (end.resident - quarter.resident > MORE_RESIDENT_MIB)
    problems.push(`Memory grew: ${quarter.resident.toFixed(0)} → ${end.resident.toFixed(0)} MiB resident`);
  return problems;
}
