import { createHash } from 'node:crypto';
import type { AdapterHost } from 'trunkline';
import { z } from 'zod';

/** The data for replies to one correspondent: subject of the thread and ids of its latest mails (RFC 5322 section 3.6.4). */
const thread = z.object({ subject: z.string(), ids: z.array(z.string()) });
export type Thread = z.infer<typeof thread>;

const MAX_IDS = 8;

export async function loadThread(host: AdapterHost, chat: string): Promise<Thread | undefined> {
  const stored = await host.state.load(nameOf(chat));
  return stored === undefined ? undefined : thread.safeParse(JSON.parse(stored)).data;
}

export async function saveThread(host: AdapterHost, chat: string, { subject, ids }: Thread): Promise<void> {
  const kept = { subject: subject.slice(0, 300), ids: [...new Set(ids)].slice(-MAX_IDS) };
  await host.state.save(nameOf(chat), JSON.stringify(kept));
}

/** The subject of a reply, with one `Re:`. */
export const answered = (subject: string): string => `Re: ${subject.replace(/^(re\s*:\s*)+/i, '')}`.trim();

const nameOf = (chat: string): string =>
  `thread.${createHash('sha256').update(chat).digest('hex').slice(0, 32)}`;
