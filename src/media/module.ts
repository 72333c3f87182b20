import { join } from 'node:path';
import { ContainerModule } from 'inversify';
import type { Log } from '../core/common/log.js';
import * as ports from '../core/modules/tokens.js';
import { DiskFiles } from './disk-files.js';
import { MapFile } from './map-file.js';

/** Files on disk. */
export function mediaModule(dataDir: string, mapFile: string | undefined, log: Log): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(ports.MediaFiles).toConstantValue(new DiskFiles(join(dataDir, 'media')));
    bind(ports.MapTiles).toConstantValue(new MapFile(mapFile, log));
  });
}
