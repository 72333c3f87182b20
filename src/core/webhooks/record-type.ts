/** Which record an event is about, by the name of its schema; undefined when its data is no record. */
export function recordType(event: string): string | undefined {
  const [subject, what] = event.split('.');
  if (subject === 'message') return what === 'deleted' ? undefined : 'Message';
  if (subject === 'conversation') return what === 'deleted' ? undefined : 'Conversation';
  return undefined;
}
