/** The child's side of `startChild`: reports that it is ready, answers requests, and ends with its parent. */
export function answer(info, reply, stop = async () => undefined) {
  process.on('message', async (question) => process.send(await reply(question)));
  process.on('disconnect', () => void stop().then(() => process.exit(0)));
  process.send(info ?? {});
}
