/** What hinders an import as a whole: a file, an option or an answer of the other system. No message has a secret. */
export class ImportError extends Error {}
