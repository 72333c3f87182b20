import { readFileSync } from 'node:fs';

interface Package {
  readonly version: string;
}

/** Version of the installed package. Its package.json is three folders above dist/src/app and two above src/app. */
export const version: string = readVersion();

function readVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const found = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as Package & {
        name?: string;
      };
      if (found.name === 'trunkline') return found.version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return '0.0.0';
}
