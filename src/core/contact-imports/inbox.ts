import type { StoredAttachment } from '../media/attachment.js';

/** Records imported from another inbox. Their ids are derived from the original records, see decision 0104. */

export interface InboxContact {
  readonly workspace_id: string;
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
  readonly phone: string | null;
  readonly identities: readonly { readonly platform: string; readonly external_id: string }[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

export interface InboxConversation {
  readonly workspace_id: string;
  readonly id: string;
  readonly contact_id: string;
  readonly assignee_id: string | null;
  readonly status: 'open' | 'pending' | 'snoozed' | 'resolved';
  readonly snoozed_until: string | null;
  readonly team: string | null;
  readonly labels: readonly string[];
  readonly priority: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly link: {
    readonly connection_id: string;
    readonly external_id: string;
    readonly title: string;
  } | null;
}

export interface InboxMessage {
  readonly id: string;
  readonly sender_id: string;
  readonly text: string;
  readonly content_type: 'text' | 'markdown';
  readonly attachments: readonly StoredAttachment[];
  readonly direction: 'inbound' | 'outbound' | 'internal';
  readonly status: 'received' | 'read' | 'sent' | 'delivered' | 'failed';
  readonly platform: string | null;
  readonly reply_to_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}
