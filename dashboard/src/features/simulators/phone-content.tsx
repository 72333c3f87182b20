import { useQuery } from '@tanstack/react-query';
import { FileText, MapPin } from 'lucide-react';
import type { PhoneMessage } from '../../api/simulator-paths';
import { messages as t } from './messages';
import { usePerson } from './person';
import { fileQuery } from './queries';

const KIB = 1_024;

interface Props {
  readonly message: PhoneMessage;
  readonly replied: PhoneMessage | undefined;
}

/** The content of a message. */
export function PhoneContent({ message, replied }: Props) {
  if (message.deleted) return <p className="text-(--phone-muted) italic">{t('deleted')}</p>;
  return (
    <>
      {replied !== undefined && <Quote message={replied} />}
      {[...message.files.keys()].map((index) => (
        <File key={index} message={message} index={index} />
      ))}
      {message.location !== null && <Place {...message.location} />}
      {message.text !== '' && <p className="untrusted whitespace-pre-wrap">{message.text}</p>}
    </>
  );
}

function Quote({ message: { sender, text, files } }: { readonly message: PhoneMessage }) {
  return (
    <blockquote className="mb-1 border-(--phone-link) border-l-2 pl-2 text-xs">
      <p className="untrusted truncate font-semibold">{sender}</p>
      <p className="untrusted truncate text-(--phone-muted)">
        {text === '' ? (files[0]?.name ?? '…') : text}
      </p>
    </blockquote>
  );
}

function File({ message, index }: { readonly message: PhoneMessage; readonly index: number }) {
  const { simulator, chat } = usePerson();
  const { name = '', mime_type: type = '', size = 0 } = message.files[index] ?? {};
  const isPicture = /^image\/(?:png|jpeg|gif|webp)$/.test(type);
  const { data: source } = useQuery({
    ...fileQuery(simulator.platform, chat.id, message.id, index),
    enabled: isPicture,
  });
  if (isPicture && source !== undefined)
    return <img src={source} alt={name} className="my-1 max-h-44 max-w-full rounded-lg" />;
  return (
    <p className="my-1 flex items-center gap-2 rounded-lg border border-(--phone-line) px-2 py-1.5 text-xs">
      <FileText aria-hidden className="size-4 shrink-0" />
      <span className="untrusted min-w-0 truncate">{name}</span>
      <span className="shrink-0">{`${Math.ceil(size / KIB)} KiB`}</span>
    </p>
  );
}

/** A map without real streets. It only shows that a location arrived. */
function Place({ latitude, longitude }: { readonly latitude: number; readonly longitude: number }) {
  return (
    <figure className="my-1 overflow-clip rounded-lg border border-(--phone-line)">
      <div className="relative h-24 w-44 max-w-full bg-[#dfe9df]">
        <svg aria-hidden viewBox="0 0 176 96" className="size-full">
          <path d="M0 66c40-18 70 14 176-20v50H0z" fill="#a8cbe6" />
          <path d="M-4 30h184M34-4v104M112-4l26 104M-4 8l184 44" stroke="#fff" strokeWidth="5" fill="none" />
        </svg>
        <MapPin
          aria-hidden
          className="absolute top-1/2 left-1/2 size-7 -translate-x-1/2 -translate-y-full fill-[#c5221f] text-[#fff]"
        />
      </div>
      <figcaption className="px-2 py-1 text-xs tabular-nums">{`${latitude.toFixed(4)}, ${longitude.toFixed(4)}`}</figcaption>
    </figure>
  );
}
