import type { ReactNode } from 'react';
import { Avatar } from '../../kit/avatar';

/** Who sees a message, and from which side it comes. */
export type Side = 'customer' | 'team' | 'note';

const LOOKS: Readonly<Record<Side, string>> = {
  customer: 'rounded-tl-sm bg-bubble',
  team: 'rounded-tr-sm bg-selected',
  note: 'rounded-tr-sm border border-note-line bg-note',
};

interface BubbleRowProps {
  readonly side: Side;
  readonly name: string;
  /** Whether the message above has the same sender, so that the picture and the name are not repeated. */
  readonly isContinued: boolean;
  readonly head?: ReactNode;
  /** The actions, next to the bubble. */
  readonly menu?: ReactNode;
  /** What belongs to the message and is not its text: reactions, the time, the deliveries. */
  readonly foot: ReactNode;
  /** Whether the bubble takes the whole width, for a field. */
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

/** A message: that of a customer on the left, what the team wrote on the right. */
export function BubbleRow(props: BubbleRowProps) {
  const { side, name, isContinued, head, menu, foot, isWide = false, children } = props;
  const isLeft = side === 'customer';
  return (
    <div
      className={`flex gap-2.5 px-4 pb-1 ${isContinued ? 'pt-0.5' : 'pt-3'} ${isLeft ? '' : 'flex-row-reverse'}`}
    >
      <span className={`w-8 shrink-0 ${isLeft ? '' : 'max-sm:hidden'}`}>
        {!isContinued && <Avatar name={name} size={32} />}
      </span>
      <div
        className={`flex min-w-0 flex-col gap-1 ${isWide ? 'grow' : 'max-w-[85%] lg:max-w-[70%]'} ${isLeft ? 'items-start' : 'items-end *:justify-end'}`}
      >
        {!isContinued && head}
        <div
          className={`flex max-w-full items-center gap-1 ${isLeft ? '' : 'flex-row-reverse'} ${isWide ? 'w-full' : ''}`}
        >
          <div className={`min-w-0 rounded-xl px-3 py-2 ${LOOKS[side]} ${isWide ? 'grow' : ''}`}>
            {children}
          </div>
          {menu}
        </div>
        {foot}
      </div>
    </div>
  );
}
