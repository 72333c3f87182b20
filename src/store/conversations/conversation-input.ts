/**
 * The input of a database function that selects a conversation by its id or its number, and optionally as seen by a participant.
 */
export interface ConversationInput {
  readonly workspace_id: string;
  readonly conversation_id?: string;
  readonly conversation_number?: number;
  readonly participant_id?: string;
}
