import { Gamepad2, Hash, type LucideIcon, MessageSquare, Send, Smartphone } from 'lucide-react';

/** The appearance of a platform's chat, based on its own apps. */
export interface Look {
  readonly icon: LucideIcon;
  /** Messages as bubbles on two sides, or one below the other with the name of each sender. */
  readonly layout: 'bubbles' | 'rows';
  readonly avatar: 'rounded-full' | 'rounded-md';
  readonly bubble: string;
  readonly field: string;
}

const plain: Look = {
  icon: Smartphone,
  layout: 'bubbles',
  avatar: 'rounded-full',
  bubble: 'rounded-2xl',
  field: 'rounded-full',
};

const looks: Readonly<Record<string, Look>> = {
  telegram: {
    ...plain,
    icon: Send,
    bubble: 'rounded-xl shadow-[0_1px_1px_rgb(0_0_0/12%)]',
    field: 'rounded-md',
  },
  discord: { ...plain, icon: Gamepad2, layout: 'rows', field: 'rounded-lg' },
  slack: { ...plain, icon: Hash, layout: 'rows', avatar: 'rounded-md', field: 'rounded-md' },
  sms: { ...plain, icon: MessageSquare },
};

/** A platform without its own appearance uses a plain one. */
export const lookOf = (platform: string): Look => looks[platform] ?? plain;
