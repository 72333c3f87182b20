import { readdir, readFile } from 'node:fs/promises';

/** What processes of the service hold, looked at now and then: memory, handles, and rows that wait. */
export class Watch {
  /** By process id: its name, and when it held how much. */
  lives = new Map();
  /** Rows that somebody will still do something about. */
  open = [];
  #timer;
  #looking = Promise.resolve();

  constructor(rig) {
    this.rig = rig;
  }

  start(everyMs) {
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#look()).catch(() => undefined);
    }, everyMs);
  }

  async stop() {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look() {
    for (const { name, pid } of Object.values(this.rig.processes)) {
      const seen = await readProcess(pid);
      // It may have been killed at this moment.
      if (seen === undefined) continue;
      const life = this.lives.get(pid) ?? { name, samples: [] };
      life.samples.push({ at: Date.now(), ...seen });
      this.lives.set(pid, life);
    }
    this.open.push({ at: Date.now(), rows: await this.rig.openRows() });
  }

  /** Of each process the life that was watched longest. */
  longest() {
    const found = {};
    for (const life of this.lives.values()) {
      if ((found[life.name]?.samples.length ?? 0) < life.samples.length) found[life.name] = life;
    }
    return Object.values(found);
  }
}

/** Memory in MiB and open handles, as Linux tells them. */
async function readProcess(pid) {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kib = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    const handles = (await readdir(`/proc/${pid}/fd`)).length;
    return Number.isFinite(kib) ? { mib: kib / 1024, handles } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Growth per hour of what `of` reads, as a share of its median: the median of the slopes between any two samples (Theil and
 * Sen). A minute in which the machine stood still, and everything waited in memory, does not tilt it.
 */
export function slopePerHour(samples, of) {
  const points = samples.map((sample) => ({ hours: sample.at / 3_600_000, value: of(sample) }));
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.hours - one.hours)),
  );
  return median(slopes) / median(points.map(({ value }) => value));
}

/** The one in the middle; of none 0. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
