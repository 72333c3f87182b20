import { Ban, FileUp, Image, MapPin, Plus } from 'lucide-react';
import { useRef } from 'react';
import { useSession } from '../../api/session';
import type { PhoneFile } from '../../api/simulator-paths';
import { Menu, MenuItem, MenuSeparator } from '../../kit/menu';
import { showToast } from '../../kit/toast';
import { messages as t } from './messages';
import { usePerson } from './person';
import { fitting, samplePhoto } from './phone-files';

/** The location of the Brandenburg Gate. */
const PLACE = { latitude: 52.516275, longitude: 13.377704 };

/** Sends content other than text. */
export function PhoneExtras() {
  const { simulator, act, can } = usePerson();
  const input = useRef<HTMLInputElement>(null);
  const send = async (file: Promise<PhoneFile | undefined>) => {
    const sent = await file;
    if (sent === undefined) showToast(t('tooLarge'));
    else act({ type: 'write', text: '', file: sent });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void send(fitting(file));
          // Allows selecting the same file again.
          target.value = '';
        }}
      />
      <Menu trigger={<Trigger name={simulator.name} />}>
        {can('file') && (
          <>
            <MenuItem icon={<Image aria-hidden />} onSelect={() => void send(samplePhoto())}>
              {t('photo')}
            </MenuItem>
            <MenuItem icon={<FileUp aria-hidden />} onSelect={() => input.current?.click()}>
              {t('file')}
            </MenuItem>
          </>
        )}
        {can('location') && (
          <MenuItem icon={<MapPin aria-hidden />} onSelect={() => act({ type: 'location', ...PLACE })}>
            {t('location')}
          </MenuItem>
        )}
        <MenuSeparator />
        <OptOut />
      </Menu>
    </>
  );
}

function Trigger({ name, ...rest }: { readonly name: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={t('more', { name })}
      className="flex size-8 touch:size-10 shrink-0 items-center justify-center rounded-full text-(--phone-muted)"
    >
      <Plus aria-hidden className="size-5" />
    </button>
  );
}

function OptOut() {
  const { act } = usePerson();
  const { workspace } = useSession();
  const [keyword = 'STOP'] = workspace.opt_out_keywords;
  return (
    <MenuItem icon={<Ban aria-hidden />} onSelect={() => act({ type: 'write', text: keyword })}>
      {t('optOut', { keyword })}
    </MenuItem>
  );
}
