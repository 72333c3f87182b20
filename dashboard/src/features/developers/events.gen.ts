// Written by npm run docs, from the catalogue of events.
export const EVENTS = [
  {
    "name": "message.created",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A message was received, written or sent by a broadcast."
  },
  {
    "name": "message.updated",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A message was edited, became due or was canceled."
  },
  {
    "name": "message.deleted",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A message was deleted."
  },
  {
    "name": "message.sent",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "Each platform of the message has accepted it."
  },
  {
    "name": "message.delivered",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A platform reports that the message was delivered."
  },
  {
    "name": "message.read",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A message was read."
  },
  {
    "name": "message.failed",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A message failed, expired or was blocked."
  },
  {
    "name": "message.rerouted",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A broadcast's fallback sends the message by another platform."
  },
  {
    "name": "delivery.failed",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "A delivery failed, expired or was blocked."
  },
  {
    "name": "delivery.uncertain",
    "category": "messages",
    "scope": "messages:read",
    "onRequest": false,
    "when": "The outcome of a delivery is unknown."
  },
  {
    "name": "delivery.updated",
    "category": null,
    "scope": "messages:read",
    "onRequest": true,
    "when": "A delivery was created or changed its status."
  },
  {
    "name": "reaction.added",
    "category": null,
    "scope": "messages:read",
    "onRequest": true,
    "when": "A reaction was added to a message."
  },
  {
    "name": "reaction.removed",
    "category": null,
    "scope": "messages:read",
    "onRequest": true,
    "when": "A reaction was removed from a message."
  },
  {
    "name": "typing.started",
    "category": null,
    "scope": "messages:read",
    "onRequest": true,
    "when": "A participant types."
  },
  {
    "name": "typing.stopped",
    "category": null,
    "scope": "messages:read",
    "onRequest": true,
    "when": "A participant stopped typing."
  },
  {
    "name": "conversation.created",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A conversation was created, also by a message from a new chat."
  },
  {
    "name": "conversation.updated",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "Fields other than status and assignee changed."
  },
  {
    "name": "conversation.status_changed",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "The status changed."
  },
  {
    "name": "conversation.assigned",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "The assignee changed."
  },
  {
    "name": "conversation.deleted",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A conversation was deleted."
  },
  {
    "name": "conversation.participant_added",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A user joined."
  },
  {
    "name": "conversation.participant_removed",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A user left."
  },
  {
    "name": "conversation.link_added",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A chat of a platform was linked."
  },
  {
    "name": "conversation.link_removed",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A link was removed."
  },
  {
    "name": "conversation.link_updated",
    "category": "conversations",
    "scope": "conversations:read",
    "onRequest": false,
    "when": "A link changed, for example because its chat moved."
  },
  {
    "name": "call.created",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "A call was created."
  },
  {
    "name": "call.ringing",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "An invitation reached a participant."
  },
  {
    "name": "call.answered",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "The first participant other than the initiator joined."
  },
  {
    "name": "call.ended",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "The call ended."
  },
  {
    "name": "call.failed",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "The call failed."
  },
  {
    "name": "call.participant_joined",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "A participant joined."
  },
  {
    "name": "call.participant_left",
    "category": "calls",
    "scope": "calls:read",
    "onRequest": false,
    "when": "A participant left."
  },
  {
    "name": "user.status_changed",
    "category": "user_status",
    "scope": "profile:read",
    "onRequest": false,
    "when": "The status changed."
  },
  {
    "name": "user.presence_changed",
    "category": "user_status",
    "scope": "profile:read",
    "onRequest": false,
    "when": "The presence changed."
  },
  {
    "name": "user.created",
    "category": null,
    "scope": "profile:read",
    "onRequest": false,
    "when": "A user was created, also by a message from a new contact."
  },
  {
    "name": "user.updated",
    "category": null,
    "scope": "profile:read",
    "onRequest": false,
    "when": "Fields other than status and presence changed."
  },
  {
    "name": "user.deleted",
    "category": null,
    "scope": "profile:read",
    "onRequest": false,
    "when": "A user was erased."
  },
  {
    "name": "user.merged",
    "category": null,
    "scope": "profile:read",
    "onRequest": false,
    "when": "A contact was merged into this one."
  },
  {
    "name": "user.opted_out",
    "category": null,
    "scope": "profile:read",
    "onRequest": false,
    "when": "A contact opted out of messages of these categories."
  },
  {
    "name": "user.opted_in",
    "category": null,
    "scope": "profile:read",
    "onRequest": false,
    "when": "A contact opted in to messages of these categories."
  },
  {
    "name": "broadcast.scheduled",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "A broadcast was scheduled, or its time changed."
  },
  {
    "name": "broadcast.started",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "Sending began."
  },
  {
    "name": "broadcast.paused",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "It was paused, or quiet hours began."
  },
  {
    "name": "broadcast.resumed",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "It continues, or failed recipients are retried."
  },
  {
    "name": "broadcast.completed",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "No recipient is pending, or it expired."
  },
  {
    "name": "broadcast.canceled",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "It was canceled."
  },
  {
    "name": "broadcast.failed",
    "category": "broadcasts",
    "scope": "broadcasts:read",
    "onRequest": false,
    "when": "The broadcast could not start."
  },
  {
    "name": "location.updated",
    "category": "locations",
    "scope": "locations:read",
    "onRequest": false,
    "when": "A new location of a user, at most one in five seconds."
  },
  {
    "name": "tracking.started",
    "category": "locations",
    "scope": "locations:read",
    "onRequest": false,
    "when": "Tracking became active."
  },
  {
    "name": "tracking.stopped",
    "category": "locations",
    "scope": "locations:read",
    "onRequest": false,
    "when": "Tracking was stopped, denied or revoked."
  },
  {
    "name": "tracking.expired",
    "category": "locations",
    "scope": "locations:read",
    "onRequest": false,
    "when": "Tracking expired."
  },
  {
    "name": "platform.connected",
    "category": "platforms",
    "scope": "platforms:read",
    "onRequest": false,
    "when": "A connection works."
  },
  {
    "name": "platform.disconnected",
    "category": "platforms",
    "scope": "platforms:read",
    "onRequest": false,
    "when": "A connection is degraded or disabled."
  },
  {
    "name": "platform.error",
    "category": "platforms",
    "scope": "platforms:read",
    "onRequest": false,
    "when": "The credentials or settings of a connection are refused."
  },
  {
    "name": "platform.gap",
    "category": "platforms",
    "scope": "platforms:read",
    "onRequest": false,
    "when": "Events of a platform may be missing and cannot be fetched."
  },
  {
    "name": "webhook.test",
    "category": null,
    "scope": null,
    "onRequest": false,
    "when": "A test of a webhook, sent to it alone."
  },
  {
    "name": "webhook.disabled",
    "category": null,
    "scope": null,
    "onRequest": false,
    "when": "A webhook was disabled by the service."
  },
  {
    "name": "service.backlog_grown",
    "category": null,
    "scope": "platforms:read",
    "onRequest": false,
    "when": "The oldest work is over a minute old, in workspaces of operators."
  },
  {
    "name": "service.backup_failed",
    "category": null,
    "scope": "platforms:read",
    "onRequest": false,
    "when": "`trunkline backup` failed, in workspaces of operators."
  }
] as const;
