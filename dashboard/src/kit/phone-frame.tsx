import { BatteryMedium, Wifi } from 'lucide-react';
import type { ReactNode } from 'react';

interface PhoneFrameProps {
  readonly platform: string;
  /** A class that sets the height. */
  readonly className: string;
  readonly children: ReactNode;
}

/** The frame of a phone. The platform sets the colours of the content. */
export function PhoneFrame({ platform, className, children }: PhoneFrameProps) {
  return (
    <div
      data-phone={platform}
      className={`after:-translate-x-1/2 relative flex flex-col overflow-clip rounded-[2.25rem] border-[#1b1d22] border-[7px] bg-(--phone-page) shadow-raised after:pointer-events-none after:absolute after:bottom-1 after:left-1/2 after:h-1 after:w-24 after:rounded-full after:bg-(--phone-text)/40 ${className}`}
    >
      {children}
    </div>
  );
}

/** The status bar above the open chat. */
export function PhoneSigns() {
  return (
    <div aria-hidden className="mb-1.5 flex items-center justify-between px-2 font-semibold text-[0.6875rem]">
      <span>9:41</span>
      <span className="h-3.5 w-16 rounded-full bg-[#000]" />
      <span className="flex gap-1">
        <Wifi className="size-3" />
        <BatteryMedium className="size-3.5" />
      </span>
    </div>
  );
}
