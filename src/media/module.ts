import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import * as ports from '../core/modules/tokens.js';
import { DiskFiles } from './disk-files.js';

/** Files on disk. */
export function mediaModule(dataDir: string): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ports.MediaFiles).toConstantValue(new DiskFiles(join(dataDir, 'media')));
  });
}
