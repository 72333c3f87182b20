/** What a run is held against: each bar with its figure, and all figures for the page. */
export class Verdict {
  criteria = [];
  figures = {};
  details = [];
  #hasHappened = false;

  /** `figure` has to be `wanted` as `fits` judges it; the words are for whoever reads the page. */
  criterion(what, figure, isMet) {
    this.criteria.push({ what, figure, met: isMet });
  }

  /** A bar of time, which a machine that others use as well may miss. */
  timeCriterion(what, figure, isMet) {
    this.criteria.push({ what, figure, met: isMet, timed: true });
  }

  /** A run in which nothing befell anybody proves nothing: the fault has to have happened so often. */
  happened(what, times, least = 1) {
    this.#hasHappened = true;
    this.criterion(`happened: ${what}`, `${times}, at least ${least} wanted`, times >= least);
  }

  /** Who is refused everything loses nothing: each client has to have got its 201 in the end. */
  accepted(sends, wanted) {
    const count = sends.filter(({ ackedAt }) => ackedAt !== undefined).length;
    this.criterion('sends accepted', `${count} of ${wanted}`, count === wanted && wanted > 0);
    const refused = sends.filter(({ ackedAt }) => ackedAt === undefined).slice(0, 5);
    for (const { token, tries, refusal } of refused)
      this.details.push(`${token} was not accepted in ${tries} tries; the last one: ${refusal}`);
  }

  /** Bar Z: nothing lost, unexpected or misordered, and nothing twice that is not marked; of something, not of nothing. */
  nothingWrong(name, { figures, details }) {
    this.add(name, figures);
    const [what, count] = Object.entries(figures)[0];
    this.criterion(`${name}: ${what} to judge`, count, count > 0);
    for (const kind of ['lost', 'duplicated', 'unexpected', 'misordered']) {
      if (figures[kind] !== undefined) this.criterion(`${name}: ${kind}`, figures[kind], figures[kind] === 0);
    }
    this.details.push(...details.map((each) => `${name}: ${each}`));
  }

  add(name, figures) {
    this.figures[name] = figures;
  }

  /** Every bar is met, and one of them is that the fault happened. */
  get passed() {
    return this.#hasHappened && this.criteria.every(({ met }) => met);
  }

  /** Whether a run that did not pass may be made once more: it missed criteria of time alone, or did not come to its fault. */
  get mayRepeat() {
    return !this.passed && this.criteria.every(({ met, timed }) => met || timed === true);
  }

  /** What a run without a word about its fault is told. */
  get silent() {
    return !this.#hasHappened;
  }
}
