import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config.js';
import { generateApiKey } from '../../core/access/api-key-format.js';

/** The owner of a service with simulators, and the API key that connects the simulators. */
export interface SignIn {
  readonly email: string;
  /** Absent after the first start, because the password is not saved. */
  readonly password: string | undefined;
  readonly apiKey: string;
  readonly bootstrap: NonNullable<Config['bootstrap']>;
}

const FILE = 'simulators.json';
const PASSWORD_BYTES = 12;

/**
 * The owner and key that the environment names, or else those of the first start. The key is saved in the data directory, so
 * that later starts can update the connections with the new addresses of the simulators.
 */
export async function signIn({ dataDir, bootstrap }: Config): Promise<SignIn> {
  const path = join(dataDir, FILE);
  const remembered = await readRemembered(path);
  const email = bootstrap?.email ?? remembered?.email ?? 'owner@example.com';
  const apiKey = bootstrap?.apiKey ?? remembered?.apiKey ?? generateApiKey('live').key;
  const password = bootstrap?.password ?? randomBytes(PASSWORD_BYTES).toString('base64url');
  if (remembered?.apiKey !== apiKey) {
    await mkdir(dataDir, { recursive: true, mode: 0o755 });
    await writeFile(path, `${JSON.stringify({ email, apiKey })}\n`, { mode: 0o600 });
  }
  return {
    email,
    password: remembered === undefined ? password : bootstrap?.password,
    apiKey,
    bootstrap: { email, password, apiKey },
  };
}

async function readRemembered(path: string): Promise<{ email: string; apiKey: string } | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as { email: string; apiKey: string };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
