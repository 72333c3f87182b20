-- Records since when a webhook receives the events that it subscribes to. Events from before are not
-- delivered to it later. A subscription that grows keeps the former one until the events that occurred before
-- the change are delivered.
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
