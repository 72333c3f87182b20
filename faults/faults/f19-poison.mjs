import { judgePosts } from '../ledger/inbound.mjs';
import { People } from '../load/people.mjs';
import { until } from '../rig/waiting.mjs';

/** Processing of one event always fails, because the database rejects every message that contains this word. */
const POISON = `
  CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF new.text LIKE '%poison%' THEN RAISE EXCEPTION 'poison'; END IF;
    RETURN new;
  END $$;
  CREATE TRIGGER refuse_poison BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION refuse_poison()`;

/** An event that cannot be processed blocks nothing. It is acknowledged and becomes dead, and the chat continues. */
export const f19 = {
  id: 'F19',
  title: 'A poison event in the middle of a chat',
  lengths: {
    short: { events: 150, perSecond: 75 },
    long: { events: 1_000, perSecond: 100 },
  },
  async run(rig, { events, perSecond }, verdict) {
    await rig.open({ platforms: { telegram: { settings: { ingress: 'webhook' } } } });
    const { telegram } = rig.platforms;
    const [chat] = await rig.conversations(1);
    await rig.query(POISON);
    const people = new People();
    const before = rig.random.integer(events / 4, events / 2);
    await people.run([chat], { count: before, perSecond });
    await telegram.ask('post', { chatId: chat.chatId, sender: 'Ada', text: 'This is poison.' });
    await people.run([chat], { count: events - before, perSecond });
    const stored = await rig.stored('inbound', events, 240_000);
    await until(async () => (await telegram.ask('unconfirmed')) === 0, 240_000);
    const waiting = await telegram.ask('unconfirmed');
    const state = async () =>
      (await rig.query(`SELECT status, tries FROM envelopes WHERE status IN ('pending', 'dead')`))[0];
    const died = await until(
      async () => {
        // Retry delays grow to minutes. Retry at once.
        if (rig.length === 'short') await rig.query(RETRY_NOW);
        return (await state())?.status === 'dead';
      },
      rig.length === 'short' ? 240_000 : 900_000,
      500,
    );
    const { status, tries } = (await state()) ?? {};
    verdict.nothingWrong('posts', await judgePosts(rig, people.posts));
    verdict.criterion('stored', stored, stored === events);
    verdict.criterion('updates not acknowledged', waiting, waiting === 0);
    verdict.happened('tries of the poison event', tries ?? 0);
    const isDead = died === true && status === 'dead';
    verdict.criterion('dead after 5 tries', tries ?? 'none', isDead && tries === 5);
    const { starts } = rig.processes.service;
    verdict.criterion('starts of the service process', starts, starts === 1);
  },
};

const RETRY_NOW = `INSERT INTO outbox (topic, payload) SELECT 'envelope', jsonb_build_object('envelope_id', id)
  FROM envelopes WHERE status = 'pending'`;
