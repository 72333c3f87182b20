// Written by npm run docs, from the catalogue of events.
export const EVENTS = [
  {
    "name": "message.created",
    "category": "messages",
    "onRequest": false,
    "when": "A message was received, written or sent by a broadcast."
  },
  {
    "name": "message.updated",
    "category": "messages",
    "onRequest": false,
    "when": "A message was edited, became due or was canceled."
  },
  {
    "name": "message.deleted",
    "category": "messages",
    "onRequest": false,
    "when": "A message was deleted."
  },
  {
    "name": "message.sent",
    "category": "messages",
    "onRequest": false,
    "when": "Each platform of the message has accepted it."
  },
  {
    "name": "message.delivered",
    "category": "messages",
    "onRequest": false,
    "when": "A platform reports that the message was delivered."
  },
  {
    "name": "message.read",
    "category": "messages",
    "onRequest": false,
    "when": "A message was read."
  },
  {
    "name": "message.failed",
    "category": "messages",
    "onRequest": false,
    "when": "A message failed, expired or was blocked."
  },
  {
    "name": "message.rerouted",
    "category": "messages",
    "onRequest": false,
    "when": "A broadcast's fallback sends the message by another platform."
  },
  {
    "name": "delivery.failed",
    "category": "messages",
    "onRequest": false,
    "when": "A delivery failed, expired or was blocked."
  },
  {
    "name": "delivery.uncertain",
    "category": "messages",
    "onRequest": false,
    "when": "The outcome of a delivery is unknown."
  },
  {
    "name": "delivery.updated",
    "category": null,
    "onRequest": true,
    "when": "A delivery was created or changed its status."
  },
  {
    "name": "reaction.added",
    "category": null,
    "onRequest": true,
    "when": "A reaction was added to a message."
  },
  {
    "name": "reaction.removed",
    "category": null,
    "onRequest": true,
    "when": "A reaction was removed from a message."
  },
  {
    "name": "typing.started",
    "category": null,
    "onRequest": true,
    "when": "A participant types."
  },
  {
    "name": "typing.stopped",
    "category": null,
    "onRequest": true,
    "when": "A participant stopped typing."
  },
  {
    "name": "conversation.created",
    "category": "conversations",
    "onRequest": false,
    "when": "A conversation was created, also by a message from a new chat."
  },
  {
    "name": "conversation.updated",
    "category": "conversations",
    "onRequest": false,
    "when": "Fields other than status and assignee changed."
  },
  {
    "name": "conversation.status_changed",
    "category": "conversations",
    "onRequest": false,
    "when": "The status changed."
  },
  {
    "name": "conversation.assigned",
    "category": "conversations",
    "onRequest": false,
    "when": "The assignee changed."
  },
  {
    "name": "conversation.deleted",
    "category": "conversations",
    "onRequest": false,
    "when": "A conversation was deleted."
  },
  {
    "name": "conversation.participant_added",
    "category": "conversations",
    "onRequest": false,
    "when": "A user joined."
  },
  {
    "name": "conversation.participant_removed",
    "category": "conversations",
    "onRequest": false,
    "when": "A user left."
  },
  {
    "name": "conversation.link_added",
    "category": "conversations",
    "onRequest": false,
    "when": "A chat of a platform was linked."
  },
  {
    "name": "conversation.link_removed",
    "category": "conversations",
    "onRequest": false,
    "when": "A link was removed."
  },
  {
    "name": "conversation.link_updated",
    "category": "conversations",
    "onRequest": false,
    "when": "A link changed, for example because its chat moved."
  },
  {
    "name": "call.created",
    "category": "calls",
    "onRequest": false,
    "when": "A call was created."
  },
  {
    "name": "call.ringing",
    "category": "calls",
    "onRequest": false,
    "when": "An invitation reached a participant."
  },
  {
    "name": "call.answered",
    "category": "calls",
    "onRequest": false,
    "when": "The first participant other than the initiator joined."
  },
  {
    "name": "call.ended",
    "category": "calls",
    "onRequest": false,
    "when": "The call ended."
  },
  {
    "name": "call.failed",
    "category": "calls",
    "onRequest": false,
    "when": "The call failed."
  },
  {
    "name": "call.participant_joined",
    "category": "calls",
    "onRequest": false,
    "when": "A participant joined."
  },
  {
    "name": "call.participant_left",
    "category": "calls",
    "onRequest": false,
    "when": "A participant left."
  },
  {
    "name": "user.status_changed",
    "category": "user_status",
    "onRequest": false,
    "when": "The status changed."
  },
  {
    "name": "user.presence_changed",
    "category": "user_status",
    "onRequest": false,
    "when": "The presence changed."
  },
  {
    "name": "user.created",
    "category": null,
    "onRequest": false,
    "when": "A user was created, also by a message from a new contact."
  },
  {
    "name": "user.updated",
    "category": null,
    "onRequest": false,
    "when": "Fields other than status and presence changed."
  },
  {
    "name": "user.deleted",
    "category": null,
    "onRequest": false,
    "when": "A user was erased."
  },
  {
    "name": "user.merged",
    "category": null,
    "onRequest": false,
    "when": "A contact was merged into this one."
  },
  {
    "name": "user.opted_out",
    "category": null,
    "onRequest": false,
    "when": "A contact opted out of messages of these categories."
  },
  {
    "name": "user.opted_in",
    "category": null,
    "onRequest": false,
    "when": "A contact opted in to messages of these categories."
  },
  {
    "name": "broadcast.scheduled",
    "category": "broadcasts",
    "onRequest": false,
    "when": "A broadcast was scheduled, or its time changed."
  },
  {
    "name": "broadcast.started",
    "category": "broadcasts",
    "onRequest": false,
    "when": "Sending began."
  },
  {
    "name": "broadcast.paused",
    "category": "broadcasts",
    "onRequest": false,
    "when": "It was paused, or quiet hours began."
  },
  {
    "name": "broadcast.resumed",
    "category": "broadcasts",
    "onRequest": false,
    "when": "It continues, or failed recipients are retried."
  },
  {
    "name": "broadcast.completed",
    "category": "broadcasts",
    "onRequest": false,
    "when": "No recipient is pending, or it expired."
  },
  {
    "name": "broadcast.canceled",
    "category": "broadcasts",
    "onRequest": false,
    "when": "It was canceled."
  },
  {
    "name": "broadcast.failed",
    "category": "broadcasts",
    "onRequest": false,
    "when": "The broadcast could not start."
  },
  {
    "name": "location.updated",
    "category": "locations",
    "onRequest": false,
    "when": "A new location of a user, at most one in five seconds."
  },
  {
    "name": "tracking.started",
    "category": "locations",
    "onRequest": false,
    "when": "Tracking became active."
  },
  {
    "name": "tracking.stopped",
    "category": "locations",
    "onRequest": false,
    "when": "Tracking was stopped, denied or revoked."
  },
  {
    "name": "tracking.expired",
    "category": "locations",
    "onRequest": false,
    "when": "Tracking expired."
  },
  {
    "name": "platform.connected",
    "category": "platforms",
    "onRequest": false,
    "when": "A connection works."
  },
  {
    "name": "platform.disconnected",
    "category": "platforms",
    "onRequest": false,
    "when": "A connection is degraded or disabled."
  },
  {
    "name": "platform.error",
    "category": "platforms",
    "onRequest": false,
    "when": "The credentials or settings of a connection are refused."
  },
  {
    "name": "webhook.test",
    "category": null,
    "onRequest": false,
    "when": "A test of a webhook, sent to it alone."
  },
  {
    "name": "webhook.disabled",
    "category": null,
    "onRequest": false,
    "when": "A webhook was disabled by the service."
  }
] as const;
