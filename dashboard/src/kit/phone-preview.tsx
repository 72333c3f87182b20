import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TextSpan } from '../api/rehearsals';
import { Avatar } from './avatar';
import { PhoneFrame, PhoneSigns } from './phone-frame';
import { lookOf } from './phone-looks';
import { SpannedText } from './spanned-text';

interface PhonePreviewProps {
  readonly platform: string;
  /** The name of the sender. */
  readonly sender: string;
  /** The texts of the messages, in order. */
  readonly texts: readonly string[];
  /** The formatting of each text. */
  readonly spans?: readonly (readonly TextSpan[])[] | undefined;
  readonly files: readonly string[];
  /** Replaces the messages. */
  readonly instead?: ReactNode;
  /** Label of the scrollable message list. */
  readonly label: string;
}

/** A phone that shows received messages. */
export function PhonePreview({ platform, sender, texts, spans, files, instead, label }: PhonePreviewProps) {
  return (
    <PhoneFrame platform={platform} className="h-80">
      <header className="shrink-0 bg-(--phone-bar) px-3 pt-1.5 pb-2 text-(--phone-bar-text)">
        <PhoneSigns />
        <p className="flex min-w-0 items-center gap-2">
          <Avatar name={sender} size={22} />
          <span className="untrusted truncate font-semibold text-sm">{sender}</span>
        </p>
      </header>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard.
        tabIndex={0}
        className="flex min-h-0 grow flex-col gap-1.5 overflow-y-auto bg-[length:14px_14px] bg-[radial-gradient(var(--phone-dots)_1.5px,transparent_1.5px)] px-2.5 py-3 text-(--phone-text) text-sm outline-offset-[-3px]"
      >
        {instead}
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one message have no other name.
          <Arrived key={index} platform={platform} sender={sender}>
            <p className="untrusted whitespace-pre-wrap">
              <SpannedText text={text} spans={spans?.[index] ?? []} />
            </p>
          </Arrived>
        ))}
        {files.length > 0 && (
          <Arrived platform={platform} sender={sender}>
            {files.map((name, index) => (
              <p
                // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name.
                key={index}
                className="my-1 flex items-center gap-2 rounded-lg border border-(--phone-line) px-2 py-1.5 text-xs"
              >
                <FileText aria-hidden className="size-4 shrink-0" />
                <span className="untrusted min-w-0 truncate">{name}</span>
              </p>
            ))}
          </Arrived>
        )}
      </section>
    </PhoneFrame>
  );
}

interface ArrivedProps {
  readonly platform: string;
  readonly sender: string;
  readonly children: ReactNode;
}

function Arrived({ platform, sender, children }: ArrivedProps) {
  const { layout, bubble, avatar } = lookOf(platform);
  if (layout === 'bubbles')
    return (
      <div className={`w-fit max-w-[88%] rounded-bl-sm bg-(--phone-theirs) px-3 py-1.5 ${bubble}`}>
        {children}
      </div>
    );
  return (
    <div className="flex items-start gap-2">
      <span className={`mt-0.5 block shrink-0 overflow-clip [&_svg]:rounded-none ${avatar}`}>
        <Avatar name={sender} size={26} />
      </span>
      <div className="min-w-0 grow">
        <p className="untrusted truncate font-semibold">{sender}</p>
        {children}
      </div>
    </div>
  );
}
