import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import { FetchMedia } from '../media/fetch-media.js';
import { OpenMedia } from '../media/open-media.js';
import { RemoveUnusedMedia } from '../media/remove-unused.js';
import { TakeAttachments } from '../media/take-attachments.js';
import { UploadFile } from '../media/upload-file.js';
import * as ports from './tokens.js';

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
