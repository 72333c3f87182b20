/** Closes the parts of a run in the reverse order of their start. */
export class Closers {
  #closers = [];

  add(close) {
    this.#closers.push(close);
  }

  /** Closes every part, also after an error. Then rejects with all errors, if there are any. */
  async close() {
    const errors = [];
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0)
      throw new AggregateError(errors, `Closing failed: ${errors.map(({ message }) => message).join(' ')}`);
  }
}
