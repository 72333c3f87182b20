/** A conversation as the functions of the database take it: by its id or its number, and as a participant sees it. */
export interface ConversationInput {
  readonly workspace_id: string;
  readonly conversation_id?: string;
  readonly conversation_number?: number;
  readonly participant_id?: string;
}
