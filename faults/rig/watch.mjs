import { readdir, readFile } from 'node:fs/promises';

/** Samples memory and handles of the service's processes, and the number of pending rows. */
export class Watch {
  /** The name and the samples of each process, by process id. */
  lives = new Map();
  /** Samples of the number of rows with pending work. */
  open = [];
  #timer;
  #sampling = Promise.resolve();

  constructor(rig) {
    this.rig = rig;
  }

  start(everyMs) {
    this.#timer = setInterval(() => {
      this.#sampling = this.#sampling.then(() => this.#sample()).catch(() => undefined);
    }, everyMs);
  }

  async stop() {
    clearInterval(this.#timer);
    await this.#sampling;
  }

  async #sample() {
    for (const { name, pid } of Object.values(this.rig.processes)) {
      const seen = await readProcess(pid);
      // The process may have been killed just now.
      if (seen === undefined) continue;
      const life = this.lives.get(pid) ?? { name, samples: [] };
      life.samples.push({ at: Date.now(), ...seen });
      this.lives.set(pid, life);
    }
    this.open.push({ at: Date.now(), rows: await this.rig.openRows() });
  }

  /** The lifetime of each process that has the most samples. */
  longest() {
    const found = {};
    for (const life of this.lives.values()) {
      if ((found[life.name]?.samples.length ?? 0) < life.samples.length) found[life.name] = life;
    }
    return Object.values(found);
  }
}

/** Memory in MiB and number of open handles, from /proc. */
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
 * Growth per hour of the value that `of` returns, as a share of its median: the median slope between any two samples
 * (Theil–Sen). A minute in which the machine stands still does not change it.
 */
export function slopePerHour(samples, of) {
  const points = samples.map((sample) => ({ hours: sample.at / 3_600_000, value: of(sample) }));
  const slopes = points.flatMap((one, index) =>
    points.slice(index + 1).map((other) => (other.value - one.value) / (other.hours - one.hours)),
  );
  return median(slopes) / median(points.map(({ value }) => value));
}

/** The median, or 0 without values. */
export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
