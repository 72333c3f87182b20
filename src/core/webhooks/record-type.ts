/** The schema name of an event's record. Undefined if the data of the event is not a record. */
export function recordType(event: string): string | undefined {
  const [subject, what] = event.split('.');
  if (subject === 'message') return what === 'deleted' ? undefined : 'Message';
  if (subject === 'conversation') return what === 'deleted' ? undefined : 'Conversation';
  return undefined;
}
