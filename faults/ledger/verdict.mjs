/** What a run is held against: each bar with its figure, and all figures for the page. */
export class Verdict {
  bars = [];
  figures = {};
  details = [];

  /** `figure` has to be `wanted` as `fits` judges it; the words are for whoever reads the page. */
  bar(what, figure, isMet) {
    this.bars.push({ what, figure, met: isMet });
  }

  /** Bar Z: nothing lost, unexpected or misordered, and nothing twice that is not marked. */
  nothingWrong(name, { figures, details }) {
    this.add(name, figures);
    for (const kind of ['lost', 'duplicated', 'unexpected', 'misordered']) {
      if (figures[kind] !== undefined) this.bar(`${name}: ${kind}`, figures[kind], figures[kind] === 0);
    }
    this.details.push(...details.map((each) => `${name}: ${each}`));
  }

  add(name, figures) {
    this.figures[name] = figures;
  }

  get passed() {
    return this.bars.length > 0 && this.bars.every(({ met }) => met);
  }
}
