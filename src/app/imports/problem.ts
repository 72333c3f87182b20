/** A problem that stops the whole import: a file, an option or a response of the other system. Messages contain no secrets. */
export class ImportError extends Error {}
