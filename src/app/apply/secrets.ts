import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

/** The form of a reference to a secret: `${ENV:NAME}`, or `${FILE:path}` with a path relative to the file. */
const REFERENCE = /^\$\{(ENV|FILE):([^{}\s][^{}]{0,1023})\}$/;
/** Certificates and private keys have a few thousand bytes. */
const MAX_BYTES = 65_536;

export function isReference(value: unknown): value is string {
  return typeof value === 'string' && REFERENCE.test(value);
}

/** Whether a value was meant as a reference, valid or not. */
export function looksLikeReference(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('${');
}

/** A reference that can't be resolved. The message contains the reference but no value. */
export class SecretMissingError extends Error {}

/** Reads the values of references. Each is read once. */
export class Secrets {
  readonly #known = new Map<string, Promise<string>>();

  constructor(
    private readonly variable: (name: string) => string | undefined,
    private readonly folder: string,
  ) {}

  valueOf(reference: string): Promise<string> {
    let value = this.#known.get(reference);
    if (value === undefined) {
      value = this.#read(reference);
      this.#known.set(reference, value);
    }
    return value;
  }

  async #read(reference: string): Promise<string> {
    const [, kind, name = ''] = REFERENCE.exec(reference) ?? [];
    if (kind === 'ENV') return this.#variableOf(name);
    const value = await this.#contentOf(reference, resolve(this.folder, name));
    if (value === '') throw new SecretMissingError(`${reference}: the file is empty.`);
    return value;
  }

  #variableOf(name: string): string {
    const value = this.variable(name);
    if (value === undefined || value === '')
      throw new SecretMissingError(`The environment variable ${name} is not set.`);
    return value;
  }

  async #contentOf(reference: string, path: string): Promise<string> {
    try {
      const found = await stat(path);
      if (!found.isFile() || found.size > MAX_BYTES)
        throw new SecretMissingError(`${reference}: it must be a file of at most ${MAX_BYTES} bytes.`);
      return (await readFile(path, 'utf8')).trim();
    } catch (error) {
      if (error instanceof SecretMissingError) throw error;
      throw new SecretMissingError(`${reference} can't be read (${(error as NodeJS.ErrnoException).code}).`);
    }
  }
}
