import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import * as ports from '../ports/tokens.js';
import { FetchMedia } from './fetch-media.js';
import { OpenMedia } from './open-media.js';
import { RemoveUnusedMedia } from './remove-unused.js';
import { TakeAttachments } from './take-attachments.js';
import { UploadFile } from './upload-file.js';

/** The use cases of files. */
export const mediaUseCases = new ContainerModule((options) => {
  bindMedia(options);
});

function bindMedia({ bind }: ContainerModuleLoadOptions): void {
  bind(TakeAttachments).toResolvedValue(
    (store, guard) => new TakeAttachments(store, guard),
    [ports.MediaStore, ports.TargetGuard],
  );
  bind(UploadFile).toResolvedValue(
    (store, files) => new UploadFile(store, files),
    [ports.MediaStore, ports.MediaFiles],
  );
  bind(OpenMedia).toResolvedValue(
    (store, files) => new OpenMedia(store, files),
    [ports.MediaStore, ports.MediaFiles],
  );
  bind(FetchMedia).toResolvedValue(
    (store, files, downloads, platforms, log) => new FetchMedia(store, files, downloads, platforms, log),
    [ports.MediaStore, ports.MediaFiles, ports.MediaDownloads, ports.PlatformMedia, ports.Log],
  );
  bind(RemoveUnusedMedia).toResolvedValue(
    (store, files) => new RemoveUnusedMedia(store, files),
    [ports.MediaStore, ports.MediaFiles],
  );
}
