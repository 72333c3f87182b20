/** The result of a run: its criteria, each with its figure, and all figures for the page. */
export class Verdict {
  criteria = [];
  figures = {};
  details = [];
  #hasHappened = false;

  /** `what` and `figure` are for readers. `isMet` decides. */
  criterion(what, figure, isMet) {
    this.criteria.push({ what, figure, met: isMet });
  }

  /** A criterion of time, which a run on a shared machine may miss. */
  timeCriterion(what, figure, isMet) {
    this.criteria.push({ what, figure, met: isMet, timed: true });
  }

  /** A run without its fault proves nothing, so the fault must have happened at least `least` times. */
  happened(what, times, least = 1) {
    this.#hasHappened = true;
    this.criterion(`happened: ${what}`, `${times}, at least ${least} required`, times >= least);
  }

  /** A service that refuses every request loses no message, so every client must finally receive its 201. */
  accepted(sends, wanted) {
    const count = sends.filter(({ ackedAt }) => ackedAt !== undefined).length;
    this.criterion('sends accepted', `${count} of ${wanted}`, count === wanted && wanted > 0);
    const refused = sends.filter(({ ackedAt }) => ackedAt === undefined).slice(0, 5);
    for (const { token, tries, refusal } of refused)
      this.details.push(`${token} was not accepted in ${tries} tries; the last one: ${refusal}`);
  }

  /** Requires at least one item, and none that is lost, unexpected, misordered, or duplicated without a mark. */
  nothingWrong(name, { figures, details }) {
    this.add(name, figures);
    const [what, count] = Object.entries(figures)[0];
    this.criterion(`${name}: number of ${what}`, count, count > 0);
    for (const kind of ['lost', 'duplicated', 'unexpected', 'misordered']) {
      if (figures[kind] !== undefined) this.criterion(`${name}: ${kind}`, figures[kind], figures[kind] === 0);
    }
    this.details.push(...details.map((each) => `${name}: ${each}`));
  }

  add(name, figures) {
    this.figures[name] = figures;
  }

  /** Every criterion is met, and one of them is that the fault happened. */
  get passed() {
    return this.#hasHappened && this.criteria.every(({ met }) => met);
  }

  /** Whether a run that did not pass may run again: it missed only time criteria, or ended before its fault. */
  get mayRepeat() {
    return !this.passed && this.criteria.every(({ met, timed }) => met || timed === true);
  }

  /** Whether the run has not reported its fault. */
  get silent() {
    return !this.#hasHappened;
  }
}
