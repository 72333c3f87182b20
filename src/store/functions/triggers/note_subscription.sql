-- Records the time from which a webhook receives the events of its subscription. Earlier events are not
-- delivered to it. When events are added, keeps the former subscription for events that occurred before the
-- change and are not delivered yet.
--
-- Returns: trigger
CREATE OR REPLACE FUNCTION note_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'disabled' AND NEW.status <> 'disabled' THEN
    NEW.subscribed_at := now();
    NEW.former_subscription := NULL;
  ELSIF NOT NEW.events <@ OLD.events THEN
    NEW.former_subscription := jsonb_build_object('events', OLD.events, 'scopes', OLD.scopes,
      'since', OLD.subscribed_at);
    NEW.subscribed_at := now();
  END IF;
  RETURN NEW;
END $$;
