// Written by npm run docs, from the OpenAPI description.
export interface paths {
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registered webhooks that the key may see
         * @description Webhooks whose `scopes` the key has.
         */
        get: operations["getWebhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description `events` holds names, prefixes such as `message.*`, categories such as `messages`, or `*`; each needs its read scope. `secret` is shown only in this response and in that of a rotation.
         */
        post: operations["postWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one webhook */
        get: operations["getWebhooksId"];
        put?: never;
        post?: never;
        /** Remove a webhook */
        delete: operations["deleteWebhooksId"];
        options?: never;
        head?: never;
        /**
         * Change a webhook
         * @description Enabling a disabled webhook sends no events again; `recover` does.
         */
        patch: operations["patchWebhooksId"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries to a webhook, kept 30 days
         * @description The deliveries of the last 30 days.
         */
        get: operations["getWebhooksIdDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Deliver one event again */
        post: operations["postWebhooksIdDeliveriesDeliveryIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver every dead event since a time again
         * @description Every dead delivery since then is sent again. `since` is at most 30 days ago.
         */
        post: operations["postWebhooksIdRecover"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook
         * @description The old and the new secret both sign until `overlap_seconds` have passed.
         */
        post: operations["postWebhooksIdRotateSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event now, once
         * @description Makes one attempt to deliver `webhook.test`, at once and without a retry.
         */
        post: operations["postWebhooksIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/analytics/{resource}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what happened, by day or hour
         * @description Includes every bucket from `from` to `to`, even an empty one. By default the last 7 days; at most 400 days, or 31 by hour.
         */
        get: operations["getAnalyticsResource"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a file; its id is an upload_id for 24 hours
         * @description At most 25 MiB; a file whose content does not match its type is 400. Its `id` is an `upload_id` for messages, for 24 hours.
         */
        post: operations["postAttachments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/broadcasts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List broadcasts */
        get: operations["getBroadcasts"];
        put?: never;
        /**
         * Send a message to many people, or predict the result with dry_run=true
         * @description Exactly one of `text` and `template_id`, and at least one source in `audience`. With `dry_run=true` nothing is stored, and the response is 200 with the expected result. An unknown user, segment or template is 404, and nothing is stored.
         */
        post: operations["postBroadcasts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/broadcasts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one broadcast */
        get: operations["getBroadcastsId"];
        put?: never;
        post?: never;
        /**
         * Cancel a broadcast
         * @description Cancels the broadcast; the record stays readable. Sends in flight finish; no new send starts later than a second after the response.
         */
        delete: operations["deleteBroadcastsId"];
        options?: never;
        head?: never;
        /**
         * Change a broadcast that has not started
         * @description Only while the broadcast is a draft or scheduled.
         */
        patch: operations["patchBroadcastsId"];
        trace?: never;
    };
    "/openapi/broadcasts/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a broadcast that is being sent
         * @description Queued deliveries are held. No send starts later than a second after the response.
         */
        post: operations["postBroadcastsIdPause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/broadcasts/{id}/recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the recipients of a broadcast */
        get: operations["getBroadcastsIdRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/broadcasts/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused broadcast
         * @description Held deliveries continue. At most five broadcasts are sent at once.
         */
        post: operations["postBroadcastsIdResume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/broadcasts/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to the failed recipients again
         * @description Failed recipients become pending again and keep their message.
         */
        post: operations["postBroadcastsIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/broadcasts/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a drafted or scheduled broadcast
         * @description Starts a draft, or a scheduled one before its time.
         */
        post: operations["postBroadcastsIdStart"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List calls */
        get: operations["getCalls"];
        put?: never;
        /**
         * Start a call in a conversation, or with users or an address whose conversation is found or created
         * @description Exactly one of `conversation_id`, `participant_ids` and `to` is required. One live call per conversation. Opening `join_url` joins in the browser.
         */
        post: operations["postCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/calls/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one call */
        get: operations["getCallsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/calls/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a live call
         * @description `reason` replaces the reason that follows from the state.
         */
        post: operations["postCallsIdEnd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/calls/{id}/signal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Signal in a call without a WebSocket
         * @description `offer`, `answer` and `candidate` need `to` and `payload` and are sent to the sockets of that participant; `delivered` reports whether one was open. `join`, `leave`, `decline` and `bye` apply to the caller.
         */
        post: operations["postCallsIdSignal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/calls/{id}/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get a token with which a participant opens the WebSocket
         * @description A token is valid for one user in one call, for ten minutes. `user_id` is a participant, by default the caller.
         */
        post: operations["postCallsIdToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List conversations */
        get: operations["getConversations"];
        put?: never;
        /**
         * Open a conversation, or find the direct one of the same pair and platform
         * @description One of `participant_ids`, `recipient` and `links` is required; the caller is always a participant. If the same two people already have a direct conversation on that platform, the response is 200 with that conversation, and `message` is sent there.
         */
        post: operations["postConversations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one conversation, by id or number
         * @description `id` is an id or a number, as in every path below it.
         */
        get: operations["getConversationsId"];
        put?: never;
        post?: never;
        /**
         * Delete a conversation with its messages and links
         * @description Its links are removed and its messages become 404; it is purged after 30 days.
         */
        delete: operations["deleteConversationsId"];
        options?: never;
        head?: never;
        /**
         * Change a conversation
         * @description `snoozed_until` is required with status `snoozed`, and lies in the future.
         */
        patch: operations["patchConversationsId"];
        trace?: never;
    };
    "/openapi/conversations/{id}/capabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the capabilities of a conversation, per platform chat and combined
         * @description The capabilities of each link, and of all together: the weakest level and the smallest limit.
         */
        get: operations["getConversationsIdCapabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the connected platform chats */
        get: operations["getConversationsIdLinks"];
        put?: never;
        /**
         * Connect a platform chat
         * @description Links a chat of a connected platform: messages from the chat are received, and messages of the conversation and its other linked chats are sent to it. `external_id` is the platform's chat id.
         */
        post: operations["postConversationsIdLinks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations/{id}/links/{link_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Disconnect a platform chat and cancel its unsent deliveries
         * @description Its unsent deliveries are canceled.
         */
        delete: operations["deleteConversationsIdLinksLinkId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations/{id}/participants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List participants, also those who left
         * @description Those who left are listed too.
         */
        get: operations["getConversationsIdParticipants"];
        put?: never;
        /** Add a participant */
        post: operations["postConversationsIdParticipants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations/{id}/participants/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a participant
         * @description Sets `left_at`; 404 if the user does not participate.
         */
        delete: operations["deleteConversationsIdParticipantsUserId"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/conversations/{id}/typing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show that the caller is typing, or no longer
         * @description Shown in linked chats whose platform supports it.
         */
        post: operations["postConversationsIdTyping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries; dead letters with filter=status:failed
         * @description One delivery per message and link. `filter=status:failed` lists the dead letters.
         */
        get: operations["getDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one delivery */
        get: operations["getDeliveriesId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/deliveries/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the outcome of an uncertain delivery
         * @description Sets the outcome of an uncertain delivery.
         */
        post: operations["postDeliveriesIdResolve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/deliveries/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a failed or expired delivery again
         * @description Queues a failed or expired delivery again, with new attempts and a new expiry.
         */
        post: operations["postDeliveriesIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow events as Server-Sent Events; the data of each is a payload as webhooks get it
         * @description Events in the order of their commits, each at least once. A named event needs its read scope; `*`, the default, and categories include the events that the credential may read.
         *
         *     The header `Last-Event-ID`, or `last_event_id`, replays the events after that one, for 24 hours; for an unknown or older id the first event is `stream.gap`. A comment is sent every 15 s. At most 10 streams per credential are open; another one is 429.
         */
        get: operations["getEventsStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List locations; with profile:read alone the caller’s own
         * @description `locations:read` covers all users, `profile:read` alone only the caller; a request for another user is then 403. `from` is inclusive and `to` exclusive; both apply to `recorded_at`.
         */
        get: operations["getLocations"];
        put?: never;
        /**
         * Record where a user is, one point or a batch of points
         * @description One point, or up to 100 in `points`; then the answer is a list under `data`. More than one point a second of one user, after a burst of 100, is 429. Locations are kept for 30 days.
         */
        post: operations["postLocations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/locations/tracking": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tracking sessions: active ones, unless the filter names status
         * @description `locations:read` covers all users, `profile:read` alone only the caller; a request for another user is then 403. Only `active` sessions, unless the filter names `status`.
         */
        get: operations["getLocationsTracking"];
        put?: never;
        /**
         * Start to track a user, or ask for consent to it
         * @description The session is `pending` until its user consents, unless the user is the caller or has consented before. One live session per user and conversation.
         */
        post: operations["postLocationsTracking"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/locations/tracking/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one tracking session */
        get: operations["getLocationsTrackingId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/locations/tracking/{id}/consent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record whether the user consents to be tracked
         * @description Records the answer of a contact, or of the caller. `true` for a pending session, `false` for a pending or active one.
         */
        post: operations["postLocationsTrackingIdConsent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/locations/tracking/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop a tracking session */
        post: operations["postLocationsTrackingIdStop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages, of one conversation or all visible ones
         * @description With `conversation_id` (an id or a number), the messages of one conversation; 404 if it does not exist. Without it, all messages that the caller can see.
         */
        get: operations["getMessages"];
        put?: never;
        /**
         * Send a message
         * @description The response is sent once the message is stored. Afterwards the message is sent to every outbound link of the conversation. `deliveries` and events show its progress. If the recipient has opted out, the message is `blocked`, and the response is still 201. In a conversation without links only the members see the message.
         */
        post: operations["postMessages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one message */
        get: operations["getMessagesId"];
        put?: never;
        post?: never;
        /**
         * Delete a message, and its copies on platforms where possible
         * @description Unsent deliveries are canceled, and copies are removed on platforms where that is possible. From then on the message is 404.
         */
        delete: operations["deleteMessagesId"];
        options?: never;
        head?: never;
        /**
         * Edit a message on every platform that can
         * @description Edits every copy on platforms that can edit. `attachments` can be changed while the message is scheduled or queued, `send_at` while it is scheduled.
         */
        patch: operations["patchMessagesId"];
        trace?: never;
    };
    "/openapi/messages/{id}/reactions/{emoji}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * React to a message
         * @description One Unicode emoji or `:name:`. Repeating it has no effect.
         */
        put: operations["putMessagesIdReactionsEmoji"];
        post?: never;
        /**
         * Remove the caller's reaction
         * @description 404 when the caller has no such reaction there.
         */
        delete: operations["deleteMessagesIdReactionsEmoji"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/messages/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a message as read by the caller
         * @description Adds the caller to `read_by`. Repeating it has no effect.
         */
        post: operations["postMessagesIdRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/messages/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the failed and expired deliveries of a message again
         * @description Queues every failed and expired delivery again.
         */
        post: operations["postMessagesIdRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/messages/{id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what happened to a message, step by step
         * @description The steps of a message in the order of their times: its envelope, acceptance, deliveries, parts, attempts with the responses of the platform, receipts, events and webhooks. At most 500 steps, the earliest ones; `truncated` says that there are more. Steps end with the retention of the rows that they come from. Events are searched among the first 2,000 of the conversation since the message.
         */
        get: operations["getMessagesIdTrace"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/platforms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List installed platforms with their connections
         * @description The installed adapters with their connections.
         */
        get: operations["getPlatforms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/platforms/{platform}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one platform with its connections */
        get: operations["getPlatformsPlatform"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/platforms/{platform}/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connections of one platform */
        get: operations["getPlatformsPlatformConnections"];
        put?: never;
        /**
         * Connect an account on a platform
         * @description Credentials are encrypted and never shown. The response comes before the platform accepts them: `status` and `health` show the progress.
         */
        post: operations["postPlatformsPlatformConnections"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/platforms/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List connections */
        get: operations["getPlatformsConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/platforms/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one connection */
        get: operations["getPlatformsConnectionsId"];
        put?: never;
        post?: never;
        /**
         * Remove a connection, its links and its unsent deliveries
         * @description Removes its links and cancels its unsent deliveries.
         */
        delete: operations["deletePlatformsConnectionsId"];
        options?: never;
        head?: never;
        /**
         * Change a connection; it alone restarts
         * @description Restarts this connection and no other. `credentials` and `settings` are merged by name.
         */
        patch: operations["patchPlatformsConnectionsId"];
        trace?: never;
    };
    "/openapi/platforms/connections/{id}/reconnect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect again now */
        post: operations["postPlatformsConnectionsIdReconnect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/platforms/connections/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the platform whether the connection works
         * @description A refusal of the platform is a 200 with `ok: false`.
         */
        post: operations["postPlatformsConnectionsIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/protocols": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List protocols: what each installed adapter can do and needs
         * @description What each platform can do, whether connected or not.
         */
        get: operations["getProtocols"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/protocols/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one protocol */
        get: operations["getProtocolsId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/rtc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the WebSocket of call signaling, with a key or a join token as subprotocol
         * @description Needs `Upgrade: websocket`, else 400; a page of another origin is 403. Instead of a key the handshake can carry a join token as subprotocol `trunkline.token.<token>`, valid for its call. The server selects `trunkline.rtc.v1` when that is offered.
         *
         *     Frames are JSON text of at most 64 KiB. Client to server: `offer`, `answer`, `candidate` (`call_id`, `to`, `payload`), `join`, `leave`, `decline`, `bye` (`call_id`), `ping`. Server to client: the same from others (`from` in place of `to`), `joined`, `left`, `declined` (`call_id`, `user_id`), `ringing` and `ended` (`call`), `ready` (`user_id`, `heartbeat_seconds`) as the first frame, `pong`, and `ack` or `error` for a frame with `ref`.
         *
         *     Close codes: 1001 draining, 1003 binary frame, 1009 too long, 4401 the credential is no longer valid, 4408 no pong for 60 s, 4429 over 50 frames per second, or over 200 open sockets of one key, session or call in one process.
         */
        get: operations["getRtc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/rtc/ice-servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the STUN and TURN servers, with credentials for ten minutes
         * @description Empty when none is configured.
         */
        get: operations["getRtcIceServers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/sandbox/inbound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a message as the person at a sandbox address
         * @description Only with a test key, otherwise 404. A repeated `external_message_id` returns 200 with the stored message.
         */
        post: operations["postSandboxInbound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List segments */
        get: operations["getSegments"];
        put?: never;
        /**
         * Create a segment of users, by a filter, or from a CSV file
         * @description With `filter`, as on the list of users, or with `user_ids`; or as a form with `name` and a CSV `file` of at most 50 MiB, whose header is `user_id` or `platform,address`. Further columns are variables of the recipient.
         */
        post: operations["postSegments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one segment */
        get: operations["getSegmentsId"];
        put?: never;
        post?: never;
        /** Delete a segment; broadcasts that were accepted with it keep its members */
        delete: operations["deleteSegmentsId"];
        options?: never;
        head?: never;
        /** Change a segment; its kind stays */
        patch: operations["patchSegmentsId"];
        trace?: never;
    };
    "/openapi/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status and versions of the API
         * @description Also 200 while degraded. For any valid credential.
         */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List templates */
        get: operations["getTemplates"];
        put?: never;
        /**
         * Create a template
         * @description `{{ }}` contains the name of a variable of the recipient or the broadcast, `user.display_name` or `user.username`.
         */
        post: operations["postTemplates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one template */
        get: operations["getTemplatesId"];
        put?: never;
        post?: never;
        /** Delete a template; broadcasts keep their copies of it */
        delete: operations["deleteTemplatesId"];
        options?: never;
        head?: never;
        /** Change a template */
        patch: operations["patchTemplatesId"];
        trace?: never;
    };
    "/openapi/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Translate a text or a message
         * @description Translates a text or a message. Without a configured provider it is 503 `no_provider`.
         */
        post: operations["postTranslations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/tv/networks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List television networks
         * @description Empty without a configured source.
         */
        get: operations["getTvNetworks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/tv/networks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one network */
        get: operations["getTvNetworksId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/tv/networks/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a network shows
         * @description By default the next 24 hours; at most 14 days.
         */
        get: operations["getTvNetworksIdSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members, contacts and bots */
        get: operations["getUsers"];
        put?: never;
        /**
         * Create a contact
         * @description Creates a contact. Members are invited in the dashboard.
         */
        post: operations["postUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get one user */
        get: operations["getUsersId"];
        put?: never;
        post?: never;
        /**
         * Erase a contact
         * @description Erases a contact. Records keep its id, which is 404 from then on.
         */
        delete: operations["deleteUsersId"];
        options?: never;
        head?: never;
        /**
         * Change a contact, or the own profile by its id
         * @description For contacts; with the caller’s own id the same as for `me`.
         */
        patch: operations["patchUsersId"];
        trace?: never;
    };
    "/openapi/users/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge another contact into this one
         * @description Identities, conversations and messages of `source_id` move here, and the source is erased. Its phone, e-mail, locale and time zone fill gaps.
         */
        post: operations["postUsersIdMerge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the own profile
         * @description The user the credential belongs to.
         */
        get: operations["getUsersMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the own profile
         * @description `email`, `status` and other read-only fields are 400.
         */
        patch: operations["patchUsersMe"];
        trace?: never;
    };
}
export interface webhooks {
    "broadcast.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * It was canceled
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "broadcast.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * No recipient is pending, or it expired
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "broadcast.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The broadcast could not start
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "broadcast.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * It was paused, or quiet hours began
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastPaused"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "broadcast.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * It continues, or failed recipients are retried
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastResumed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "broadcast.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A broadcast was scheduled, or its time changed
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastScheduled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "broadcast.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sending began
         * @description Needs `broadcasts:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveBroadcastStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The first participant other than the initiator joined
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallAnswered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call was created
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call ended
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallEnded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The call failed
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.participant_joined": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A participant joined
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallParticipantJoined"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.participant_left": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A participant left
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallParticipantLeft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ringing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invitation reached a participant
         * @description Needs `calls:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveCallRinging"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The assignee changed
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationAssigned"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A conversation was created, also by a message from a new chat
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A conversation was deleted
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.link_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A chat of a platform was linked
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationLinkAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.link_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link was removed
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationLinkRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.link_updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A link changed, for example because its chat moved
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationLinkUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.participant_added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user joined
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationParticipantAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.participant_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user left
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationParticipantRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The status changed
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conversation.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fields other than status and assignee changed
         * @description Needs `conversations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveConversationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "delivery.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A delivery failed, expired or was blocked
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveDeliveryFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "delivery.uncertain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The outcome of a delivery is unknown
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveDeliveryUncertain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "delivery.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A delivery was created or changed its status
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveDeliveryUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "location.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A new location of a user, at most one in five seconds
         * @description Needs `locations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveLocationUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was received, written or sent by a broadcast
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was deleted
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.delivered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A platform reports that the message was delivered
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageDelivered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message failed, expired or was blocked
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was read
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.rerouted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A broadcast's fallback sends the message by another platform
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageRerouted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Each platform of the message has accepted it
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageSent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message was edited, became due or was canceled
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveMessageUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform.connected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection works
         * @description Needs `platforms:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receivePlatformConnected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform.disconnected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A connection is degraded or disabled
         * @description Needs `platforms:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receivePlatformDisconnected"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform.error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The credentials or settings of a connection are refused
         * @description Needs `platforms:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receivePlatformError"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "platform.gap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Events of a platform may be missing and cannot be fetched
         * @description Needs `platforms:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receivePlatformGap"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "reaction.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A reaction was added to a message
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveReactionAdded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "reaction.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A reaction was removed from a message
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveReactionRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service.backlog_grown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The oldest work is over a minute old, in workspaces of operators
         * @description Needs `platforms:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveServiceBacklogGrown"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "service.backup_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * `trunkline backup` failed, in workspaces of operators
         * @description Needs `platforms:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveServiceBackupFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tracking.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tracking expired
         * @description Needs `locations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveTrackingExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tracking.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tracking became active
         * @description Needs `locations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveTrackingStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "tracking.stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tracking was stopped, denied or revoked
         * @description Needs `locations:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveTrackingStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "typing.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A participant types
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveTypingStarted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "typing.stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A participant stopped typing
         * @description Needs `messages:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveTypingStopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was created, also by a message from a new contact
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A user was erased
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.merged": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact was merged into this one
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserMerged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.opted_in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact opted in to messages of these categories
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserOptedIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.opted_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A contact opted out of messages of these categories
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserOptedOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.presence_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The presence changed
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserPresenceChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The status changed
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserStatusChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "user.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fields other than status and presence changed
         * @description Needs `profile:read`. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveUserUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook was disabled by the service
         * @description Any event read scope. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of a webhook, sent to it alone
         * @description Any event read scope. Signed with `X-Service-Signature` and with the headers of Standard Webhooks. Retried with the same `id` until the receiver responds with 2xx.
         */
        post: operations["receiveWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Analytics: {
            /** Format: date-time */
            from: string;
            group_by: ("platform" | "status" | "agent") | null;
            /** @enum {string} */
            interval: "day" | "hour";
            /** @enum {string} */
            resource: "messages" | "conversations" | "calls" | "broadcasts" | "webhooks";
            series: {
                group: string | null;
                /** Format: date-time */
                start: string;
                /** @description Amounts by name; which names there are depends on the resource. */
                values: {
                    [key: string]: number;
                };
            }[];
            /** Format: date-time */
            to: string;
            /** @description Amounts by name; which names there are depends on the resource. */
            totals: {
                [key: string]: number;
            };
        };
        ApiStatus: {
            build: {
                commit: string;
                version: string;
            };
            components: {
                latency_ms: number | null;
                message: string | null;
                name: string;
                /** @enum {string} */
                status: "operational" | "degraded" | "maintenance" | "outage";
            }[];
            /** @enum {string} */
            status: "operational" | "degraded" | "maintenance" | "outage";
            /** Format: date-time */
            time: string;
            uptime_seconds: number;
            /** @constant */
            version: "1.0";
            versions: {
                path: string;
                /** @enum {string} */
                status: "stable" | "beta" | "deprecated";
                sunset_at: string | null;
                version: string;
            }[];
        };
        Attachment: {
            alt_text: string | null;
            duration_ms: number | null;
            height: number | null;
            /** Format: uuid */
            id: string;
            latitude: number | null;
            longitude: number | null;
            metadata: {
                [key: string]: unknown;
            };
            mime_type: string | null;
            name: string | null;
            size: number | null;
            source_url: string | null;
            /** @enum {string} */
            state: "pending" | "ready" | "failed";
            thumbnail_url: string | null;
            /** @enum {string} */
            type: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
            url: string | null;
            width: number | null;
        };
        Broadcast: {
            attachments: components["schemas"]["Attachment"][];
            audience: {
                [key: string]: unknown;
            };
            canceled_at: string | null;
            /** @enum {string} */
            category: "marketing" | "transactional";
            completed_at: string | null;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** @description Each recipient once; they add up to total at every moment. */
            counts: {
                canceled: number;
                delivered: number;
                expired: number;
                failed: number;
                pending: number;
                read: number;
                sent: number;
                skipped: number;
                total: number;
                uncertain: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            error: components["schemas"]["DeliveryError"] | null;
            eta: string | null;
            fallback: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            name: string;
            /** @description Priority; empty: each user's own order. */
            platforms: string[];
            /** @description Share that is not pending, 0 to 1. */
            progress: number;
            schedule: {
                at: string | null;
                expires_at: string | null;
                /** @description The recipients' wall clock, `YYYY-MM-DDTHH:mm` without an offset. */
                local_time: string | null;
                mode: ("fixed" | "recipient_local") | null;
                quiet_hours: {
                    /** @description Days on which they begin; 0 is Sunday. Empty: all. */
                    days: number[];
                    from: string | null;
                    timezone: string | null;
                    to: string | null;
                } | null;
            } | null;
            scheduled_at: string | null;
            skip_reasons: {
                [key: string]: number;
            };
            started_at: string | null;
            /** @enum {string} */
            status: "draft" | "scheduled" | "preparing" | "sending" | "paused" | "on_hold" | "canceling" | "completed" | "expired" | "failed" | "canceled";
            template_id: string | null;
            text: string | null;
            throttle: {
                per_minute: number;
            } | null;
            /** Format: date-time */
            updated_at: string;
            variables: {
                [key: string]: unknown;
            };
            variants: {
                [key: string]: unknown;
            }[];
        };
        BroadcastCanceledEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.canceled";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastCompletedEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.completed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastFailedEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.failed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastPausedEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.paused";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastRecipient: {
            address: string | null;
            attempts: number;
            /** Format: uuid */
            broadcast_id: string;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            /** Format: uuid */
            id: string;
            message_id: string | null;
            platform: string | null;
            queued_at: string | null;
            read_at: string | null;
            sent_at: string | null;
            skip_reason: ("opted_out" | "no_route" | "duplicate" | "frequency_cap" | "blocked" | "invalid_address" | "missing_variable") | null;
            /** @enum {string} */
            status: "pending" | "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "uncertain" | "skipped" | "canceled" | "expired";
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
            variant: string | null;
        };
        BroadcastResumedEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.resumed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastScheduledEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.scheduled";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastStartedEvent: {
            data: components["schemas"]["BroadcastStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "broadcast.started";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        BroadcastStepData: {
            attachments: components["schemas"]["Attachment"][];
            audience: {
                [key: string]: unknown;
            };
            canceled_at: string | null;
            /** @enum {string} */
            category: "marketing" | "transactional";
            completed_at: string | null;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** @description Each recipient once; they add up to total at every moment. */
            counts: {
                canceled: number;
                delivered: number;
                expired: number;
                failed: number;
                pending: number;
                read: number;
                sent: number;
                skipped: number;
                total: number;
                uncertain: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            error: components["schemas"]["DeliveryError"] | null;
            eta: string | null;
            fallback: {
                [key: string]: unknown;
            } | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            name: string;
            /** @description Priority; empty: each user's own order. */
            platforms: string[];
            /** @description Previous values of the changed fields. */
            previous?: {
                [key: string]: unknown;
            };
            /** @description Share that is not pending, 0 to 1. */
            progress: number;
            schedule: {
                at: string | null;
                expires_at: string | null;
                /** @description The recipients' wall clock, `YYYY-MM-DDTHH:mm` without an offset. */
                local_time: string | null;
                mode: ("fixed" | "recipient_local") | null;
                quiet_hours: {
                    /** @description Days on which they begin; 0 is Sunday. Empty: all. */
                    days: number[];
                    from: string | null;
                    timezone: string | null;
                    to: string | null;
                } | null;
            } | null;
            scheduled_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            skip_reasons: {
                [key: string]: number;
            };
            started_at: string | null;
            /** @enum {string} */
            status: "draft" | "scheduled" | "preparing" | "sending" | "paused" | "on_hold" | "canceling" | "completed" | "expired" | "failed" | "canceled";
            template_id: string | null;
            text: string | null;
            throttle: {
                per_minute: number;
            } | null;
            /** Format: date-time */
            updated_at: string;
            variables: {
                [key: string]: unknown;
            };
            variants: {
                [key: string]: unknown;
            }[];
        };
        Call: {
            answered_at: string | null;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** @description Seconds from the answer to the end. */
            duration: number | null;
            end_reason: ("completed" | "canceled" | "declined" | "busy" | "no_answer" | "connection_lost" | "max_duration" | "shutdown" | "media_failure" | "provider_error" | "timed_out") | null;
            ended_at: string | null;
            /** @description The user who ended it; null after a timeout. */
            ended_by: string | null;
            error: {
                code: string;
                message: string;
                permanent: boolean;
                platform_code: string | null;
            } | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            initiator_id: string;
            /** @description Page on which participants join; null once it is over. */
            join_url: string | null;
            /** @description Seconds. */
            max_duration: number;
            metadata: {
                [key: string]: unknown;
            };
            participants: components["schemas"]["CallParticipant"][];
            /** @description webrtc, pstn or a platform. */
            platform: string;
            recording_url: string | null;
            /** @description Seconds. */
            ring_timeout: number;
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "initiated" | "ringing" | "active" | "ended" | "failed";
            /** @enum {string} */
            type: "voice" | "video";
            /** Format: date-time */
            updated_at: string;
        };
        CallAnsweredEvent: {
            data: components["schemas"]["CallChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.answered";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        CallChangeData: {
            answered_at: string | null;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** @description Seconds from the answer to the end. */
            duration: number | null;
            end_reason: ("completed" | "canceled" | "declined" | "busy" | "no_answer" | "connection_lost" | "max_duration" | "shutdown" | "media_failure" | "provider_error" | "timed_out") | null;
            ended_at: string | null;
            /** @description The user who ended it; null after a timeout. */
            ended_by: string | null;
            error: {
                code: string;
                message: string;
                permanent: boolean;
                platform_code: string | null;
            } | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            initiator_id: string;
            /** @description Page on which participants join; null once it is over. */
            join_url: string | null;
            /** @description Seconds. */
            max_duration: number;
            metadata: {
                [key: string]: unknown;
            };
            participants: components["schemas"]["CallParticipant"][];
            /** @description webrtc, pstn or a platform. */
            platform: string;
            /** @description Previous values of the changed fields. */
            previous: {
                [key: string]: unknown;
            };
            recording_url: string | null;
            /** @description Seconds. */
            ring_timeout: number;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "initiated" | "ringing" | "active" | "ended" | "failed";
            /** @enum {string} */
            type: "voice" | "video";
            /** Format: date-time */
            updated_at: string;
        };
        CallCreatedEvent: {
            data: components["schemas"]["CallData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.created";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        CallData: {
            answered_at: string | null;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** @description Seconds from the answer to the end. */
            duration: number | null;
            end_reason: ("completed" | "canceled" | "declined" | "busy" | "no_answer" | "connection_lost" | "max_duration" | "shutdown" | "media_failure" | "provider_error" | "timed_out") | null;
            ended_at: string | null;
            /** @description The user who ended it; null after a timeout. */
            ended_by: string | null;
            error: {
                code: string;
                message: string;
                permanent: boolean;
                platform_code: string | null;
            } | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            initiator_id: string;
            /** @description Page on which participants join; null once it is over. */
            join_url: string | null;
            /** @description Seconds. */
            max_duration: number;
            metadata: {
                [key: string]: unknown;
            };
            participants: components["schemas"]["CallParticipant"][];
            /** @description webrtc, pstn or a platform. */
            platform: string;
            recording_url: string | null;
            /** @description Seconds. */
            ring_timeout: number;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "initiated" | "ringing" | "active" | "ended" | "failed";
            /** @enum {string} */
            type: "voice" | "video";
            /** Format: date-time */
            updated_at: string;
        };
        CallEndedEvent: {
            data: components["schemas"]["CallChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.ended";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        CallFailedEvent: {
            data: components["schemas"]["CallChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.failed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        CallParticipant: {
            joined_at: string | null;
            left_at: string | null;
            /** @enum {string} */
            status: "invited" | "ringing" | "joined" | "left" | "declined" | "missed";
            /** Format: uuid */
            user_id: string;
        };
        CallParticipantJoinedData: {
            answered_at: string | null;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            direction: "outbound" | "inbound";
            /** @description Seconds from the answer to the end. */
            duration: number | null;
            end_reason: ("completed" | "canceled" | "declined" | "busy" | "no_answer" | "connection_lost" | "max_duration" | "shutdown" | "media_failure" | "provider_error" | "timed_out") | null;
            ended_at: string | null;
            /** @description The user who ended it; null after a timeout. */
            ended_by: string | null;
            error: {
                code: string;
                message: string;
                permanent: boolean;
                platform_code: string | null;
            } | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            initiator_id: string;
            /** @description Page on which participants join; null once it is over. */
            join_url: string | null;
            /** @description Seconds. */
            max_duration: number;
            metadata: {
                [key: string]: unknown;
            };
            participant: components["schemas"]["CallParticipant"];
            participants: components["schemas"]["CallParticipant"][];
            /** @description webrtc, pstn or a platform. */
            platform: string;
            recording_url: string | null;
            /** @description Seconds. */
            ring_timeout: number;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** Format: date-time */
            started_at: string;
            /** @enum {string} */
            status: "initiated" | "ringing" | "active" | "ended" | "failed";
            /** @enum {string} */
            type: "voice" | "video";
            /** Format: date-time */
            updated_at: string;
        };
        CallParticipantJoinedEvent: {
            data: components["schemas"]["CallParticipantJoinedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.participant_joined";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        CallParticipantLeftEvent: {
            data: components["schemas"]["CallParticipantJoinedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.participant_left";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        CallRingingEvent: {
            data: components["schemas"]["CallChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "call.ringing";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Capabilities: {
            delete: {
                max_age_s: number | null;
                others: boolean;
            } | null;
            edit: {
                max_age_s: number | null;
                max_count: number | null;
                media: boolean;
            } | null;
            /** @description Changes exactly when the content does. */
            hash: string;
            media: {
                [key: string]: {
                    caption_max: number | null;
                    max_bytes: number | null;
                    mime: {
                        [key: string]: components["schemas"]["CapabilityLevel"];
                    };
                    per_message: number | null;
                };
            };
            ops: {
                buttons: components["schemas"]["CapabilityLevel"];
                calls: components["schemas"]["CapabilityLevel"];
                delete: components["schemas"]["CapabilityLevel"];
                delivered: components["schemas"]["CapabilityLevel"];
                edit: components["schemas"]["CapabilityLevel"];
                history: components["schemas"]["CapabilityLevel"];
                initiate: components["schemas"]["CapabilityLevel"];
                live_location: components["schemas"]["CapabilityLevel"];
                location: components["schemas"]["CapabilityLevel"];
                membership: components["schemas"]["CapabilityLevel"];
                persona_override: components["schemas"]["CapabilityLevel"];
                react: components["schemas"]["CapabilityLevel"];
                read_in: components["schemas"]["CapabilityLevel"];
                read_out: components["schemas"]["CapabilityLevel"];
                reply: components["schemas"]["CapabilityLevel"];
                schedule: components["schemas"]["CapabilityLevel"];
                thread: components["schemas"]["CapabilityLevel"];
                typing: components["schemas"]["CapabilityLevel"];
            };
            react: {
                allowed: string[] | null;
                per_user: number | null;
            } | null;
            text: {
                formats: {
                    [key: string]: components["schemas"]["CapabilityLevel"];
                };
                max: number | null;
                /** @enum {string} */
                unit: "utf16" | "codepoint" | "byte" | "gsm7";
            };
            /** @constant */
            v: 1;
        };
        /** @enum {string} */
        CapabilityLevel: "native" | "emulated" | "dropped" | "rejected" | "unknown";
        ConfigField: {
            default: unknown;
            description: string | null;
            enum: unknown[] | null;
            /** @description Label of each value of `enum`, by value. Values without a label are missing. */
            enum_titles: {
                [key: string]: string;
            } | null;
            name: string;
            required: boolean;
            /** @description Label for a form. Null: show `name`. */
            title: string | null;
            /** @description `secret`, `string`, `integer`, `number` or `boolean`. */
            type: string;
        };
        Connection: {
            counters: {
                failed: number;
                received: number;
                sent: number;
                uncertain: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            credentials_set: string[];
            enabled: boolean;
            /** @description The last ten reports of missing events, newest first. */
            gaps: components["schemas"]["ConnectionGap"][];
            health: {
                /** @enum {string} */
                code: "ok" | "connecting" | "transient" | "rate_limited" | "bad_credentials" | "misconfigured" | "disabled";
                fix: string | null;
                message: string;
                /** Format: date-time */
                since: string;
            };
            /** Format: uuid */
            id: string;
            identity: {
                external_id: string;
                handle: string | null;
                name: string | null;
            } | null;
            last_error: components["schemas"]["DeliveryError"] | null;
            last_event_at: string | null;
            name: string;
            platform: string;
            settings: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "connecting" | "connected" | "degraded" | "error" | "disabled";
            /** Format: date-time */
            updated_at: string;
            webhook_url: string;
        };
        ConnectionGap: {
            reason: string;
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            until: string;
        };
        ConnectionStepData: {
            counters: {
                failed: number;
                received: number;
                sent: number;
                uncertain: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            credentials_set: string[];
            enabled: boolean;
            /** @description The last ten reports of missing events, newest first. */
            gaps: components["schemas"]["ConnectionGap"][];
            health: {
                /** @enum {string} */
                code: "ok" | "connecting" | "transient" | "rate_limited" | "bad_credentials" | "misconfigured" | "disabled";
                fix: string | null;
                message: string;
                /** Format: date-time */
                since: string;
            };
            /** Format: uuid */
            id: string;
            identity: {
                external_id: string;
                handle: string | null;
                name: string | null;
            } | null;
            last_error: components["schemas"]["DeliveryError"] | null;
            last_event_at: string | null;
            name: string;
            platform: string;
            /** @description Previous values of the changed fields. */
            previous?: {
                [key: string]: unknown;
            };
            /** @description Increases with each event about the same subject. */
            sequence: number;
            settings: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "connecting" | "connected" | "degraded" | "error" | "disabled";
            /** Format: date-time */
            updated_at: string;
            webhook_url: string;
        };
        ConnectionTest: {
            checks: {
                message: string;
                name: string;
                ok: boolean;
            }[];
            error: components["schemas"]["DeliveryError"] | null;
            identity: {
                external_id: string;
                handle: string | null;
                name: string | null;
            } | null;
            latency_ms: number;
            ok: boolean;
        };
        Conversation: {
            assignee_id: string | null;
            /** @description Set while resolved or archived. */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** Format: uuid */
            id: string;
            labels: string[];
            last_message: {
                /**
                 * @description Present where the text is Markdown.
                 * @constant
                 */
                content_type?: "markdown";
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                sender_id: string;
                text: string;
            } | null;
            last_message_at: string | null;
            links: components["schemas"]["Link"][];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Per workspace, consecutive from 1, never reused. */
            number: number;
            participants: components["schemas"]["Participant"][];
            /** @description Of the link used last. */
            platform: string | null;
            platforms: string[];
            /** @enum {string} */
            priority: "none" | "low" | "medium" | "high" | "urgent";
            snoozed_until: string | null;
            /** @enum {string} */
            status: "open" | "pending" | "snoozed" | "resolved" | "archived";
            team: string | null;
            title: string | null;
            /** @enum {string} */
            type: "direct" | "group" | "channel";
            /** @description For the caller. */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationAssignedEvent: {
            data: components["schemas"]["ConversationChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.assigned";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationCapabilities: {
            /** @description Weakest level and smallest limit of the links that messages go to. */
            combined: components["schemas"]["Capabilities"];
            /** Format: uuid */
            conversation_id: string;
            links: {
                capabilities: components["schemas"]["Capabilities"];
                /** Format: uuid */
                connection_id: string;
                /** Format: uuid */
                link_id: string;
                platform: string;
            }[];
        };
        ConversationChangeData: {
            assignee_id: string | null;
            /** @description Set while resolved or archived. */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** Format: uuid */
            id: string;
            labels: string[];
            last_message: {
                /**
                 * @description Present where the text is Markdown.
                 * @constant
                 */
                content_type?: "markdown";
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                sender_id: string;
                text: string;
            } | null;
            last_message_at: string | null;
            links: components["schemas"]["Link"][];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Per workspace, consecutive from 1, never reused. */
            number: number;
            participants: components["schemas"]["Participant"][];
            /** @description Of the link used last. */
            platform: string | null;
            platforms: string[];
            /** @description Previous values of the changed fields. */
            previous: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            priority: "none" | "low" | "medium" | "high" | "urgent";
            /** @description Increases with each event about the same subject. */
            sequence: number;
            snoozed_until: string | null;
            /** @enum {string} */
            status: "open" | "pending" | "snoozed" | "resolved" | "archived";
            team: string | null;
            title: string | null;
            /** @enum {string} */
            type: "direct" | "group" | "channel";
            /** @description For the caller. */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationCreatedEvent: {
            data: components["schemas"]["ConversationData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.created";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationData: {
            assignee_id: string | null;
            /** @description Set while resolved or archived. */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** Format: uuid */
            id: string;
            labels: string[];
            last_message: {
                /**
                 * @description Present where the text is Markdown.
                 * @constant
                 */
                content_type?: "markdown";
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                sender_id: string;
                text: string;
            } | null;
            last_message_at: string | null;
            links: components["schemas"]["Link"][];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Per workspace, consecutive from 1, never reused. */
            number: number;
            participants: components["schemas"]["Participant"][];
            /** @description Of the link used last. */
            platform: string | null;
            platforms: string[];
            /** @enum {string} */
            priority: "none" | "low" | "medium" | "high" | "urgent";
            /** @description Increases with each event about the same subject. */
            sequence: number;
            snoozed_until: string | null;
            /** @enum {string} */
            status: "open" | "pending" | "snoozed" | "resolved" | "archived";
            team: string | null;
            title: string | null;
            /** @enum {string} */
            type: "direct" | "group" | "channel";
            /** @description For the caller. */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationDeletedData: {
            /** Format: date-time */
            deleted_at: string;
            deleted_by: string | null;
            /** Format: uuid */
            id: string;
            number: number;
            /** @description Increases with each event about the same subject. */
            sequence: number;
        };
        ConversationDeletedEvent: {
            data: components["schemas"]["ConversationDeletedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.deleted";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationLinkAddedData: {
            assignee_id: string | null;
            /** @description Set while resolved or archived. */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** Format: uuid */
            id: string;
            labels: string[];
            last_message: {
                /**
                 * @description Present where the text is Markdown.
                 * @constant
                 */
                content_type?: "markdown";
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                sender_id: string;
                text: string;
            } | null;
            last_message_at: string | null;
            link: components["schemas"]["Link"];
            links: components["schemas"]["Link"][];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Per workspace, consecutive from 1, never reused. */
            number: number;
            participants: components["schemas"]["Participant"][];
            /** @description Of the link used last. */
            platform: string | null;
            platforms: string[];
            /** @enum {string} */
            priority: "none" | "low" | "medium" | "high" | "urgent";
            /** @description Increases with each event about the same subject. */
            sequence: number;
            snoozed_until: string | null;
            /** @enum {string} */
            status: "open" | "pending" | "snoozed" | "resolved" | "archived";
            team: string | null;
            title: string | null;
            /** @enum {string} */
            type: "direct" | "group" | "channel";
            /** @description For the caller. */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationLinkAddedEvent: {
            data: components["schemas"]["ConversationLinkAddedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.link_added";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationLinkRemovedEvent: {
            data: components["schemas"]["ConversationLinkAddedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.link_removed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationLinkUpdatedData: {
            assignee_id: string | null;
            /** @description Set while resolved or archived. */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** Format: uuid */
            id: string;
            labels: string[];
            last_message: {
                /**
                 * @description Present where the text is Markdown.
                 * @constant
                 */
                content_type?: "markdown";
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                sender_id: string;
                text: string;
            } | null;
            last_message_at: string | null;
            link: components["schemas"]["Link"];
            links: components["schemas"]["Link"][];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Per workspace, consecutive from 1, never reused. */
            number: number;
            participants: components["schemas"]["Participant"][];
            /** @description Of the link used last. */
            platform: string | null;
            platforms: string[];
            /** @enum {string} */
            priority: "none" | "low" | "medium" | "high" | "urgent";
            /**
             * @description Why the service has paused the link.
             * @enum {string}
             */
            reason?: "loop";
            /** @description Increases with each event about the same subject. */
            sequence: number;
            snoozed_until: string | null;
            /** @enum {string} */
            status: "open" | "pending" | "snoozed" | "resolved" | "archived";
            team: string | null;
            title: string | null;
            /** @enum {string} */
            type: "direct" | "group" | "channel";
            /** @description For the caller. */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
        };
        ConversationLinkUpdatedEvent: {
            data: components["schemas"]["ConversationLinkUpdatedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.link_updated";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationParticipantAddedData: {
            assignee_id: string | null;
            /** @description Set while resolved or archived. */
            closed_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** Format: uuid */
            id: string;
            labels: string[];
            last_message: {
                /**
                 * @description Present where the text is Markdown.
                 * @constant
                 */
                content_type?: "markdown";
                /** Format: date-time */
                created_at: string;
                /** Format: uuid */
                id: string;
                /** Format: uuid */
                sender_id: string;
                text: string;
            } | null;
            last_message_at: string | null;
            links: components["schemas"]["Link"][];
            metadata: {
                [key: string]: unknown;
            };
            /** @description Per workspace, consecutive from 1, never reused. */
            number: number;
            participants: components["schemas"]["Participant"][];
            /** @description Of the link used last. */
            platform: string | null;
            platforms: string[];
            /** @enum {string} */
            priority: "none" | "low" | "medium" | "high" | "urgent";
            /** @description Increases with each event about the same subject. */
            sequence: number;
            snoozed_until: string | null;
            /** @enum {string} */
            status: "open" | "pending" | "snoozed" | "resolved" | "archived";
            team: string | null;
            title: string | null;
            /** @enum {string} */
            type: "direct" | "group" | "channel";
            /** @description For the caller. */
            unread_count: number;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
        };
        ConversationParticipantAddedEvent: {
            data: components["schemas"]["ConversationParticipantAddedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.participant_added";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationParticipantRemovedEvent: {
            data: components["schemas"]["ConversationParticipantAddedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.participant_removed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationStatusChangedEvent: {
            data: components["schemas"]["ConversationChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.status_changed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ConversationUpdatedEvent: {
            data: components["schemas"]["ConversationChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "conversation.updated";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Delivery: {
            /** @description Number of attempts. */
            attempt_count: number;
            /** Format: uuid */
            connection_id: string;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            degradations: string[];
            delivered_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            external_chat_id: string;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            link_id: string;
            /** Format: uuid */
            message_id: string;
            next_attempt_at: string | null;
            parts: components["schemas"]["DeliveryPart"][];
            platform: string;
            read_at: string | null;
            resolution: ("reconciled" | "retried" | "manual" | "timeout") | null;
            /** @description Message revision last shown there; 0 before the first. */
            revision: number;
            sent_at: string | null;
            /** @enum {string} */
            status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            superseded_by: string | null;
            uncertain_at: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        DeliveryChangeData: {
            /** @description Number of attempts. */
            attempt_count: number;
            /** Format: uuid */
            connection_id: string;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            degradations: string[];
            delivered_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            external_chat_id: string;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            link_id: string;
            /** Format: uuid */
            message_id: string;
            next_attempt_at: string | null;
            parts: components["schemas"]["DeliveryPart"][];
            platform: string;
            /** @description Previous values of the changed fields. */
            previous: {
                [key: string]: unknown;
            };
            read_at: string | null;
            resolution: ("reconciled" | "retried" | "manual" | "timeout") | null;
            /** @description Message revision last shown there; 0 before the first. */
            revision: number;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            superseded_by: string | null;
            uncertain_at: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        DeliveryData: {
            /** @description Number of attempts. */
            attempt_count: number;
            /** Format: uuid */
            connection_id: string;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            degradations: string[];
            delivered_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            external_chat_id: string;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            link_id: string;
            /** Format: uuid */
            message_id: string;
            next_attempt_at: string | null;
            parts: components["schemas"]["DeliveryPart"][];
            platform: string;
            read_at: string | null;
            resolution: ("reconciled" | "retried" | "manual" | "timeout") | null;
            /** @description Message revision last shown there; 0 before the first. */
            revision: number;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "queued" | "sending" | "sent" | "delivered" | "read" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            superseded_by: string | null;
            uncertain_at: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        DeliveryError: {
            /** @enum {string} */
            code: "recipient_gone" | "blocked_by_recipient" | "opted_out" | "content_rejected" | "too_long" | "too_large" | "unsupported" | "forbidden" | "auth_revoked" | "media_unavailable" | "edit_expired" | "no_route" | "provider_error" | "platform_error" | "rate_limited" | "network" | "platform_down" | "expired" | "outcome_unknown";
            message: string;
            permanent: boolean;
            /** @description Code or text given by the platform. */
            platform_code: string | null;
        };
        DeliveryFailedEvent: {
            data: components["schemas"]["DeliveryData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "delivery.failed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        DeliveryPart: {
            /** @description The platform's message id. */
            external_id: string | null;
            index: number;
            /** @enum {string} */
            kind: "text" | "media" | "location" | "contact";
            sent_at: string | null;
            /** @enum {string} */
            status: "pending" | "sent" | "uncertain" | "failed";
        };
        DeliveryUncertainEvent: {
            data: components["schemas"]["DeliveryData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "delivery.uncertain";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        DeliveryUpdatedEvent: {
            data: components["schemas"]["DeliveryChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "delivery.updated";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        DryRun: {
            eta_seconds: number;
            parts: number;
            platforms: {
                /** @description What the platform bills for the texts. Null: messages. */
                billed: {
                    count: number;
                    unit: string;
                } | null;
                degradations: string[];
                parts: number;
                platform: string;
                recipients: number;
                /** @description Recipients whose text needs more parts than a message may have. */
                too_long: number;
            }[];
            recipients: number;
            samples: {
                degradations: string[];
                parts: number;
                platform: string;
                text: string;
                /** Format: uuid */
                user_id: string;
            }[];
            skips: {
                [key: string]: number;
            };
            warnings: string[];
            /** @description Recipients without a time zone, if the broadcast is sent at a local time. */
            without_zone: number;
        };
        Error: {
            details?: {
                [key: string]: unknown;
            };
            /** @description Which error it is; it goes with the status. */
            error: string;
            /** @description For a person. */
            message: string;
        };
        IceServers: {
            /** @description When the credentials do; null without any. */
            expires_at: string | null;
            /** @description As RTCPeerConnection takes them. */
            ice_servers: {
                credential?: string;
                urls: string[];
                username?: string;
            }[];
        };
        Identity: {
            /** @description The person's id on the platform. */
            external_id: string;
            handle: string | null;
            /** @description Of marketing and notification. */
            opt_out: string[];
            platform: string;
            reachable: boolean;
            verified: boolean;
        };
        Link: {
            /** @enum {string} */
            attribution: "prefix" | "persona" | "none";
            /** Format: uuid */
            connection_id: string;
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            created_at: string;
            /** @enum {string} */
            direction: "two_way" | "inbound" | "outbound";
            /** @description The platform's chat id. */
            external_id: string;
            /** @description Its topic or thread. */
            external_thread_id: string | null;
            /** Format: uuid */
            id: string;
            last_inbound_at: string | null;
            last_outbound_at: string | null;
            platform: string;
            /**
             * @description broken: chat gone or not accessible.
             * @enum {string}
             */
            status: "active" | "broken";
            title: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        ListLinks: {
            first: string;
            last: string;
            next: string | null;
            prev: string | null;
        };
        ListMeta: {
            current_page: number;
            items_per_page: number;
            total_items: number;
            total_pages: number;
        };
        Location: {
            /** @description Metres. */
            accuracy: number | null;
            address: string | null;
            altitude: number | null;
            altitude_accuracy: number | null;
            /** Format: date-time */
            created_at: string;
            /** @description Degrees. */
            heading: number | null;
            /** Format: uuid */
            id: string;
            latitude: number;
            longitude: number;
            metadata: {
                [key: string]: unknown;
            };
            platform: string | null;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            source: "device" | "manual" | "platform";
            /** @description Metres per second. */
            speed: number | null;
            tracking_session_id: string | null;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
        };
        LocationBatch: {
            data: components["schemas"]["Location"][];
        };
        LocationData: {
            /** @description Metres. */
            accuracy: number | null;
            address: string | null;
            altitude: number | null;
            altitude_accuracy: number | null;
            /** Format: date-time */
            created_at: string;
            /** @description Degrees. */
            heading: number | null;
            /** Format: uuid */
            id: string;
            latitude: number;
            longitude: number;
            metadata: {
                [key: string]: unknown;
            };
            platform: string | null;
            /** Format: date-time */
            recorded_at: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            source: "device" | "manual" | "platform";
            /** @description Metres per second. */
            speed: number | null;
            tracking_session_id: string | null;
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
        };
        LocationUpdatedEvent: {
            data: components["schemas"]["LocationData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "location.updated";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Message: {
            attachments: components["schemas"]["Attachment"][];
            broadcast_id: string | null;
            /** @enum {string} */
            category: "conversational" | "transactional" | "marketing";
            /**
             * @deprecated
             * @description Repeats `text` in the response to a request that used `content`.
             */
            content?: string;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** Format: uuid */
            conversation_id: string;
            conversation_number: number;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            deliveries: components["schemas"]["Delivery"][];
            /** @enum {string} */
            direction: "inbound" | "outbound" | "internal";
            edited_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            origin: {
                /** Format: uuid */
                connection_id: string;
                external_id: string;
                external_sender_id: string;
                /** Format: uuid */
                link_id: string;
            } | null;
            platform: string | null;
            reactions: components["schemas"]["Reaction"][];
            read_by: components["schemas"]["ReadReceipt"][];
            reply_to_id: string | null;
            revision: number;
            send_at: string | null;
            /** Format: uuid */
            sender_id: string;
            sent_at: string | null;
            /** @enum {string} */
            status: "received" | "read" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            text: string;
            thread_count: number;
            thread_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        MessageChangeData: {
            attachments: components["schemas"]["Attachment"][];
            broadcast_id: string | null;
            /** @enum {string} */
            category: "conversational" | "transactional" | "marketing";
            /**
             * @deprecated
             * @description Repeats `text` in the response to a request that used `content`.
             */
            content?: string;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** Format: uuid */
            conversation_id: string;
            conversation_number: number;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            deliveries: components["schemas"]["Delivery"][];
            /** @enum {string} */
            direction: "inbound" | "outbound" | "internal";
            edited_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            origin: {
                /** Format: uuid */
                connection_id: string;
                external_id: string;
                external_sender_id: string;
                /** Format: uuid */
                link_id: string;
            } | null;
            platform: string | null;
            /** @description Previous values of the changed fields. */
            previous: {
                [key: string]: unknown;
            };
            reactions: components["schemas"]["Reaction"][];
            read_by: components["schemas"]["ReadReceipt"][];
            reply_to_id: string | null;
            revision: number;
            send_at: string | null;
            /** Format: uuid */
            sender_id: string;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "received" | "read" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            text: string;
            thread_count: number;
            thread_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        MessageCreatedData: {
            attachments: components["schemas"]["Attachment"][];
            broadcast_id: string | null;
            /** @enum {string} */
            category: "conversational" | "transactional" | "marketing";
            /**
             * @deprecated
             * @description Repeats `text` in the response to a request that used `content`.
             */
            content?: string;
            /** @enum {string} */
            content_type: "text" | "markdown";
            conversation: {
                /** Format: uuid */
                id: string;
                number: number;
                platform: string | null;
            };
            /** Format: uuid */
            conversation_id: string;
            conversation_number: number;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            deliveries: components["schemas"]["Delivery"][];
            /** @enum {string} */
            direction: "inbound" | "outbound" | "internal";
            edited_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            origin: {
                /** Format: uuid */
                connection_id: string;
                external_id: string;
                external_sender_id: string;
                /** Format: uuid */
                link_id: string;
            } | null;
            platform: string | null;
            reactions: components["schemas"]["Reaction"][];
            read_by: components["schemas"]["ReadReceipt"][];
            reply_to_id: string | null;
            revision: number;
            send_at: string | null;
            sender: {
                display_name: string;
                /** Format: uuid */
                id: string;
                kind: string;
            };
            /** Format: uuid */
            sender_id: string;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "received" | "read" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            text: string;
            thread_count: number;
            thread_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        MessageCreatedEvent: {
            data: components["schemas"]["MessageCreatedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.created";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageDeletedData: {
            /** Format: uuid */
            conversation_id: string;
            /** Format: date-time */
            deleted_at: string;
            deleted_by: string | null;
            /** Format: uuid */
            id: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
        };
        MessageDeletedEvent: {
            data: components["schemas"]["MessageDeletedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.deleted";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageDeliveredEvent: {
            data: components["schemas"]["MessageStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.delivered";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageFailedEvent: {
            data: components["schemas"]["MessageStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.failed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageReadData: {
            attachments: components["schemas"]["Attachment"][];
            broadcast_id: string | null;
            /** @enum {string} */
            category: "conversational" | "transactional" | "marketing";
            /**
             * @deprecated
             * @description Repeats `text` in the response to a request that used `content`.
             */
            content?: string;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** Format: uuid */
            conversation_id: string;
            conversation_number: number;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            deliveries: components["schemas"]["Delivery"][];
            /** @enum {string} */
            direction: "inbound" | "outbound" | "internal";
            edited_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            origin: {
                /** Format: uuid */
                connection_id: string;
                external_id: string;
                external_sender_id: string;
                /** Format: uuid */
                link_id: string;
            } | null;
            platform: string | null;
            /** @description Previous values of the changed fields. */
            previous?: {
                [key: string]: unknown;
            };
            reactions: components["schemas"]["Reaction"][];
            read_by: components["schemas"]["ReadReceipt"][];
            reader?: components["schemas"]["ReadReceipt"];
            reply_to_id: string | null;
            revision: number;
            send_at: string | null;
            /** Format: uuid */
            sender_id: string;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "received" | "read" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            text: string;
            thread_count: number;
            thread_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        MessageReadEvent: {
            data: components["schemas"]["MessageReadData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.read";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageReroutedData: {
            attachments: components["schemas"]["Attachment"][];
            broadcast_id: string | null;
            /** @enum {string} */
            category: "conversational" | "transactional" | "marketing";
            /**
             * @deprecated
             * @description Repeats `text` in the response to a request that used `content`.
             */
            content?: string;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** Format: uuid */
            conversation_id: string;
            conversation_number: number;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            deliveries: components["schemas"]["Delivery"][];
            /** @enum {string} */
            direction: "inbound" | "outbound" | "internal";
            edited_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            failed_at: string | null;
            from_platform: string;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            origin: {
                /** Format: uuid */
                connection_id: string;
                external_id: string;
                external_sender_id: string;
                /** Format: uuid */
                link_id: string;
            } | null;
            platform: string | null;
            reactions: components["schemas"]["Reaction"][];
            read_by: components["schemas"]["ReadReceipt"][];
            reply_to_id: string | null;
            revision: number;
            send_at: string | null;
            /** Format: uuid */
            sender_id: string;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "received" | "read" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            text: string;
            thread_count: number;
            thread_id: string | null;
            to_platform: string;
            /** Format: date-time */
            updated_at: string;
        };
        MessageReroutedEvent: {
            data: components["schemas"]["MessageReroutedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.rerouted";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageSentEvent: {
            data: components["schemas"]["MessageStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.sent";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        MessageStepData: {
            attachments: components["schemas"]["Attachment"][];
            broadcast_id: string | null;
            /** @enum {string} */
            category: "conversational" | "transactional" | "marketing";
            /**
             * @deprecated
             * @description Repeats `text` in the response to a request that used `content`.
             */
            content?: string;
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** Format: uuid */
            conversation_id: string;
            conversation_number: number;
            /** Format: date-time */
            created_at: string;
            delivered_at: string | null;
            deliveries: components["schemas"]["Delivery"][];
            /** @enum {string} */
            direction: "inbound" | "outbound" | "internal";
            edited_at: string | null;
            error: components["schemas"]["DeliveryError"] | null;
            expires_at: string | null;
            failed_at: string | null;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            origin: {
                /** Format: uuid */
                connection_id: string;
                external_id: string;
                external_sender_id: string;
                /** Format: uuid */
                link_id: string;
            } | null;
            platform: string | null;
            /** @description Previous values of the changed fields. */
            previous?: {
                [key: string]: unknown;
            };
            reactions: components["schemas"]["Reaction"][];
            read_by: components["schemas"]["ReadReceipt"][];
            reply_to_id: string | null;
            revision: number;
            send_at: string | null;
            /** Format: uuid */
            sender_id: string;
            sent_at: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "received" | "read" | "scheduled" | "queued" | "sending" | "sent" | "delivered" | "failed" | "expired" | "blocked" | "uncertain" | "canceled";
            text: string;
            thread_count: number;
            thread_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        MessageTrace: {
            /** Format: uuid */
            message_id: string;
            steps: components["schemas"]["TraceStep"][];
            /** @description True if the message has more steps than these. */
            truncated: boolean;
        };
        MessageUpdatedEvent: {
            data: components["schemas"]["MessageChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "message.updated";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Pagination: {
            hasMore: boolean;
            limit: number;
            nextCursor: string | null;
            prevCursor: string | null;
        };
        Participant: {
            /** Format: date-time */
            joined_at: string;
            last_read_at: string | null;
            left_at: string | null;
            /** @enum {string} */
            role: "owner" | "agent" | "customer" | "bot";
            /** Format: uuid */
            user_id: string;
        };
        Platform: {
            connections: components["schemas"]["Connection"][];
            id: string;
            name: string;
            /** @enum {string} */
            status: "available" | "connected" | "degraded" | "error";
            version: string;
        };
        PlatformConnectedEvent: {
            data: components["schemas"]["ConnectionStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "platform.connected";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        PlatformDisconnectedEvent: {
            data: components["schemas"]["ConnectionStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "platform.disconnected";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        PlatformErrorEvent: {
            data: components["schemas"]["ConnectionStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "platform.error";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        PlatformGapData: {
            counters: {
                failed: number;
                received: number;
                sent: number;
                uncertain: number;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            credentials_set: string[];
            enabled: boolean;
            gap: components["schemas"]["ConnectionGap"];
            /** @description The last ten reports of missing events, newest first. */
            gaps: components["schemas"]["ConnectionGap"][];
            health: {
                /** @enum {string} */
                code: "ok" | "connecting" | "transient" | "rate_limited" | "bad_credentials" | "misconfigured" | "disabled";
                fix: string | null;
                message: string;
                /** Format: date-time */
                since: string;
            };
            /** Format: uuid */
            id: string;
            identity: {
                external_id: string;
                handle: string | null;
                name: string | null;
            } | null;
            last_error: components["schemas"]["DeliveryError"] | null;
            last_event_at: string | null;
            name: string;
            platform: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            settings: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            status: "connecting" | "connected" | "degraded" | "error" | "disabled";
            /** Format: date-time */
            updated_at: string;
            webhook_url: string;
        };
        PlatformGapEvent: {
            data: components["schemas"]["PlatformGapData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "platform.gap";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Protocol: {
            capabilities: components["schemas"]["Capabilities"];
            config_schema: {
                credentials: components["schemas"]["ConfigField"][];
                settings: components["schemas"]["ConfigField"][];
            };
            contract_version: number;
            id: string;
            ingress: ("webhook" | "poll" | "gateway")[];
            name: string;
            rate: {
                per_chat_per_second: number | null;
                per_second: number | null;
            };
            version: string;
        };
        Reaction: {
            count: number;
            emoji: string;
            user_ids: string[];
        };
        ReactionAddedData: {
            /** Format: uuid */
            conversation_id: string;
            emoji: string;
            /** Format: uuid */
            message_id: string;
            platform: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** Format: uuid */
            user_id: string;
        };
        ReactionAddedEvent: {
            data: components["schemas"]["ReactionAddedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "reaction.added";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ReactionRemovedEvent: {
            data: components["schemas"]["ReactionAddedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "reaction.removed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ReadReceipt: {
            platform: string | null;
            /** Format: date-time */
            read_at: string;
            /** Format: uuid */
            user_id: string;
        };
        RecoveredCount: {
            count: number;
        };
        RtcToken: {
            /** Format: date-time */
            expires_at: string;
            /** @description Bound to the call and the user. */
            token: string;
            /** @description Address of the WebSocket. */
            url: string;
            /** Format: uuid */
            user_id: string;
        };
        Segment: {
            /** Format: date-time */
            created_at: string;
            /** @description As on the list of users; null for static. */
            filter: string | null;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "static" | "filter";
            metadata: {
                [key: string]: unknown;
            };
            name: string;
            /** @description Members now. */
            size: number;
            /** Format: date-time */
            updated_at: string;
        };
        ServiceBacklogGrownData: {
            message: string;
            oldest_seconds: number;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            work: "queue" | "webhooks" | "deliveries";
        };
        ServiceBacklogGrownEvent: {
            data: components["schemas"]["ServiceBacklogGrownData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "service.backlog_grown";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        ServiceBackupFailedData: {
            message: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
        };
        ServiceBackupFailedEvent: {
            data: components["schemas"]["ServiceBackupFailedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "service.backup_failed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Template: {
            attachments: components["schemas"]["Attachment"][];
            /** @enum {string} */
            content_type: "text" | "markdown";
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            metadata: {
                [key: string]: unknown;
            };
            name: string;
            text: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The names in {{ }} of the text, in order. */
            variables: string[];
        };
        TraceStep: {
            /** Format: date-time */
            at: string;
            attempt_id: string | null;
            broadcast_id: string | null;
            connection_id: string | null;
            degradations: string[] | null;
            delivery_id: string | null;
            direction: ("inbound" | "outbound" | "internal") | null;
            duration_ms: number | null;
            error: components["schemas"]["DeliveryError"] | null;
            event: string | null;
            event_id: string | null;
            /** @description The platform's id: of the message, the part, or the chat of a created delivery. */
            external_id: string | null;
            /** @description Why the try of the webhook failed. */
            failure: string | null;
            link_id: string | null;
            operation: ("send" | "edit" | "delete") | null;
            /** @description Index of the part. */
            part: number | null;
            /** @description The number of planned parts. */
            parts: number | null;
            platform: string | null;
            resolution: ("reconciled" | "retried" | "manual" | "timeout") | null;
            revision: number | null;
            send_at: string | null;
            /** @description The outcome of an attempt; otherwise the present status of the envelope, the part, the delivery or the delivery to the webhook. */
            status: string | null;
            /** @description What the receiver of the webhook answered. */
            status_code: number | null;
            /** @description How often the envelope was tried. */
            tries: number | null;
            /** @enum {string} */
            type: "envelope_received" | "recipient_added" | "recipient_queued" | "message_accepted" | "delivery_created" | "message_edited" | "attempt_started" | "parts_planned" | "part_sent" | "attempt_finished" | "delivery_uncertain" | "delivery_sent" | "delivery_delivered" | "delivery_read" | "delivery_failed" | "delivery_canceled" | "message_read" | "event_recorded" | "webhook_queued" | "webhook_tried";
            /** @description Who sent, reads or receives the message. */
            user_id: string | null;
            webhook_delivery_id: string | null;
            webhook_id: string | null;
        };
        TrackingExpiredEvent: {
            data: components["schemas"]["TrackingSessionStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "tracking.expired";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        TrackingSession: {
            consent: {
                granted_at: string | null;
                method: ("self" | "prior" | "platform" | "recorded") | null;
                /** @enum {string} */
                status: "pending" | "granted" | "denied";
            };
            conversation_id: string | null;
            /** Format: date-time */
            created_at: string;
            end_reason: ("stopped" | "expired" | "denied" | "revoked") | null;
            ended_at: string | null;
            /**
             * Format: date-time
             * @description While pending, when the request for consent expires.
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            interval_seconds: number;
            last_location: components["schemas"]["Location"] | null;
            metadata: {
                [key: string]: unknown;
            };
            points_count: number;
            purpose: string | null;
            /** @description Members who see the session in their dashboard. */
            share_with: string[];
            started_at: string | null;
            /** Format: uuid */
            started_by: string;
            /** @enum {string} */
            status: "pending" | "active" | "denied" | "stopped" | "expired";
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
        };
        TrackingSessionStepData: {
            consent: {
                granted_at: string | null;
                method: ("self" | "prior" | "platform" | "recorded") | null;
                /** @enum {string} */
                status: "pending" | "granted" | "denied";
            };
            conversation_id: string | null;
            /** Format: date-time */
            created_at: string;
            end_reason: ("stopped" | "expired" | "denied" | "revoked") | null;
            ended_at: string | null;
            /**
             * Format: date-time
             * @description While pending, when the request for consent expires.
             */
            expires_at: string;
            /** Format: uuid */
            id: string;
            interval_seconds: number;
            last_location: components["schemas"]["Location"] | null;
            metadata: {
                [key: string]: unknown;
            };
            points_count: number;
            /** @description Previous values of the changed fields. */
            previous?: {
                [key: string]: unknown;
            };
            purpose: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @description Members who see the session in their dashboard. */
            share_with: string[];
            started_at: string | null;
            /** Format: uuid */
            started_by: string;
            /** @enum {string} */
            status: "pending" | "active" | "denied" | "stopped" | "expired";
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            user_id: string;
        };
        TrackingStartedEvent: {
            data: components["schemas"]["TrackingSessionStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "tracking.started";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        TrackingStoppedEvent: {
            data: components["schemas"]["TrackingSessionStepData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "tracking.stopped";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Translation: {
            cached: boolean;
            detected_language: string;
            provider: string;
            target_language: string;
            text: string;
        };
        /** @description Data over 256 KiB is reduced to its ids. */
        TruncatedEventData: {
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @constant */
            truncated: true;
        } & {
            [key: string]: unknown;
        };
        TvNetwork: {
            country: string | null;
            icon_url: string | null;
            /** @description The source's own id. */
            id: string;
            languages: string[];
            name: string;
        };
        TvProgramme: {
            categories: string[];
            description: string | null;
            /** Format: date-time */
            end_at: string;
            icon_url: string | null;
            id: string;
            network_id: string;
            /** Format: date-time */
            start_at: string;
            title: string;
        };
        TypingStartedData: {
            /** Format: uuid */
            conversation_id: string;
            platform: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** Format: uuid */
            user_id: string;
        };
        TypingStartedEvent: {
            data: components["schemas"]["TypingStartedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "typing.started";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        TypingStoppedEvent: {
            data: components["schemas"]["TypingStartedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "typing.stopped";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        User: {
            /** @description Order of platforms to reach the user. */
            channel_priority: string[];
            consent: {
                /** @enum {string} */
                marketing: "unknown" | "granted" | "denied";
                /** @enum {string} */
                notification: "unknown" | "granted" | "denied";
                /** @enum {string} */
                tracking: "unknown" | "granted" | "denied";
            };
            /** Format: date-time */
            created_at: string;
            display_name: string;
            /** @description Empty when unknown. */
            email: string;
            /** Format: uuid */
            id: string;
            identities: components["schemas"]["Identity"][];
            /** @enum {string} */
            kind: "member" | "contact" | "bot";
            last_seen_at: string | null;
            locale: string | null;
            metadata: {
                [key: string]: unknown;
            };
            phone: string | null;
            /** @enum {string} */
            presence: "online" | "away" | "busy" | "offline";
            profile_image: string;
            /** @enum {string} */
            status: "active" | "invited" | "blocked" | "suspended" | "deleted";
            timezone: string | null;
            /** Format: date-time */
            updated_at: string;
            username: string;
        };
        UserChangeData: {
            /** @description Order of platforms to reach the user. */
            channel_priority: string[];
            consent: {
                /** @enum {string} */
                marketing: "unknown" | "granted" | "denied";
                /** @enum {string} */
                notification: "unknown" | "granted" | "denied";
                /** @enum {string} */
                tracking: "unknown" | "granted" | "denied";
            };
            /** Format: date-time */
            created_at: string;
            display_name: string;
            /** @description Empty when unknown. */
            email: string;
            /** Format: uuid */
            id: string;
            identities: components["schemas"]["Identity"][];
            /** @enum {string} */
            kind: "member" | "contact" | "bot";
            last_seen_at: string | null;
            locale: string | null;
            metadata: {
                [key: string]: unknown;
            };
            phone: string | null;
            /** @enum {string} */
            presence: "online" | "away" | "busy" | "offline";
            /** @description Previous values of the changed fields. */
            previous: {
                [key: string]: unknown;
            };
            profile_image: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "active" | "invited" | "blocked" | "suspended" | "deleted";
            timezone: string | null;
            /** Format: date-time */
            updated_at: string;
            username: string;
        };
        UserCreatedEvent: {
            data: components["schemas"]["UserData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.created";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserData: {
            /** @description Order of platforms to reach the user. */
            channel_priority: string[];
            consent: {
                /** @enum {string} */
                marketing: "unknown" | "granted" | "denied";
                /** @enum {string} */
                notification: "unknown" | "granted" | "denied";
                /** @enum {string} */
                tracking: "unknown" | "granted" | "denied";
            };
            /** Format: date-time */
            created_at: string;
            display_name: string;
            /** @description Empty when unknown. */
            email: string;
            /** Format: uuid */
            id: string;
            identities: components["schemas"]["Identity"][];
            /** @enum {string} */
            kind: "member" | "contact" | "bot";
            last_seen_at: string | null;
            locale: string | null;
            metadata: {
                [key: string]: unknown;
            };
            phone: string | null;
            /** @enum {string} */
            presence: "online" | "away" | "busy" | "offline";
            profile_image: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            status: "active" | "invited" | "blocked" | "suspended" | "deleted";
            timezone: string | null;
            /** Format: date-time */
            updated_at: string;
            username: string;
        };
        UserDeletedData: {
            /** Format: date-time */
            deleted_at: string;
            /** Format: uuid */
            id: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
        };
        UserDeletedEvent: {
            data: components["schemas"]["UserDeletedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.deleted";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserMergedData: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            merged_id: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
        };
        UserMergedEvent: {
            data: components["schemas"]["UserMergedData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.merged";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserOptedInEvent: {
            data: components["schemas"]["UserOptedOutData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.opted_in";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserOptedOutData: {
            /** Format: date-time */
            at: string;
            categories: ("marketing" | "notification")[];
            identities: {
                external_id: string;
                platform: string;
            }[];
            keyword: string | null;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** @enum {string} */
            source: "keyword" | "api" | "platform";
            /** Format: uuid */
            user_id: string;
        };
        UserOptedOutEvent: {
            data: components["schemas"]["UserOptedOutData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.opted_out";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserPresenceChangedEvent: {
            data: components["schemas"]["UserChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.presence_changed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserStatusChangedEvent: {
            data: components["schemas"]["UserChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.status_changed";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        UserUpdatedEvent: {
            data: components["schemas"]["UserChangeData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "user.updated";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        Webhook: {
            /** @enum {string} */
            api_version: "1.0" | "2.0";
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            created_by: string;
            /** @description The API key that registered it; null if it was registered in the dashboard. */
            created_by_key: string | null;
            description: string | null;
            /** @description Null while enabled. */
            disabled_reason: ("requested" | "failing" | "gone" | "key_revoked" | "key_expired") | null;
            events: string[];
            failing_since: string | null;
            /** @description Values are shown as ***. */
            headers: {
                [key: string]: string;
            };
            /** Format: uuid */
            id: string;
            last_failure_at: string | null;
            last_success_at: string | null;
            metadata: {
                [key: string]: unknown;
            };
            /** @description Deliveries per second. */
            rate_limit: number | null;
            scopes: string[];
            /** @description Only in the answers of create and rotate. */
            secret: string | null;
            secret_hint: string;
            /** @enum {string} */
            status: "enabled" | "disabled" | "auto_disabled";
            /** Format: date-time */
            updated_at: string;
            url: string;
        };
        WebhookCreate: {
            /**
             * @description Note for people, up to 256 characters. Default: none.
             * @default null
             */
            description?: string | null;
            /** @description Events to receive, 1 to 100: names, groups such as `messages`, or `*`. */
            events: string[];
            /**
             * @description Up to 10 additional headers of each request. Names begin with `X-`, but not with `X-Service-`.
             * @default {}
             */
            headers?: {
                [key: string]: string;
            };
            /**
             * @description Data of your own as a JSON object. The service stores it and does not read it.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
            /**
             * @description Most deliveries per second, 1 to 1,000. Default: no limit.
             * @default null
             */
            rate_limit?: number | null;
            /** @description Secret for the signatures: `whsec_` and 24 to 64 bytes in base64. Default: a generated one. */
            secret?: string | null;
            /**
             * @description `enabled` or `disabled`. Default `enabled`.
             * @default enabled
             * @enum {string}
             */
            status?: "enabled" | "disabled";
            /** @description Address that receives the events. It must be public; `https` is required outside of development. */
            url: string;
        };
        WebhookDelivery: {
            attempts: {
                /** Format: date-time */
                at: string;
                duration_ms: number;
                error: ("timeout" | "connection" | "tls" | "dns" | "forbidden_target" | "http_status") | null;
                status_code: number | null;
            }[];
            /** Format: date-time */
            created_at: string;
            event: string;
            event_id: string;
            /** Format: uuid */
            id: string;
            next_attempt_at: string | null;
            /** @enum {string} */
            status: "pending" | "succeeded" | "dead" | "canceled";
            /** Format: date-time */
            updated_at: string;
            /** Format: uuid */
            webhook_id: string;
        };
        WebhookDisabledEvent: {
            data: components["schemas"]["WebhookTestData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "webhook.disabled";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
        WebhookPatch: {
            /** @description Note for people, up to 256 characters. Default: none. */
            description?: string | null;
            /** @description Events to receive, 1 to 100: names, groups such as `messages`, or `*`. */
            events?: string[];
            /** @description Up to 10 additional headers of each request. Names begin with `X-`, but not with `X-Service-`. */
            headers?: {
                [key: string]: string;
            };
            /** @description Data of your own as a JSON object. The service stores it and does not read it. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Most deliveries per second, 1 to 1,000. Default: no limit. */
            rate_limit?: number | null;
            /**
             * @description `enabled` or `disabled`. Default `enabled`.
             * @enum {string}
             */
            status?: "enabled" | "disabled";
            /** @description Address that receives the events. It must be public; `https` is required outside of development. */
            url?: string;
        };
        WebhookRecovery: {
            /**
             * Format: date-time
             * @description Dead deliveries since this time are sent again. At most 30 days ago.
             */
            since: string;
        };
        WebhookSecretRotation: {
            /**
             * @description Seconds during which the old secret signs as well, 0 to 604,800. Default 86,400.
             * @default 86400
             */
            overlap_seconds?: number;
            /** @description Secret for the signatures: `whsec_` and 24 to 64 bytes in base64. Default: a generated one. */
            secret?: string | null;
        };
        WebhookTestData: {
            message: string;
            /** @description Increases with each event about the same subject. */
            sequence: number;
            /** Format: uuid */
            webhook_id: string;
        };
        WebhookTestEvent: {
            data: components["schemas"]["WebhookTestData"] | components["schemas"]["TruncatedEventData"];
            /** @constant */
            event: "webhook.test";
            /** @description whk_ and a ULID; the same for every attempt and every receiver. */
            id: string;
            /** Format: date-time */
            timestamp: string;
        };
    };
    responses: {
        /** @description Malformed request or invalid parameters */
        Error400: {
            headers: {
                "X-API-Version": components["headers"]["X-API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Credentials missing or invalid */
        Error401: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Resource, path or method does not exist, or belongs to another workspace */
        Error404: {
            headers: {
                "X-API-Version": components["headers"]["X-API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Rate limit exceeded */
        Error429: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unexpected server error */
        Error500: {
            headers: {
                "X-API-Version": components["headers"]["X-API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service temporarily unavailable */
        Error503: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-API-Version": components["headers"]["X-API-Version"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Version of the API */
        AcceptVersion: "1" | "1.0" | "v1" | "2" | "2.0" | "v2";
        /** @description Version of the API; takes precedence over Accept-Version */
        ApiVersion: "1" | "1.0" | "v1" | "2" | "2.0" | "v2";
        /**
         * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
         * @example order-4711-confirmation
         */
        IdempotencyKey: string;
        /** @description Repeated in the response and in the log; generated if missing */
        RequestId: string;
        /** @description Version of the API; takes precedence over both headers */
        Version: "1" | "1.0" | "v1" | "2" | "2.0" | "v2";
    };
    requestBodies: never;
    headers: {
        /** @description The stored answer of an earlier request */
        "Idempotent-Replayed": "true";
        /** @description Seconds to wait */
        "Retry-After": number;
        /** @description `ApiKey`, or `Bearer error="invalid_token"` when a token was sent */
        "WWW-Authenticate": string;
        /** @description Effective version */
        "X-API-Version": "1.0" | "2.0";
        /** @description Requests allowed per hour */
        "X-RateLimit-Limit": number;
        /** @description Requests left in the current hour */
        "X-RateLimit-Remaining": number;
        /** @description Unix time of the next full hour */
        "X-RateLimit-Reset": number;
        /** @description Id of the request */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getWebhooks: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, status, event, url, created_at, updated_at, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000001",
                     *           "url": "https://shop.example/hooks/trunkline",
                     *           "events": [
                     *             "message.created",
                     *             "calls"
                     *           ],
                     *           "scopes": [
                     *             "messages:read",
                     *             "calls:read"
                     *           ],
                     *           "secret": null,
                     *           "secret_hint": "Hh8=",
                     *           "api_version": "1.0",
                     *           "status": "enabled",
                     *           "headers": {
                     *             "X-Tenant": "***"
                     *           },
                     *           "description": "The shop",
                     *           "rate_limit": null,
                     *           "failing_since": null,
                     *           "last_success_at": null,
                     *           "last_failure_at": null,
                     *           "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "created_by_key": "019b76da-a800-7000-8000-000000000071",
                     *           "disabled_reason": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/api/webhooks?page=1&limit=20",
                     *         "last": "/v1/api/webhooks?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postWebhooks: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://shop.example/hooks/trunkline",
                 *       "events": [
                 *         "message.created",
                 *         "calls"
                 *       ],
                 *       "headers": {
                 *         "X-Tenant": "shop"
                 *       },
                 *       "description": "The shop"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000001",
                     *       "url": "https://shop.example/hooks/trunkline",
                     *       "events": [
                     *         "message.created",
                     *         "calls"
                     *       ],
                     *       "scopes": [
                     *         "messages:read",
                     *         "calls:read"
                     *       ],
                     *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                     *       "secret_hint": "Hh8=",
                     *       "api_version": "1.0",
                     *       "status": "enabled",
                     *       "headers": {
                     *         "X-Tenant": "***"
                     *       },
                     *       "description": "The shop",
                     *       "rate_limit": null,
                     *       "failing_since": null,
                     *       "last_success_at": null,
                     *       "last_failure_at": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "created_by_key": "019b76da-a800-7000-8000-000000000071",
                     *       "disabled_reason": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhooksId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000001",
                     *       "url": "https://shop.example/hooks/trunkline",
                     *       "events": [
                     *         "message.created",
                     *         "calls"
                     *       ],
                     *       "scopes": [
                     *         "messages:read",
                     *         "calls:read"
                     *       ],
                     *       "secret": null,
                     *       "secret_hint": "Hh8=",
                     *       "api_version": "1.0",
                     *       "status": "enabled",
                     *       "headers": {
                     *         "X-Tenant": "***"
                     *       },
                     *       "description": "The shop",
                     *       "rate_limit": null,
                     *       "failing_since": null,
                     *       "last_success_at": null,
                     *       "last_failure_at": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "created_by_key": "019b76da-a800-7000-8000-000000000071",
                     *       "disabled_reason": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteWebhooksId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchWebhooksId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "enabled",
                 *       "description": "The new shop"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPatch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000001",
                     *       "url": "https://shop.example/hooks/trunkline",
                     *       "events": [
                     *         "message.created",
                     *         "calls"
                     *       ],
                     *       "scopes": [
                     *         "messages:read",
                     *         "calls:read"
                     *       ],
                     *       "secret": null,
                     *       "secret_hint": "Hh8=",
                     *       "api_version": "1.0",
                     *       "status": "enabled",
                     *       "headers": {
                     *         "X-Tenant": "***"
                     *       },
                     *       "description": "The new shop",
                     *       "rate_limit": null,
                     *       "failing_since": null,
                     *       "last_success_at": null,
                     *       "last_failure_at": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "created_by_key": "019b76da-a800-7000-8000-000000000071",
                     *       "disabled_reason": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getWebhooksIdDeliveries: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, status, event, created_at, updated_at
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000002",
                     *           "webhook_id": "019b76da-a800-7000-8000-000000000001",
                     *           "event_id": "whk_01KDVDNA000123456789ABCDEF",
                     *           "event": "message.created",
                     *           "status": "succeeded",
                     *           "next_attempt_at": null,
                     *           "attempts": [
                     *             {
                     *               "at": "2026-01-01T00:00:00.000Z",
                     *               "status_code": 200,
                     *               "duration_ms": 31,
                     *               "error": null
                     *             }
                     *           ],
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/api/webhooks/019b76da-a800-7000-8000-000000000001/deliveries?page=1&limit=20",
                     *         "last": "/v1/api/webhooks/019b76da-a800-7000-8000-000000000001/deliveries?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postWebhooksIdDeliveriesDeliveryIdRetry: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the delivery.
                 * @example 019b76da-a800-7000-8000-000000000002
                 */
                delivery_id: string;
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000002",
                     *       "webhook_id": "019b76da-a800-7000-8000-000000000001",
                     *       "event_id": "whk_01KDVDNA000123456789ABCDEF",
                     *       "event": "message.created",
                     *       "status": "pending",
                     *       "next_attempt_at": "2026-01-01T00:00:00.000Z",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-01-01T00:00:00.000Z",
                     *           "status_code": 200,
                     *           "duration_ms": 31,
                     *           "error": null
                     *         }
                     *       ],
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postWebhooksIdRecover: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-01-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["WebhookRecovery"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["RecoveredCount"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postWebhooksIdRotateSecret: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000001",
                     *       "url": "https://shop.example/hooks/trunkline",
                     *       "events": [
                     *         "message.created",
                     *         "calls"
                     *       ],
                     *       "scopes": [
                     *         "messages:read",
                     *         "calls:read"
                     *       ],
                     *       "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
                     *       "secret_hint": "Hh8=",
                     *       "api_version": "1.0",
                     *       "status": "enabled",
                     *       "headers": {
                     *         "X-Tenant": "***"
                     *       },
                     *       "description": "The shop",
                     *       "rate_limit": null,
                     *       "failing_since": null,
                     *       "last_success_at": null,
                     *       "last_failure_at": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "created_by_key": "019b76da-a800-7000-8000-000000000071",
                     *       "disabled_reason": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postWebhooksIdTest: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the webhook.
                 * @example 019b76da-a800-7000-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000002",
                     *       "webhook_id": "019b76da-a800-7000-8000-000000000001",
                     *       "event_id": "whk_01KDVDNA000123456789ABCDEF",
                     *       "event": "webhook.test",
                     *       "status": "succeeded",
                     *       "next_attempt_at": null,
                     *       "attempts": [
                     *         {
                     *           "at": "2026-01-01T00:00:00.000Z",
                     *           "status_code": 200,
                     *           "duration_ms": 31,
                     *           "error": null
                     *         }
                     *       ],
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getAnalyticsResource: {
        parameters: {
            query?: {
                /**
                 * @description Begin of the period. Default: 7 days before `to`.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                from?: string;
                /** @description Splits the series by `platform`, `status` or `agent`. Default: one series. */
                group_by?: "platform" | "status" | "agent";
                /**
                 * @description Length of a bucket: `day`, or `hour` for at most 31 days. Default `day`.
                 * @example day
                 */
                interval?: "day" | "hour";
                /**
                 * @description End of the period, exclusive, at most 400 days after `from`. Default: now.
                 * @example 2026-01-02T00:00:00.000Z
                 */
                to?: string;
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description What is counted.
                 * @example messages
                 */
                resource: "messages" | "conversations" | "calls" | "broadcasts" | "webhooks";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "resource": "messages",
                     *       "from": "2026-01-01T00:00:00.000Z",
                     *       "to": "2026-01-02T00:00:00.000Z",
                     *       "interval": "day",
                     *       "group_by": null,
                     *       "totals": {
                     *         "inbound": 4,
                     *         "outbound": 9,
                     *         "internal": 1,
                     *         "failed": 0
                     *       },
                     *       "series": [
                     *         {
                     *           "start": "2026-01-01T00:00:00.000Z",
                     *           "group": null,
                     *           "values": {
                     *             "inbound": 4,
                     *             "outbound": 9,
                     *             "internal": 1,
                     *             "failed": 0
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Analytics"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postAttachments: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "file": "The bytes of the file",
                 *       "name": "plan.txt",
                 *       "alt_text": "The plan of the house"
                 *     }
                 */
                "multipart/form-data": {
                    /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                    alt_text?: string;
                    /**
                     * Format: binary
                     * @description The file. Its part of the form comes last or alone.
                     */
                    file: Blob;
                    /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                    name?: string;
                    /**
                     * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                     * @enum {string}
                     */
                    type?: "image" | "video" | "audio" | "file" | "sticker";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000f1",
                     *       "type": "file",
                     *       "url": "https://bridge.example/media/AZt22qgAcACAAAAAAAAA8QAAAABpV7kA",
                     *       "source_url": null,
                     *       "thumbnail_url": null,
                     *       "state": "ready",
                     *       "metadata": {},
                     *       "name": "plan.txt",
                     *       "mime_type": "text/plain",
                     *       "alt_text": "The plan of the house",
                     *       "size": 21,
                     *       "width": null,
                     *       "height": null,
                     *       "duration_ms": null,
                     *       "latitude": null,
                     *       "longitude": null
                     *     }
                     */
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBroadcasts: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, category, created_by, scheduled_at, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "scheduled_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000b1",
                     *           "name": "Spring sale",
                     *           "category": "marketing",
                     *           "status": "sending",
                     *           "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *           "template_id": null,
                     *           "content_type": "text",
                     *           "attachments": [],
                     *           "variables": {
                     *             "discount": "20 %"
                     *           },
                     *           "variants": [],
                     *           "platforms": [
                     *             "telegram",
                     *             "sms"
                     *           ],
                     *           "audience": {
                     *             "user_ids": [
                     *               "019b76da-a800-7000-8000-0000000000e2"
                     *             ],
                     *             "segment_ids": [],
                     *             "recipients": [],
                     *             "filter": null,
                     *             "exclude": null
                     *           },
                     *           "fallback": null,
                     *           "throttle": {
                     *             "per_minute": 600
                     *           },
                     *           "schedule": null,
                     *           "counts": {
                     *             "total": 1,
                     *             "pending": 0,
                     *             "sent": 1,
                     *             "delivered": 0,
                     *             "read": 0,
                     *             "failed": 0,
                     *             "uncertain": 0,
                     *             "skipped": 0,
                     *             "canceled": 0,
                     *             "expired": 0
                     *           },
                     *           "progress": 1,
                     *           "skip_reasons": {},
                     *           "eta": null,
                     *           "error": null,
                     *           "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "scheduled_at": null,
                     *           "started_at": "2026-01-01T00:00:02.000Z",
                     *           "completed_at": null,
                     *           "canceled_at": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/broadcasts?page=1&limit=20",
                     *         "last": "/v1/openapi/broadcasts?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Broadcast"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postBroadcasts: {
        parameters: {
            query?: {
                /**
                 * @description `true` returns the expected result of the broadcast and stores nothing. Default `false`.
                 * @example false
                 */
                dry_run?: "true" | "false";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Spring sale",
                 *       "category": "marketing",
                 *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                 *       "variables": {
                 *         "discount": "20 %"
                 *       },
                 *       "platforms": [
                 *         "telegram",
                 *         "sms"
                 *       ],
                 *       "audience": {
                 *         "user_ids": [
                 *           "019b76da-a800-7000-8000-0000000000e2"
                 *         ]
                 *       },
                 *       "throttle": {
                 *         "per_minute": 600
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /** @description Who receives the broadcast: users, segments, addresses and a filter together. */
                    audience?: {
                        /** @description Users and segments that are excluded although the audience includes them. */
                        exclude?: {
                            /** @description Ids of up to 100 segments whose members are excluded. */
                            segment_ids?: string[];
                            /** @description Ids of up to 10,000 excluded users. */
                            user_ids?: string[];
                        } | null;
                        /** @description Contacts that the filter of `GET /openapi/users` finds, up to 1,024 characters. */
                        filter?: string | null;
                        /** @description Addresses that need not be contacts yet; up to 10,000 together with `user_ids`. */
                        recipients?: {
                            /** @description Address on the platform, such as a phone number in E.164 form, 1 to 256 characters. */
                            address: string;
                            /** @description Platform of the address. */
                            platform: string;
                            /**
                             * @description Values of the variables in the text, for this recipient. They take precedence.
                             * @default {}
                             */
                            variables?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Ids of up to 100 segments. */
                        segment_ids?: string[];
                        /** @description Ids of up to 10,000 users. */
                        user_ids?: string[];
                    };
                    /**
                     * @description `marketing` needs `consent.marketing` of each recipient not to be `denied`, `transactional` `consent.notification`. Default `marketing`.
                     * @default marketing
                     * @enum {string}
                     */
                    category?: "marketing" | "transactional";
                    /**
                     * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                     * @enum {string}
                     */
                    content_type?: "text" | "markdown";
                    /**
                     * @description `true` stores the broadcast without starting it. Default `false`.
                     * @default false
                     */
                    draft?: boolean;
                    /** @description Tries the next platform when a recipient is not reached in time. Default: no fallback. */
                    fallback?: {
                        /** @description Seconds to wait before the next platform, 60 to 86,400. */
                        after_seconds: number;
                        /**
                         * @description Delivery status that counts as reached: `sent`, `delivered` or `read`.
                         * @enum {string}
                         */
                        success_status: "sent" | "delivered" | "read";
                    } | null;
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Name of the broadcast, 1 to 256 characters. Default: `Broadcast` and the time of its creation. */
                    name?: string;
                    /**
                     * @description Up to 50 platforms in order of preference. Default: each recipient’s own order.
                     * @default []
                     */
                    platforms?: string[];
                    /** @description Another name of `audience.user_ids`. */
                    recipient_ids?: string[];
                    /** @description When the broadcast starts, its quiet hours, and when it ends. Default: it begins when it is started. */
                    schedule?: {
                        /** @description When to start: at most 365 days ahead. */
                        at?: string | null;
                        /** @description When the broadcast ends; recipients who were not written to by then are skipped. After `at`. */
                        expires_at?: string | null;
                        /** @description The recipients' wall clock, without an offset. In place of `at`, with `mode: recipient_local`. */
                        local_time?: string | null;
                        /** @description `fixed`: the same moment for all. `recipient_local`: the same time of day in each recipient’s time zone. */
                        mode?: ("fixed" | "recipient_local") | null;
                        /** @description Hours in which nothing is sent. Default: none. */
                        quiet_hours?: {
                            /** @description Days of the week to which the quiet hours apply, 0 (Sunday) to 6 (Saturday). Default: every day. */
                            days?: number[] | null;
                            /** @description Begin of the quiet hours, as `HH:mm`. Required with `to`. */
                            from?: string | null;
                            /** @description IANA time zone of the quiet hours, such as `Europe/Berlin`. Default: each recipient’s own. */
                            timezone?: string | null;
                            /** @description End of the quiet hours, as `HH:mm`. It may lie on the next day; required with `from`. */
                            to?: string | null;
                        } | null;
                    } | null;
                    /** @description Id of a template to send. Either this or `text`. */
                    template_id?: string | null;
                    /** @description The text, 1 to 10,000 characters, with variables such as `{{name}}`. Either this or `template_id`. */
                    text?: string | null;
                    /** @description Limits how fast the broadcast is sent. Default: as fast as the platforms allow. */
                    throttle?: {
                        /** @description Most recipients per minute, 1 to 60,000. */
                        per_minute: number;
                    } | null;
                    /**
                     * @description Values of the variables in the text, for all recipients.
                     * @default {}
                     */
                    variables?: {
                        [key: string]: unknown;
                    };
                    /** @description Up to 10 variants of the text or attachments. Each recipient gets one, by weight. */
                    variants?: {
                        /** @description Up to 10 attachments in place of those of the broadcast. */
                        attachments?: (string | {
                            /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                            alt_text?: string | null;
                            /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                            latitude?: number | null;
                            /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                            longitude?: number | null;
                            /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                            metadata?: {
                                [key: string]: unknown;
                            };
                            /** @description Media type, such as `image/png`. Default: found from the file. */
                            mime_type?: string | null;
                            /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                            name?: string | null;
                            /**
                             * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                             * @enum {string}
                             */
                            type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                            /**
                             * Format: uuid
                             * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                             */
                            upload_id?: string;
                            /**
                             * Format: uri
                             * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                             */
                            url?: string;
                        })[] | null;
                        /** @description Name of the variant, unique in the broadcast, 1 to 32 characters. */
                        key: string;
                        /** @description Text in place of the one of the broadcast, 1 to 10,000 characters. */
                        text?: string | null;
                        /** @description Share of the recipients relative to the other variants, 1 to 100. */
                        weight: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Created */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "recipients": 1,
                     *       "skips": {
                     *         "opted_out": 1
                     *       },
                     *       "parts": 1,
                     *       "eta_seconds": 1,
                     *       "samples": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "platform": "telegram",
                     *           "text": "Hello Ada Lovelace, sofas are 20 % off.",
                     *           "parts": 1,
                     *           "degradations": []
                     *         }
                     *       ],
                     *       "platforms": [
                     *         {
                     *           "platform": "telegram",
                     *           "recipients": 1,
                     *           "parts": 1,
                     *           "billed": null,
                     *           "degradations": [],
                     *           "too_long": 0
                     *         }
                     *       ],
                     *       "without_zone": 0,
                     *       "warnings": []
                     *     }
                     */
                    "application/json": components["schemas"]["DryRun"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Spring sale",
                     *       "category": "marketing",
                     *       "status": "preparing",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": {
                     *         "per_minute": 600
                     *       },
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 0,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBroadcastsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Spring sale",
                     *       "category": "marketing",
                     *       "status": "sending",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": {
                     *         "per_minute": 600
                     *       },
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 1,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": "2026-01-01T00:00:02.000Z",
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteBroadcastsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchBroadcastsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Summer sale",
                 *       "throttle": null
                 *     }
                 */
                "application/json": {
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /** @description Who receives the broadcast: users, segments, addresses and a filter together. */
                    audience?: {
                        /** @description Users and segments that are excluded although the audience includes them. */
                        exclude?: {
                            /** @description Ids of up to 100 segments whose members are excluded. */
                            segment_ids?: string[];
                            /** @description Ids of up to 10,000 excluded users. */
                            user_ids?: string[];
                        } | null;
                        /** @description Contacts that the filter of `GET /openapi/users` finds, up to 1,024 characters. */
                        filter?: string | null;
                        /** @description Addresses that need not be contacts yet; up to 10,000 together with `user_ids`. */
                        recipients?: {
                            /** @description Address on the platform, such as a phone number in E.164 form, 1 to 256 characters. */
                            address: string;
                            /** @description Platform of the address. */
                            platform: string;
                            /**
                             * @description Values of the variables in the text, for this recipient. They take precedence.
                             * @default {}
                             */
                            variables?: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Ids of up to 100 segments. */
                        segment_ids?: string[];
                        /** @description Ids of up to 10,000 users. */
                        user_ids?: string[];
                    };
                    /**
                     * @description `marketing` needs `consent.marketing` of each recipient not to be `denied`, `transactional` `consent.notification`. Default `marketing`.
                     * @enum {string}
                     */
                    category?: "marketing" | "transactional";
                    /**
                     * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                     * @enum {string}
                     */
                    content_type?: "text" | "markdown";
                    /** @description Tries the next platform when a recipient is not reached in time. Default: no fallback. */
                    fallback?: {
                        /** @description Seconds to wait before the next platform, 60 to 86,400. */
                        after_seconds: number;
                        /**
                         * @description Delivery status that counts as reached: `sent`, `delivered` or `read`.
                         * @enum {string}
                         */
                        success_status: "sent" | "delivered" | "read";
                    } | null;
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Name of the broadcast, 1 to 256 characters. Default: `Broadcast` and the time of its creation. */
                    name?: string;
                    /** @description Up to 50 platforms in order of preference. Default: each recipient’s own order. */
                    platforms?: string[];
                    /** @description When the broadcast starts, its quiet hours, and when it ends. Default: it begins when it is started. */
                    schedule?: {
                        /** @description When to start: at most 365 days ahead. */
                        at?: string | null;
                        /** @description When the broadcast ends; recipients who were not written to by then are skipped. After `at`. */
                        expires_at?: string | null;
                        /** @description The recipients' wall clock, without an offset. In place of `at`, with `mode: recipient_local`. */
                        local_time?: string | null;
                        /** @description `fixed`: the same moment for all. `recipient_local`: the same time of day in each recipient’s time zone. */
                        mode?: ("fixed" | "recipient_local") | null;
                        /** @description Hours in which nothing is sent. Default: none. */
                        quiet_hours?: {
                            /** @description Days of the week to which the quiet hours apply, 0 (Sunday) to 6 (Saturday). Default: every day. */
                            days?: number[] | null;
                            /** @description Begin of the quiet hours, as `HH:mm`. Required with `to`. */
                            from?: string | null;
                            /** @description IANA time zone of the quiet hours, such as `Europe/Berlin`. Default: each recipient’s own. */
                            timezone?: string | null;
                            /** @description End of the quiet hours, as `HH:mm`. It may lie on the next day; required with `from`. */
                            to?: string | null;
                        } | null;
                    } | null;
                    /** @description Id of a template to send. Either this or `text`. */
                    template_id?: string | null;
                    /** @description The text, 1 to 10,000 characters, with variables such as `{{name}}`. Either this or `template_id`. */
                    text?: string | null;
                    /** @description Limits how fast the broadcast is sent. Default: as fast as the platforms allow. */
                    throttle?: {
                        /** @description Most recipients per minute, 1 to 60,000. */
                        per_minute: number;
                    } | null;
                    /** @description Values of the variables in the text, for all recipients. */
                    variables?: {
                        [key: string]: unknown;
                    };
                    /** @description Up to 10 variants of the text or attachments. Each recipient gets one, by weight. */
                    variants?: {
                        /** @description Up to 10 attachments in place of those of the broadcast. */
                        attachments?: (string | {
                            /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                            alt_text?: string | null;
                            /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                            latitude?: number | null;
                            /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                            longitude?: number | null;
                            /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                            metadata?: {
                                [key: string]: unknown;
                            };
                            /** @description Media type, such as `image/png`. Default: found from the file. */
                            mime_type?: string | null;
                            /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                            name?: string | null;
                            /**
                             * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                             * @enum {string}
                             */
                            type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                            /**
                             * Format: uuid
                             * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                             */
                            upload_id?: string;
                            /**
                             * Format: uri
                             * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                             */
                            url?: string;
                        })[] | null;
                        /** @description Name of the variant, unique in the broadcast, 1 to 32 characters. */
                        key: string;
                        /** @description Text in place of the one of the broadcast, 1 to 10,000 characters. */
                        text?: string | null;
                        /** @description Share of the recipients relative to the other variants, 1 to 100. */
                        weight: number;
                    }[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Summer sale",
                     *       "category": "marketing",
                     *       "status": "draft",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": null,
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 0,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postBroadcastsIdPause: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Spring sale",
                     *       "category": "marketing",
                     *       "status": "paused",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": {
                     *         "per_minute": 600
                     *       },
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 1,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": "2026-01-01T00:00:02.000Z",
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getBroadcastsIdRecipients: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, platform, user_id, variant, skip_reason
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000b2",
                     *           "broadcast_id": "019b76da-a800-7000-8000-0000000000b1",
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "platform": "telegram",
                     *           "address": "884422",
                     *           "variant": null,
                     *           "status": "sent",
                     *           "attempts": 1,
                     *           "skip_reason": null,
                     *           "error": null,
                     *           "queued_at": "2026-01-01T00:00:00.000Z",
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/broadcasts/019b76da-a800-7000-8000-0000000000b1/recipients?page=1&limit=20",
                     *         "last": "/v1/openapi/broadcasts/019b76da-a800-7000-8000-0000000000b1/recipients?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["BroadcastRecipient"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postBroadcastsIdResume: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Spring sale",
                     *       "category": "marketing",
                     *       "status": "sending",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": {
                     *         "per_minute": 600
                     *       },
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 1,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": "2026-01-01T00:00:02.000Z",
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postBroadcastsIdRetry: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Spring sale",
                     *       "category": "marketing",
                     *       "status": "sending",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": {
                     *         "per_minute": 600
                     *       },
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 1,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": "2026-01-01T00:00:02.000Z",
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postBroadcastsIdStart: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the broadcast.
                 * @example 019b76da-a800-7000-8000-0000000000b1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000b1",
                     *       "name": "Spring sale",
                     *       "category": "marketing",
                     *       "status": "preparing",
                     *       "text": "Hello {{user.display_name}}, sofas are {{discount}} off.",
                     *       "template_id": null,
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": {
                     *         "discount": "20 %"
                     *       },
                     *       "variants": [],
                     *       "platforms": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "audience": {
                     *         "user_ids": [
                     *           "019b76da-a800-7000-8000-0000000000e2"
                     *         ],
                     *         "segment_ids": [],
                     *         "recipients": [],
                     *         "filter": null,
                     *         "exclude": null
                     *       },
                     *       "fallback": null,
                     *       "throttle": {
                     *         "per_minute": 600
                     *       },
                     *       "schedule": null,
                     *       "counts": {
                     *         "total": 1,
                     *         "pending": 0,
                     *         "sent": 1,
                     *         "delivered": 0,
                     *         "read": 0,
                     *         "failed": 0,
                     *         "uncertain": 0,
                     *         "skipped": 0,
                     *         "canceled": 0,
                     *         "expired": 0
                     *       },
                     *       "progress": 0,
                     *       "skip_reasons": {},
                     *       "eta": null,
                     *       "error": null,
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "scheduled_at": null,
                     *       "started_at": null,
                     *       "completed_at": null,
                     *       "canceled_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Broadcast"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCalls: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, type, direction, platform, conversation_id, initiator_id, participant_id, end_reason, started_at, duration, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "started_at" | "duration";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-00000000ca11",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "type": "voice",
                     *           "direction": "outbound",
                     *           "status": "initiated",
                     *           "end_reason": null,
                     *           "ended_by": null,
                     *           "error": null,
                     *           "platform": "webrtc",
                     *           "initiator_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "participants": [
                     *             {
                     *               "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *               "status": "joined",
                     *               "joined_at": "2026-01-01T00:00:00.000Z",
                     *               "left_at": null
                     *             },
                     *             {
                     *               "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *               "status": "ringing",
                     *               "joined_at": null,
                     *               "left_at": null
                     *             }
                     *           ],
                     *           "join_url": "https://bridge.example/join/AZt22qgAcACAAAAAAADKEQ",
                     *           "recording_url": null,
                     *           "ring_timeout": 60,
                     *           "max_duration": 14400,
                     *           "started_at": "2026-01-01T00:00:00.000Z",
                     *           "answered_at": null,
                     *           "ended_at": null,
                     *           "duration": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/calls?page=1&limit=20",
                     *         "last": "/v1/openapi/calls?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Call"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postCalls: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                 *       "type": "voice",
                 *       "ring_timeout": 60
                 *     }
                 */
                "application/json": {
                    /** @description Id of the conversation, or its number. */
                    conversation_id?: string | number;
                    /**
                     * @description Longest duration of the call in seconds, 60 to 14,400. Default 14,400.
                     * @default 14400
                     */
                    max_duration?: number;
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Ids of 1 to 249 users to call. Exactly one of this, `conversation_id` and `to`. */
                    participant_ids?: string[];
                    /**
                     * @description Seconds to ring before the call ends as `no_answer`, 5 to 180. Default 60.
                     * @default 60
                     */
                    ring_timeout?: number;
                    /** @description Address to call. Exactly one of this, `conversation_id` and `participant_ids`. */
                    to?: {
                        /** @description Address on the platform, 1 to 256 characters. */
                        address: string;
                        /** @description Platform of the address. */
                        platform: string;
                    };
                    /**
                     * @description `voice` or `video`. Default `voice`.
                     * @default voice
                     * @enum {string}
                     */
                    type?: "voice" | "video";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000ca11",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "type": "voice",
                     *       "direction": "outbound",
                     *       "status": "initiated",
                     *       "end_reason": null,
                     *       "ended_by": null,
                     *       "error": null,
                     *       "platform": "webrtc",
                     *       "initiator_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "status": "joined",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "status": "ringing",
                     *           "joined_at": null,
                     *           "left_at": null
                     *         }
                     *       ],
                     *       "join_url": "https://bridge.example/join/AZt22qgAcACAAAAAAADKEQ",
                     *       "recording_url": null,
                     *       "ring_timeout": 60,
                     *       "max_duration": 14400,
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "answered_at": null,
                     *       "ended_at": null,
                     *       "duration": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Call"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getCallsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the call.
                 * @example 019b76da-a800-7000-8000-00000000ca11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000ca11",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "type": "voice",
                     *       "direction": "outbound",
                     *       "status": "initiated",
                     *       "end_reason": null,
                     *       "ended_by": null,
                     *       "error": null,
                     *       "platform": "webrtc",
                     *       "initiator_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "status": "joined",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "status": "ringing",
                     *           "joined_at": null,
                     *           "left_at": null
                     *         }
                     *       ],
                     *       "join_url": "https://bridge.example/join/AZt22qgAcACAAAAAAADKEQ",
                     *       "recording_url": null,
                     *       "ring_timeout": 60,
                     *       "max_duration": 14400,
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "answered_at": null,
                     *       "ended_at": null,
                     *       "duration": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Call"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postCallsIdEnd: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the call.
                 * @example 019b76da-a800-7000-8000-00000000ca11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "canceled"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Reason that is recorded. Default: the one that follows from the state of the call.
                     * @enum {string}
                     */
                    reason?: "completed" | "canceled" | "declined" | "busy";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000ca11",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "type": "voice",
                     *       "direction": "outbound",
                     *       "status": "ended",
                     *       "end_reason": "canceled",
                     *       "ended_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "error": null,
                     *       "platform": "webrtc",
                     *       "initiator_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "status": "joined",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "status": "ringing",
                     *           "joined_at": null,
                     *           "left_at": null
                     *         }
                     *       ],
                     *       "join_url": null,
                     *       "recording_url": null,
                     *       "ring_timeout": 60,
                     *       "max_duration": 14400,
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "answered_at": null,
                     *       "ended_at": "2026-01-01T01:00:00.000Z",
                     *       "duration": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Call"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postCallsIdSignal: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the call.
                 * @example 019b76da-a800-7000-8000-00000000ca11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "offer",
                 *       "to": "019b76da-a800-7000-8000-0000000000e2",
                 *       "payload": {
                 *         "sdp": "v=0"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Session description or candidate, passed on unchanged. */
                    payload?: {
                        [key: string]: unknown;
                    };
                    /**
                     * Format: uuid
                     * @description Id of the participant who receives the signal.
                     */
                    to?: string;
                    /**
                     * @description Kind of signal. `offer`, `answer` and `candidate` go to one participant and need `to` and `payload`.
                     * @enum {string}
                     */
                    type: "offer" | "answer" | "candidate" | "join" | "leave" | "decline" | "bye";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "delivered": true
                     *     }
                     */
                    "application/json": {
                        /** @description Whether a socket was open to receive it. */
                        delivered: boolean;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postCallsIdToken: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the call.
                 * @example 019b76da-a800-7000-8000-00000000ca11
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user_id": "019b76da-a800-7000-8000-0000000000e2"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the participant whom the token is for. Default: the caller.
                     */
                    user_id?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "AZt22qgAcACAAAAAAADKEQAAAABpV7kA",
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "url": "wss://bridge.example/v1/openapi/rtc",
                     *       "expires_at": "2026-01-01T00:10:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RtcToken"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getConversations: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, type, platform, assignee_id, team, label, priority, participant_id, number, title, last_message_at, closed_at, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "last_message_at" | "number";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "number": 1,
                     *           "type": "direct",
                     *           "title": "Delivery of the sofa",
                     *           "team": null,
                     *           "status": "open",
                     *           "platform": "telegram",
                     *           "platforms": [
                     *             "telegram"
                     *           ],
                     *           "participants": [
                     *             {
                     *               "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *               "role": "owner",
                     *               "joined_at": "2026-01-01T00:00:00.000Z",
                     *               "left_at": null,
                     *               "last_read_at": null
                     *             },
                     *             {
                     *               "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *               "role": "customer",
                     *               "joined_at": "2026-01-01T00:00:00.000Z",
                     *               "left_at": null,
                     *               "last_read_at": null
                     *             }
                     *           ],
                     *           "assignee_id": null,
                     *           "snoozed_until": null,
                     *           "labels": [
                     *             "delivery"
                     *           ],
                     *           "priority": "none",
                     *           "unread_count": 0,
                     *           "last_message": {
                     *             "id": "019b76da-a800-7000-8000-0000000000a1",
                     *             "text": "Hello",
                     *             "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *             "created_at": "2026-01-01T00:00:00.000Z"
                     *           },
                     *           "links": [
                     *             {
                     *               "id": "019b76da-a800-7000-8000-000000000011",
                     *               "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *               "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *               "platform": "telegram",
                     *               "external_id": "884422",
                     *               "external_thread_id": null,
                     *               "title": "Ada",
                     *               "direction": "two_way",
                     *               "attribution": "prefix",
                     *               "status": "active",
                     *               "last_inbound_at": null,
                     *               "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *               "created_at": "2026-01-01T00:00:00.000Z",
                     *               "updated_at": "2026-01-01T00:00:00.000Z"
                     *             }
                     *           ],
                     *           "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "last_message_at": "2026-01-01T00:00:00.000Z",
                     *           "closed_at": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/conversations?page=1&limit=20",
                     *         "last": "/v1/openapi/conversations?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Conversation"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postConversations: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "direct",
                 *       "participant_ids": [
                 *         "019b76da-a800-7000-8000-0000000000e2"
                 *       ],
                 *       "title": "Delivery of the sofa",
                 *       "labels": [
                 *         "delivery"
                 *       ],
                 *       "message": {
                 *         "text": "Hello"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Up to 50 different labels of 1 to 256 characters. In a change they replace all labels.
                     * @default []
                     */
                    labels?: string[];
                    /** @description Up to 20 platform chats that show the conversation. */
                    links?: {
                        /**
                         * @description How a relayed message names its sender: `prefix` before the text, `persona` as name and avatar where the platform has that, or `none`. Default `prefix`.
                         * @default prefix
                         * @enum {string}
                         */
                        attribution?: "prefix" | "persona" | "none";
                        /**
                         * Format: uuid
                         * @description Id of the connection that reads and writes the chat.
                         */
                        connection_id: string;
                        /**
                         * @description `two_way`, `inbound` (messages of the chat come in, nothing is sent) or `outbound` (the reverse). Default `two_way`.
                         * @default two_way
                         * @enum {string}
                         */
                        direction?: "two_way" | "inbound" | "outbound";
                        /** @description Id of the chat on the platform, 1 to 256 characters. */
                        external_id: string;
                        /** @description Id of a topic or thread within the chat, 1 to 256 characters. Default: the chat itself. */
                        external_thread_id?: string | null;
                        /** @description Name of the chat, 1 to 256 characters. Default: its name on the platform. */
                        title?: string | null;
                    }[];
                    /** @description First message of the conversation, with the fields of `POST /openapi/messages` except the conversation. */
                    message?: {
                        /** @description Up to 10 attachments: objects, or URLs of files. */
                        attachments?: (string | {
                            /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                            alt_text?: string | null;
                            /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                            latitude?: number | null;
                            /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                            longitude?: number | null;
                            /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                            metadata?: {
                                [key: string]: unknown;
                            };
                            /** @description Media type, such as `image/png`. Default: found from the file. */
                            mime_type?: string | null;
                            /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                            name?: string | null;
                            /**
                             * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                             * @enum {string}
                             */
                            type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                            /**
                             * Format: uuid
                             * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                             */
                            upload_id?: string;
                            /**
                             * Format: uri
                             * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                             */
                            url?: string;
                        })[];
                        /**
                         * @description Purpose of the message. `marketing` needs `consent.marketing` and `transactional` needs `consent.notification` not to be `denied`. Default `conversational`.
                         * @default conversational
                         * @enum {string}
                         */
                        category?: "conversational" | "transactional" | "marketing";
                        /**
                         * @deprecated
                         * @description Name of `text` in client libraries.
                         */
                        content?: string;
                        /**
                         * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                         * @enum {string}
                         */
                        content_type?: "text" | "markdown";
                        /**
                         * @deprecated
                         * @description Name of `content_type` in client libraries.
                         * @enum {string}
                         */
                        contentType?: "text" | "markdown";
                        /**
                         * @description `true` makes a note for members that no platform receives. Default `false`.
                         * @default false
                         */
                        internal?: boolean;
                        /**
                         * @description Data of your own as a JSON object. The service stores it and does not read it.
                         * @default {}
                         */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Id of the message that this one answers, in the same conversation. */
                        reply_to_id?: string | null;
                        /** @description When to send: at most 365 days ahead. Up to 60 seconds in the past counts as now. Default: now. */
                        send_at?: string | null;
                        /** @description The text, up to 10,000 characters. It may be empty when there is an attachment. */
                        text?: string;
                        /** @description Id of the message that begins the thread, in the same conversation. That message has no `thread_id` itself. */
                        thread_id?: string | null;
                        /**
                         * @description Seconds after which an unsent delivery expires, counted from acceptance or from `send_at`: 60 to 604,800. Default 86,400.
                         * @default 86400
                         */
                        ttl_seconds?: number;
                    };
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Ids of up to 249 users. The caller always takes part and need not be named. */
                    participant_ids?: string[];
                    /** @description Platform by which a direct conversation with a contact is linked. Default: the first of the contact’s `channel_priority` that works, then the identity used last. */
                    platform?: string | null;
                    /**
                     * @description Priority for members. Default `none`.
                     * @default none
                     * @enum {string}
                     */
                    priority?: "none" | "low" | "medium" | "high" | "urgent";
                    /** @description Address of a person on a platform: opens the direct conversation with them. Excludes `participant_ids` and `links`. */
                    recipient?: {
                        /** @description Address of the person on the platform, such as a phone number in E.164 form, 1 to 256 characters. */
                        address: string;
                        /**
                         * Format: uuid
                         * @description Connection by which to write. Default: a connected one of that platform.
                         */
                        connection_id?: string;
                        /** @description Platform of the address. */
                        platform: string;
                    };
                    /** @description Name of the team that works on the conversation, up to 256 characters. A name that no team has creates a team. */
                    team?: string | null;
                    /** @description Title, up to 256 characters. */
                    title?: string | null;
                    /**
                     * @description Kind of conversation. Default: `direct` between two people, otherwise `group`.
                     * @enum {string}
                     */
                    type?: "direct" | "group" | "channel";
                };
            };
        };
        responses: {
            /** @description Created */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "number": 1,
                     *       "type": "direct",
                     *       "title": "Delivery of the sofa",
                     *       "team": null,
                     *       "status": "open",
                     *       "platform": "telegram",
                     *       "platforms": [
                     *         "telegram"
                     *       ],
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "role": "owner",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "role": "customer",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         }
                     *       ],
                     *       "assignee_id": null,
                     *       "snoozed_until": null,
                     *       "labels": [
                     *         "delivery"
                     *       ],
                     *       "priority": "none",
                     *       "unread_count": 0,
                     *       "last_message": {
                     *         "id": "019b76da-a800-7000-8000-0000000000a1",
                     *         "text": "Hello",
                     *         "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *         "created_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "links": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000011",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "external_thread_id": null,
                     *           "title": "Ada",
                     *           "direction": "two_way",
                     *           "attribution": "prefix",
                     *           "status": "active",
                     *           "last_inbound_at": null,
                     *           "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "last_message_at": "2026-01-01T00:00:00.000Z",
                     *       "closed_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "number": 1,
                     *       "type": "direct",
                     *       "title": "Delivery of the sofa",
                     *       "team": null,
                     *       "status": "open",
                     *       "platform": "telegram",
                     *       "platforms": [
                     *         "telegram"
                     *       ],
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "role": "owner",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "role": "customer",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         }
                     *       ],
                     *       "assignee_id": null,
                     *       "snoozed_until": null,
                     *       "labels": [
                     *         "delivery"
                     *       ],
                     *       "priority": "none",
                     *       "unread_count": 0,
                     *       "last_message": {
                     *         "id": "019b76da-a800-7000-8000-0000000000a1",
                     *         "text": "Hello",
                     *         "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *         "created_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "links": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000011",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "external_thread_id": null,
                     *           "title": "Ada",
                     *           "direction": "two_way",
                     *           "attribution": "prefix",
                     *           "status": "active",
                     *           "last_inbound_at": null,
                     *           "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "last_message_at": "2026-01-01T00:00:00.000Z",
                     *       "closed_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getConversationsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "number": 1,
                     *       "type": "direct",
                     *       "title": "Delivery of the sofa",
                     *       "team": null,
                     *       "status": "open",
                     *       "platform": "telegram",
                     *       "platforms": [
                     *         "telegram"
                     *       ],
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "role": "owner",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "role": "customer",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         }
                     *       ],
                     *       "assignee_id": null,
                     *       "snoozed_until": null,
                     *       "labels": [
                     *         "delivery"
                     *       ],
                     *       "priority": "none",
                     *       "unread_count": 0,
                     *       "last_message": {
                     *         "id": "019b76da-a800-7000-8000-0000000000a1",
                     *         "text": "Hello",
                     *         "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *         "created_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "links": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000011",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "external_thread_id": null,
                     *           "title": "Ada",
                     *           "direction": "two_way",
                     *           "attribution": "prefix",
                     *           "status": "active",
                     *           "last_inbound_at": null,
                     *           "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "last_message_at": "2026-01-01T00:00:00.000Z",
                     *       "closed_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteConversationsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchConversationsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "status": "pending",
                 *       "priority": "high",
                 *       "labels": [
                 *         "delivery",
                 *         "late"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Id of the member who works on the conversation; null removes the assignment. */
                    assignee_id?: string | null;
                    /** @description Up to 50 different labels of 1 to 256 characters. In a change they replace all labels. */
                    labels?: string[];
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Priority for members. Default `none`.
                     * @enum {string}
                     */
                    priority?: "none" | "low" | "medium" | "high" | "urgent";
                    /** @description When the conversation opens again. In the future; required with status `snoozed`, and only allowed with it. */
                    snoozed_until?: string | null;
                    /**
                     * @description Status of the conversation. `snoozed` requires `snoozed_until`.
                     * @enum {string}
                     */
                    status?: "open" | "pending" | "snoozed" | "resolved" | "archived";
                    /** @description Name of the team that works on the conversation, up to 256 characters. A name that no team has creates a team. */
                    team?: string | null;
                    /** @description Title, up to 256 characters. */
                    title?: string | null;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "number": 1,
                     *       "type": "direct",
                     *       "title": "Delivery of the sofa",
                     *       "team": null,
                     *       "status": "pending",
                     *       "platform": "telegram",
                     *       "platforms": [
                     *         "telegram"
                     *       ],
                     *       "participants": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "role": "owner",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         },
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "role": "customer",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         }
                     *       ],
                     *       "assignee_id": null,
                     *       "snoozed_until": null,
                     *       "labels": [
                     *         "delivery",
                     *         "late"
                     *       ],
                     *       "priority": "high",
                     *       "unread_count": 0,
                     *       "last_message": {
                     *         "id": "019b76da-a800-7000-8000-0000000000a1",
                     *         "text": "Hello",
                     *         "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *         "created_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "links": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000011",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "external_thread_id": null,
                     *           "title": "Ada",
                     *           "direction": "two_way",
                     *           "attribution": "prefix",
                     *           "status": "active",
                     *           "last_inbound_at": null,
                     *           "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "last_message_at": "2026-01-01T00:00:00.000Z",
                     *       "closed_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Conversation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getConversationsIdCapabilities: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "links": [
                     *         {
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "capabilities": {
                     *             "v": 1,
                     *             "hash": "5f2b6c0e",
                     *             "text": {
                     *               "max": 4096,
                     *               "unit": "utf16",
                     *               "formats": {
                     *                 "bold": "native",
                     *                 "italic": "native",
                     *                 "code": "native",
                     *                 "link": "native"
                     *               }
                     *             },
                     *             "ops": {
                     *               "edit": "native",
                     *               "delete": "native",
                     *               "react": "native",
                     *               "reply": "native",
                     *               "thread": "native",
                     *               "typing": "native",
                     *               "read_out": "dropped",
                     *               "read_in": "unknown",
                     *               "delivered": "unknown",
                     *               "buttons": "dropped",
                     *               "schedule": "emulated",
                     *               "history": "rejected",
                     *               "membership": "native",
                     *               "persona_override": "emulated",
                     *               "location": "native",
                     *               "live_location": "native",
                     *               "calls": "rejected",
                     *               "initiate": "rejected"
                     *             },
                     *             "media": {
                     *               "image": {
                     *                 "mime": {
                     *                   "image/jpeg": "native",
                     *                   "image/png": "native"
                     *                 },
                     *                 "max_bytes": 10485760,
                     *                 "caption_max": 1024,
                     *                 "per_message": 10
                     *               }
                     *             },
                     *             "edit": {
                     *               "max_age_s": null,
                     *               "max_count": null,
                     *               "media": true
                     *             },
                     *             "delete": {
                     *               "max_age_s": 172800,
                     *               "others": false
                     *             },
                     *             "react": {
                     *               "per_user": 1,
                     *               "allowed": null
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "combined": {
                     *         "v": 1,
                     *         "hash": "5f2b6c0e",
                     *         "text": {
                     *           "max": 4096,
                     *           "unit": "utf16",
                     *           "formats": {
                     *             "bold": "native",
                     *             "italic": "native",
                     *             "code": "native",
                     *             "link": "native"
                     *           }
                     *         },
                     *         "ops": {
                     *           "edit": "native",
                     *           "delete": "native",
                     *           "react": "native",
                     *           "reply": "native",
                     *           "thread": "native",
                     *           "typing": "native",
                     *           "read_out": "dropped",
                     *           "read_in": "unknown",
                     *           "delivered": "unknown",
                     *           "buttons": "dropped",
                     *           "schedule": "emulated",
                     *           "history": "rejected",
                     *           "membership": "native",
                     *           "persona_override": "emulated",
                     *           "location": "native",
                     *           "live_location": "native",
                     *           "calls": "rejected",
                     *           "initiate": "rejected"
                     *         },
                     *         "media": {
                     *           "image": {
                     *             "mime": {
                     *               "image/jpeg": "native",
                     *               "image/png": "native"
                     *             },
                     *             "max_bytes": 10485760,
                     *             "caption_max": 1024,
                     *             "per_message": 10
                     *           }
                     *         },
                     *         "edit": {
                     *           "max_age_s": null,
                     *           "max_count": null,
                     *           "media": true
                     *         },
                     *         "delete": {
                     *           "max_age_s": 172800,
                     *           "others": false
                     *         },
                     *         "react": {
                     *           "per_user": 1,
                     *           "allowed": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ConversationCapabilities"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getConversationsIdLinks: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, connection_id, platform, direction, status, external_id
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-000000000011",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "external_thread_id": null,
                     *           "title": "Ada",
                     *           "direction": "two_way",
                     *           "attribution": "prefix",
                     *           "status": "active",
                     *           "last_inbound_at": null,
                     *           "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/conversations/019b76da-a800-7000-8000-0000000000c1/links?page=1&limit=20",
                     *         "last": "/v1/openapi/conversations/019b76da-a800-7000-8000-0000000000c1/links?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Link"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postConversationsIdLinks: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                 *       "external_id": "884422",
                 *       "direction": "two_way"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description How a relayed message names its sender: `prefix` before the text, `persona` as name and avatar where the platform has that, or `none`. Default `prefix`.
                     * @default prefix
                     * @enum {string}
                     */
                    attribution?: "prefix" | "persona" | "none";
                    /**
                     * Format: uuid
                     * @description Id of the connection that reads and writes the chat.
                     */
                    connection_id: string;
                    /**
                     * @description `two_way`, `inbound` (messages of the chat come in, nothing is sent) or `outbound` (the reverse). Default `two_way`.
                     * @default two_way
                     * @enum {string}
                     */
                    direction?: "two_way" | "inbound" | "outbound";
                    /** @description Id of the chat on the platform, 1 to 256 characters. */
                    external_id: string;
                    /** @description Id of a topic or thread within the chat, 1 to 256 characters. Default: the chat itself. */
                    external_thread_id?: string | null;
                    /** @description Name of the chat, 1 to 256 characters. Default: its name on the platform. */
                    title?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-000000000011",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "external_id": "884422",
                     *       "external_thread_id": null,
                     *       "title": "Ada",
                     *       "direction": "two_way",
                     *       "attribution": "prefix",
                     *       "status": "active",
                     *       "last_inbound_at": null,
                     *       "last_outbound_at": "2026-01-01T00:00:02.000Z",
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteConversationsIdLinksLinkId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
                /**
                 * @description Id of the link.
                 * @example 019b76da-a800-7000-8000-000000000011
                 */
                link_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getConversationsIdParticipants: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /** @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: role, user_id */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "joined_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "role": "customer",
                     *           "joined_at": "2026-01-01T00:00:00.000Z",
                     *           "left_at": null,
                     *           "last_read_at": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/conversations/019b76da-a800-7000-8000-0000000000c1/participants?page=1&limit=20",
                     *         "last": "/v1/openapi/conversations/019b76da-a800-7000-8000-0000000000c1/participants?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Participant"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postConversationsIdParticipants: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                 *       "role": "customer"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Role in the conversation. Default: `customer` for a contact, `agent` for a member.
                     * @enum {string}
                     */
                    role?: "owner" | "agent" | "customer" | "bot";
                    /**
                     * Format: uuid
                     * @description Id of the user who joins.
                     */
                    user_id: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "role": "customer",
                     *       "joined_at": "2026-01-01T00:00:00.000Z",
                     *       "left_at": null,
                     *       "last_read_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Participant"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteConversationsIdParticipantsUserId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
                /**
                 * @description Id of the participant.
                 * @example 019b76da-a800-7000-8000-0000000000e2
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postConversationsIdTyping: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id or number of the conversation.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "started"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `started` or `stopped`: whether the caller is typing.
                     * @enum {string}
                     */
                    state: "started" | "stopped";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "accepted": true
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        accepted: true;
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDeliveries: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, platform, connection_id, link_id, conversation_id, message_id
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "next_attempt_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/deliveries?page=1&limit=20",
                     *         "last": "/v1/openapi/deliveries?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Delivery"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getDeliveriesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the delivery.
                 * @example 019b76da-a800-7000-8000-0000000000d1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000d1",
                     *       "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "link_id": "019b76da-a800-7000-8000-000000000011",
                     *       "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "external_chat_id": "884422",
                     *       "status": "sent",
                     *       "parts": [
                     *         {
                     *           "index": 0,
                     *           "kind": "text",
                     *           "status": "sent",
                     *           "external_id": "512",
                     *           "sent_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "attempt_count": 1,
                     *       "revision": 1,
                     *       "degradations": [],
                     *       "error": null,
                     *       "resolution": null,
                     *       "superseded_by": null,
                     *       "next_attempt_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "uncertain_at": null,
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "read_at": null,
                     *       "failed_at": null,
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postDeliveriesIdResolve: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the delivery.
                 * @example 019b76da-a800-7000-8000-0000000000d1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "sent"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The actual outcome.
                     * @enum {string}
                     */
                    outcome: "sent" | "failed";
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000d1",
                     *       "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "link_id": "019b76da-a800-7000-8000-000000000011",
                     *       "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "external_chat_id": "884422",
                     *       "status": "sent",
                     *       "parts": [
                     *         {
                     *           "index": 0,
                     *           "kind": "text",
                     *           "status": "sent",
                     *           "external_id": "512",
                     *           "sent_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "attempt_count": 1,
                     *       "revision": 1,
                     *       "degradations": [],
                     *       "error": null,
                     *       "resolution": "manual",
                     *       "superseded_by": null,
                     *       "next_attempt_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "uncertain_at": null,
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "read_at": null,
                     *       "failed_at": null,
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postDeliveriesIdRetry: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the delivery.
                 * @example 019b76da-a800-7000-8000-0000000000d1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000d1",
                     *       "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "link_id": "019b76da-a800-7000-8000-000000000011",
                     *       "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "external_chat_id": "884422",
                     *       "status": "queued",
                     *       "parts": [],
                     *       "attempt_count": 1,
                     *       "revision": 1,
                     *       "degradations": [],
                     *       "error": null,
                     *       "resolution": null,
                     *       "superseded_by": null,
                     *       "next_attempt_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "uncertain_at": null,
                     *       "sent_at": null,
                     *       "delivered_at": null,
                     *       "read_at": null,
                     *       "failed_at": null,
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getEventsStream: {
        parameters: {
            query?: {
                /**
                 * @description Events to receive, 1 to 100: names, groups such as `messages`, or `*`.
                 * @example messages,call.*
                 */
                events?: string;
                /** @example whk_01KDVDNA000123456789ABCDEF */
                last_event_id?: string;
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Replays the events after this one; browsers send it automatically when they reconnect */
                "Last-Event-ID"?: string;
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example retry: 3000
                     *
                     *     id: whk_01KDVDNA000123456789ABCDEF
                     *     event: webhook.test
                     *     data: {"id":"whk_01KDVDNA000123456789ABCDEF","event":"webhook.test","timestamp":"2026-01-01T00:00:00.000Z","data":{"webhook_id":"019b76da-a800-7000-8000-000000000001","message":"Grüße ✓","sequence":1}}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLocations: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, user_id, source, platform, tracking_session_id, recorded_at, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /**
                 * @description Only locations recorded at this time or later.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                from?: string;
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "recorded_at";
                /**
                 * @description Only locations recorded before this time.
                 * @example 2026-01-01T01:00:00.000Z
                 */
                to?: string;
                /**
                 * @description Id of the tracking session. Default of a new location: the user’s active session if there is exactly one; null: none.
                 * @example 019b76da-a800-7000-8000-0000000007ac
                 */
                tracking_session_id?: string;
                /**
                 * @description Id of the user. Default of a new location: the caller.
                 * @example 019b76da-a800-7000-8000-0000000000e2
                 */
                user_id?: string;
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-00000000010c",
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "latitude": 52.5163,
                     *           "longitude": 13.3777,
                     *           "accuracy": 8,
                     *           "altitude": null,
                     *           "altitude_accuracy": null,
                     *           "heading": null,
                     *           "speed": null,
                     *           "source": "manual",
                     *           "platform": null,
                     *           "address": "Pariser Platz, Berlin",
                     *           "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *           "recorded_at": "2026-01-01T00:00:02.000Z",
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/locations?page=1&limit=20",
                     *         "last": "/v1/openapi/locations?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Location"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postLocations: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                 *       "latitude": 52.5163,
                 *       "longitude": 13.3777,
                 *       "accuracy": 8,
                 *       "address": "Pariser Platz, Berlin"
                 *     }
                 */
                "application/json": {
                    /** @description Accuracy of the position in metres, 0 or more. */
                    accuracy?: number | null;
                    /** @description Postal address or name of the place, up to 512 characters. */
                    address?: string | null;
                    /** @description Altitude in metres. */
                    altitude?: number | null;
                    /** @description Accuracy of the altitude in metres, 0 or more. */
                    altitude_accuracy?: number | null;
                    /** @description Direction of movement in degrees clockwise from north, 0 to 360. */
                    heading?: number | null;
                    /** @description Latitude in degrees, -90 to 90. Required without `points`. */
                    latitude?: number;
                    /** @description Longitude in degrees, -180 to 180. Required without `points`. */
                    longitude?: number;
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description 1 to 100 locations at once, in place of the fields of one. */
                    points?: {
                        /** @description Accuracy of the position in metres, 0 or more. */
                        accuracy?: number | null;
                        /** @description Postal address or name of the place, up to 512 characters. */
                        address?: string | null;
                        /** @description Altitude in metres. */
                        altitude?: number | null;
                        /** @description Accuracy of the altitude in metres, 0 or more. */
                        altitude_accuracy?: number | null;
                        /** @description Direction of movement in degrees clockwise from north, 0 to 360. */
                        heading?: number | null;
                        /** @description Latitude in degrees, -90 to 90. */
                        latitude: number;
                        /** @description Longitude in degrees, -180 to 180. */
                        longitude: number;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /**
                         * Format: date-time
                         * @description When the position was measured, at most 5 minutes ahead. Default: now.
                         */
                        recorded_at?: string;
                        /**
                         * @description `device` for a measured position, `manual` for an entered one. Default `manual`.
                         * @enum {string}
                         */
                        source?: "device" | "manual";
                        /** @description Speed in metres per second, 0 or more. */
                        speed?: number | null;
                        /** @description Id of the tracking session. Default of a new location: the user’s active session if there is exactly one; null: none. */
                        tracking_session_id?: string | null;
                    }[];
                    /**
                     * Format: date-time
                     * @description When the position was measured, at most 5 minutes ahead. Default: now.
                     */
                    recorded_at?: string;
                    /**
                     * @description `device` for a measured position, `manual` for an entered one. Default `manual`.
                     * @enum {string}
                     */
                    source?: "device" | "manual";
                    /** @description Speed in metres per second, 0 or more. */
                    speed?: number | null;
                    /** @description Id of the tracking session. Default of a new location: the user’s active session if there is exactly one; null: none. */
                    tracking_session_id?: string | null;
                    /**
                     * Format: uuid
                     * @description Id of the user. Default of a new location: the caller.
                     */
                    user_id?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000010c",
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "latitude": 52.5163,
                     *       "longitude": 13.3777,
                     *       "accuracy": 8,
                     *       "altitude": null,
                     *       "altitude_accuracy": null,
                     *       "heading": null,
                     *       "speed": null,
                     *       "source": "manual",
                     *       "platform": null,
                     *       "address": "Pariser Platz, Berlin",
                     *       "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *       "recorded_at": "2026-01-01T00:00:02.000Z",
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Location"] | components["schemas"]["LocationBatch"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLocationsTracking: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, user_id, conversation_id, end_reason, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "started_at" | "expires_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000007ac",
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "status": "active",
                     *           "end_reason": null,
                     *           "purpose": "Delivery of the sofa",
                     *           "interval_seconds": 15,
                     *           "share_with": [
                     *             "019b76da-a800-7000-8000-0000000000e1"
                     *           ],
                     *           "started_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "consent": {
                     *             "status": "granted",
                     *             "granted_at": "2026-01-01T00:00:00.000Z",
                     *             "method": "recorded"
                     *           },
                     *           "points_count": 1,
                     *           "expires_at": "2026-01-01T01:00:00.000Z",
                     *           "last_location": {
                     *             "id": "019b76da-a800-7000-8000-00000000010c",
                     *             "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *             "latitude": 52.5163,
                     *             "longitude": 13.3777,
                     *             "accuracy": 8,
                     *             "altitude": null,
                     *             "altitude_accuracy": null,
                     *             "heading": null,
                     *             "speed": null,
                     *             "source": "manual",
                     *             "platform": null,
                     *             "address": "Pariser Platz, Berlin",
                     *             "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *             "recorded_at": "2026-01-01T00:00:02.000Z",
                     *             "metadata": {},
                     *             "created_at": "2026-01-01T00:00:00.000Z",
                     *             "updated_at": "2026-01-01T00:00:00.000Z"
                     *           },
                     *           "started_at": "2026-01-01T00:00:00.000Z",
                     *           "ended_at": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/locations/tracking?page=1&limit=20",
                     *         "last": "/v1/openapi/locations/tracking?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TrackingSession"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postLocationsTracking: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                 *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                 *       "purpose": "Delivery of the sofa",
                 *       "duration_seconds": 3600
                 *     }
                 */
                "application/json": {
                    /** @description Id or number of the conversation that the tracking belongs to. */
                    conversation_id?: (string | number) | null;
                    /**
                     * @description Seconds after which the session ends, 60 to 86,400. Default 3,600.
                     * @default 3600
                     */
                    duration_seconds?: number;
                    /**
                     * @description Seconds between two positions, 1 to 3,600. Default 15.
                     * @default 15
                     */
                    interval_seconds?: number;
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Why the position is tracked, up to 256 characters. The tracked person sees it. */
                    purpose?: string | null;
                    /** @description Ids of up to 250 members who see the session. Default: none. */
                    share_with?: string[];
                    /**
                     * Format: uuid
                     * @description Id of the user who is tracked. Default: the caller.
                     */
                    user_id?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000007ac",
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "status": "active",
                     *       "end_reason": null,
                     *       "purpose": "Delivery of the sofa",
                     *       "interval_seconds": 15,
                     *       "share_with": [
                     *         "019b76da-a800-7000-8000-0000000000e1"
                     *       ],
                     *       "started_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "consent": {
                     *         "status": "granted",
                     *         "granted_at": "2026-01-01T00:00:00.000Z",
                     *         "method": "recorded"
                     *       },
                     *       "points_count": 1,
                     *       "expires_at": "2026-01-01T01:00:00.000Z",
                     *       "last_location": {
                     *         "id": "019b76da-a800-7000-8000-00000000010c",
                     *         "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *         "latitude": 52.5163,
                     *         "longitude": 13.3777,
                     *         "accuracy": 8,
                     *         "altitude": null,
                     *         "altitude_accuracy": null,
                     *         "heading": null,
                     *         "speed": null,
                     *         "source": "manual",
                     *         "platform": null,
                     *         "address": "Pariser Platz, Berlin",
                     *         "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *         "recorded_at": "2026-01-01T00:00:02.000Z",
                     *         "metadata": {},
                     *         "created_at": "2026-01-01T00:00:00.000Z",
                     *         "updated_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "ended_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getLocationsTrackingId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the tracking session.
                 * @example 019b76da-a800-7000-8000-0000000007ac
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000007ac",
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "status": "active",
                     *       "end_reason": null,
                     *       "purpose": "Delivery of the sofa",
                     *       "interval_seconds": 15,
                     *       "share_with": [
                     *         "019b76da-a800-7000-8000-0000000000e1"
                     *       ],
                     *       "started_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "consent": {
                     *         "status": "granted",
                     *         "granted_at": "2026-01-01T00:00:00.000Z",
                     *         "method": "recorded"
                     *       },
                     *       "points_count": 1,
                     *       "expires_at": "2026-01-01T01:00:00.000Z",
                     *       "last_location": {
                     *         "id": "019b76da-a800-7000-8000-00000000010c",
                     *         "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *         "latitude": 52.5163,
                     *         "longitude": 13.3777,
                     *         "accuracy": 8,
                     *         "altitude": null,
                     *         "altitude_accuracy": null,
                     *         "heading": null,
                     *         "speed": null,
                     *         "source": "manual",
                     *         "platform": null,
                     *         "address": "Pariser Platz, Berlin",
                     *         "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *         "recorded_at": "2026-01-01T00:00:02.000Z",
                     *         "metadata": {},
                     *         "created_at": "2026-01-01T00:00:00.000Z",
                     *         "updated_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "ended_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postLocationsTrackingIdConsent: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the tracking session.
                 * @example 019b76da-a800-7000-8000-0000000007ac
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "granted": true
                 *     }
                 */
                "application/json": {
                    /** @description Whether the tracked person agrees. */
                    granted: boolean;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000007ac",
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "status": "active",
                     *       "end_reason": null,
                     *       "purpose": "Delivery of the sofa",
                     *       "interval_seconds": 15,
                     *       "share_with": [
                     *         "019b76da-a800-7000-8000-0000000000e1"
                     *       ],
                     *       "started_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "consent": {
                     *         "status": "granted",
                     *         "granted_at": "2026-01-01T00:00:00.000Z",
                     *         "method": "recorded"
                     *       },
                     *       "points_count": 1,
                     *       "expires_at": "2026-01-01T01:00:00.000Z",
                     *       "last_location": {
                     *         "id": "019b76da-a800-7000-8000-00000000010c",
                     *         "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *         "latitude": 52.5163,
                     *         "longitude": 13.3777,
                     *         "accuracy": 8,
                     *         "altitude": null,
                     *         "altitude_accuracy": null,
                     *         "heading": null,
                     *         "speed": null,
                     *         "source": "manual",
                     *         "platform": null,
                     *         "address": "Pariser Platz, Berlin",
                     *         "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *         "recorded_at": "2026-01-01T00:00:02.000Z",
                     *         "metadata": {},
                     *         "created_at": "2026-01-01T00:00:00.000Z",
                     *         "updated_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "ended_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postLocationsTrackingIdStop: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the tracking session.
                 * @example 019b76da-a800-7000-8000-0000000007ac
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000007ac",
                     *       "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "status": "stopped",
                     *       "end_reason": "stopped",
                     *       "purpose": "Delivery of the sofa",
                     *       "interval_seconds": 15,
                     *       "share_with": [
                     *         "019b76da-a800-7000-8000-0000000000e1"
                     *       ],
                     *       "started_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "consent": {
                     *         "status": "granted",
                     *         "granted_at": "2026-01-01T00:00:00.000Z",
                     *         "method": "recorded"
                     *       },
                     *       "points_count": 1,
                     *       "expires_at": "2026-01-01T01:00:00.000Z",
                     *       "last_location": {
                     *         "id": "019b76da-a800-7000-8000-00000000010c",
                     *         "user_id": "019b76da-a800-7000-8000-0000000000e2",
                     *         "latitude": 52.5163,
                     *         "longitude": 13.3777,
                     *         "accuracy": 8,
                     *         "altitude": null,
                     *         "altitude_accuracy": null,
                     *         "heading": null,
                     *         "speed": null,
                     *         "source": "manual",
                     *         "platform": null,
                     *         "address": "Pariser Platz, Berlin",
                     *         "tracking_session_id": "019b76da-a800-7000-8000-0000000007ac",
                     *         "recorded_at": "2026-01-01T00:00:02.000Z",
                     *         "metadata": {},
                     *         "created_at": "2026-01-01T00:00:00.000Z",
                     *         "updated_at": "2026-01-01T00:00:00.000Z"
                     *       },
                     *       "started_at": "2026-01-01T00:00:00.000Z",
                     *       "ended_at": "2026-01-01T01:00:00.000Z",
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TrackingSession"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMessages: {
        parameters: {
            query?: {
                /**
                 * @description Id of the conversation, or its number.
                 * @example 019b76da-a800-7000-8000-0000000000c1
                 */
                conversation_id?: string;
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, platform, direction, sender_id, conversation_id, category, content_type, thread_id, reply_to_id, broadcast_id, text, send_at, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "send_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "conversation_number": 1,
                     *           "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "text": "Hello",
                     *           "content_type": "text",
                     *           "attachments": [],
                     *           "read_by": [],
                     *           "direction": "outbound",
                     *           "status": "sent",
                     *           "platform": "telegram",
                     *           "category": "conversational",
                     *           "reply_to_id": null,
                     *           "thread_id": null,
                     *           "thread_count": 0,
                     *           "revision": 1,
                     *           "reactions": [
                     *             {
                     *               "emoji": "👍",
                     *               "count": 1,
                     *               "user_ids": [
                     *                 "019b76da-a800-7000-8000-0000000000e2"
                     *               ]
                     *             }
                     *           ],
                     *           "deliveries": [
                     *             {
                     *               "id": "019b76da-a800-7000-8000-0000000000d1",
                     *               "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *               "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *               "link_id": "019b76da-a800-7000-8000-000000000011",
                     *               "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *               "platform": "telegram",
                     *               "external_chat_id": "884422",
                     *               "status": "sent",
                     *               "parts": [
                     *                 {
                     *                   "index": 0,
                     *                   "kind": "text",
                     *                   "status": "sent",
                     *                   "external_id": "512",
                     *                   "sent_at": "2026-01-01T00:00:02.000Z"
                     *                 }
                     *               ],
                     *               "attempt_count": 1,
                     *               "revision": 1,
                     *               "degradations": [],
                     *               "error": null,
                     *               "resolution": null,
                     *               "superseded_by": null,
                     *               "next_attempt_at": null,
                     *               "expires_at": "2026-01-02T00:00:00.000Z",
                     *               "uncertain_at": null,
                     *               "sent_at": "2026-01-01T00:00:02.000Z",
                     *               "delivered_at": null,
                     *               "read_at": null,
                     *               "failed_at": null,
                     *               "created_at": "2026-01-01T00:00:00.000Z",
                     *               "updated_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "origin": null,
                     *           "error": null,
                     *           "broadcast_id": null,
                     *           "send_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "failed_at": null,
                     *           "edited_at": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/messages?page=1&limit=20",
                     *         "last": "/v1/openapi/messages?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postMessages: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "conversation_id": 1,
                 *       "text": "Hello"
                 *     }
                 */
                "application/json": {
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /**
                     * @description Purpose of the message. `marketing` needs `consent.marketing` and `transactional` needs `consent.notification` not to be `denied`. Default `conversational`.
                     * @default conversational
                     * @enum {string}
                     */
                    category?: "conversational" | "transactional" | "marketing";
                    /**
                     * @deprecated
                     * @description Name of `text` in client libraries.
                     */
                    content?: string;
                    /**
                     * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                     * @enum {string}
                     */
                    content_type?: "text" | "markdown";
                    /**
                     * @deprecated
                     * @description Name of `content_type` in client libraries.
                     * @enum {string}
                     */
                    contentType?: "text" | "markdown";
                    /** @description Id of the conversation, or its number. */
                    conversation_id?: string | number;
                    /**
                     * @deprecated
                     * @description Name of `conversation_id` in client libraries.
                     */
                    conversationId?: string | number;
                    /**
                     * @description `true` makes a note for members that no platform receives. Default `false`.
                     * @default false
                     */
                    internal?: boolean;
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Id of the message that this one answers, in the same conversation. */
                    reply_to_id?: string | null;
                    /** @description When to send: at most 365 days ahead. Up to 60 seconds in the past counts as now. Default: now. */
                    send_at?: string | null;
                    /** @description The text, up to 10,000 characters. It may be empty when there is an attachment. */
                    text?: string;
                    /** @description Id of the message that begins the thread, in the same conversation. That message has no `thread_id` itself. */
                    thread_id?: string | null;
                    /** @description Address to send to, in place of `conversation_id`. */
                    to?: {
                        /** @description Address on the platform, 1 to 256 characters. */
                        address: string;
                        /**
                         * Format: uuid
                         * @description Id of the connection that reads and writes the chat.
                         */
                        connection_id?: string;
                        /** @description Platform of the address. */
                        platform: string;
                    };
                    /**
                     * @description Seconds after which an unsent delivery expires, counted from acceptance or from `send_at`: 60 to 604,800. Default 86,400.
                     * @default 86400
                     */
                    ttl_seconds?: number;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMessagesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteMessagesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchMessagesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "text": "Hello, Ada"
                 *     }
                 */
                "application/json": {
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /**
                     * @deprecated
                     * @description Name of `text` in client libraries.
                     */
                    content?: string;
                    /**
                     * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                     * @enum {string}
                     */
                    content_type?: "text" | "markdown";
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description When to send: at most 365 days ahead. Up to 60 seconds in the past counts as now. Default: now. */
                    send_at?: string | null;
                    /** @description The text, up to 10,000 characters. It may be empty when there is an attachment. */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello, Ada",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 2,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    putMessagesIdReactionsEmoji: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The emoji, percent-encoded.
                 * @example 👍
                 */
                emoji: string;
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteMessagesIdReactionsEmoji: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description The emoji, percent-encoded.
                 * @example 👍
                 */
                emoji: string;
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postMessagesIdRead: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postMessagesIdRetry: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getMessagesIdTrace: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the message.
                 * @example 019b76da-a800-7000-8000-0000000000a1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "steps": [
                     *         {
                     *           "at": "2026-01-01T00:00:00.000Z",
                     *           "type": "message_accepted",
                     *           "delivery_id": null,
                     *           "platform": "telegram",
                     *           "connection_id": null,
                     *           "link_id": null,
                     *           "external_id": null,
                     *           "direction": "outbound",
                     *           "send_at": null,
                     *           "user_id": "019b76da-a800-7000-8000-0000000000e1",
                     *           "broadcast_id": null,
                     *           "attempt_id": null,
                     *           "operation": null,
                     *           "revision": 1,
                     *           "status": null,
                     *           "resolution": null,
                     *           "error": null,
                     *           "tries": null,
                     *           "parts": null,
                     *           "part": null,
                     *           "degradations": null,
                     *           "event": null,
                     *           "event_id": null,
                     *           "webhook_id": null,
                     *           "webhook_delivery_id": null,
                     *           "status_code": null,
                     *           "failure": null,
                     *           "duration_ms": null
                     *         },
                     *         {
                     *           "at": "2026-01-01T00:00:00.000Z",
                     *           "type": "delivery_created",
                     *           "delivery_id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "platform": "telegram",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "external_id": "884422",
                     *           "direction": null,
                     *           "send_at": null,
                     *           "user_id": null,
                     *           "broadcast_id": null,
                     *           "attempt_id": null,
                     *           "operation": null,
                     *           "revision": null,
                     *           "status": null,
                     *           "resolution": null,
                     *           "error": null,
                     *           "tries": null,
                     *           "parts": null,
                     *           "part": null,
                     *           "degradations": null,
                     *           "event": null,
                     *           "event_id": null,
                     *           "webhook_id": null,
                     *           "webhook_delivery_id": null,
                     *           "status_code": null,
                     *           "failure": null,
                     *           "duration_ms": null
                     *         },
                     *         {
                     *           "at": "2026-01-01T00:00:02.000Z",
                     *           "type": "part_sent",
                     *           "delivery_id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "platform": "telegram",
                     *           "connection_id": null,
                     *           "link_id": null,
                     *           "external_id": "512",
                     *           "direction": null,
                     *           "send_at": null,
                     *           "user_id": null,
                     *           "broadcast_id": null,
                     *           "attempt_id": null,
                     *           "operation": null,
                     *           "revision": null,
                     *           "status": "sent",
                     *           "resolution": null,
                     *           "error": null,
                     *           "tries": null,
                     *           "parts": null,
                     *           "part": 0,
                     *           "degradations": null,
                     *           "event": null,
                     *           "event_id": null,
                     *           "webhook_id": null,
                     *           "webhook_delivery_id": null,
                     *           "status_code": null,
                     *           "failure": null,
                     *           "duration_ms": null
                     *         },
                     *         {
                     *           "at": "2026-01-01T00:00:02.000Z",
                     *           "type": "delivery_sent",
                     *           "delivery_id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "platform": "telegram",
                     *           "connection_id": null,
                     *           "link_id": null,
                     *           "external_id": null,
                     *           "direction": null,
                     *           "send_at": null,
                     *           "user_id": null,
                     *           "broadcast_id": null,
                     *           "attempt_id": null,
                     *           "operation": null,
                     *           "revision": 1,
                     *           "status": null,
                     *           "resolution": null,
                     *           "error": null,
                     *           "tries": null,
                     *           "parts": null,
                     *           "part": null,
                     *           "degradations": null,
                     *           "event": null,
                     *           "event_id": null,
                     *           "webhook_id": null,
                     *           "webhook_delivery_id": null,
                     *           "status_code": null,
                     *           "failure": null,
                     *           "duration_ms": null
                     *         }
                     *       ],
                     *       "truncated": false
                     *     }
                     */
                    "application/json": components["schemas"]["MessageTrace"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatforms: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /** @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, status */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "telegram",
                     *           "name": "Telegram",
                     *           "version": "1.0.0",
                     *           "status": "connected",
                     *           "connections": [
                     *             {
                     *               "id": "019b76da-a800-7000-8000-0000000000c0",
                     *               "platform": "telegram",
                     *               "name": "Support bot",
                     *               "enabled": true,
                     *               "status": "connected",
                     *               "health": {
                     *                 "code": "ok",
                     *                 "message": "Connected.",
                     *                 "fix": null,
                     *                 "since": "2026-01-01T00:00:02.000Z"
                     *               },
                     *               "gaps": [],
                     *               "settings": {
                     *                 "api_base_url": "https://api.telegram.org",
                     *                 "ingress": "poll",
                     *                 "uncertain_policy": "hold",
                     *                 "unlinked_chats": "create"
                     *               },
                     *               "credentials_set": [
                     *                 "bot_token",
                     *                 "webhook_secret"
                     *               ],
                     *               "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *               "counters": {
                     *                 "received": 12,
                     *                 "sent": 9,
                     *                 "failed": 0,
                     *                 "uncertain": 0
                     *               },
                     *               "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *               "identity": {
                     *                 "external_id": "7000000001",
                     *                 "handle": "sofa_shop_bot",
                     *                 "name": "Sofa shop"
                     *               },
                     *               "last_error": null,
                     *               "last_event_at": "2026-01-01T00:00:00.000Z",
                     *               "created_at": "2026-01-01T00:00:00.000Z",
                     *               "updated_at": "2026-01-01T00:00:00.000Z"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/platforms?page=1&limit=20",
                     *         "last": "/v1/openapi/platforms?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Platform"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformsPlatform: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Name of the platform, such as `slack`.
                 * @example telegram
                 */
                platform: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "telegram",
                     *       "name": "Telegram",
                     *       "version": "1.0.0",
                     *       "status": "connected",
                     *       "connections": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "name": "Support bot",
                     *           "enabled": true,
                     *           "status": "connected",
                     *           "health": {
                     *             "code": "ok",
                     *             "message": "Connected.",
                     *             "fix": null,
                     *             "since": "2026-01-01T00:00:02.000Z"
                     *           },
                     *           "gaps": [],
                     *           "settings": {
                     *             "api_base_url": "https://api.telegram.org",
                     *             "ingress": "poll",
                     *             "uncertain_policy": "hold",
                     *             "unlinked_chats": "create"
                     *           },
                     *           "credentials_set": [
                     *             "bot_token",
                     *             "webhook_secret"
                     *           ],
                     *           "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *           "counters": {
                     *             "received": 12,
                     *             "sent": 9,
                     *             "failed": 0,
                     *             "uncertain": 0
                     *           },
                     *           "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "identity": {
                     *             "external_id": "7000000001",
                     *             "handle": "sofa_shop_bot",
                     *             "name": "Sofa shop"
                     *           },
                     *           "last_error": null,
                     *           "last_event_at": "2026-01-01T00:00:00.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Platform"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformsPlatformConnections: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, platform, name
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Name of the platform, such as `slack`.
                 * @example telegram
                 */
                platform: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "name": "Support bot",
                     *           "enabled": true,
                     *           "status": "connected",
                     *           "health": {
                     *             "code": "ok",
                     *             "message": "Connected.",
                     *             "fix": null,
                     *             "since": "2026-01-01T00:00:02.000Z"
                     *           },
                     *           "gaps": [],
                     *           "settings": {
                     *             "api_base_url": "https://api.telegram.org",
                     *             "ingress": "poll",
                     *             "uncertain_policy": "hold",
                     *             "unlinked_chats": "create"
                     *           },
                     *           "credentials_set": [
                     *             "bot_token",
                     *             "webhook_secret"
                     *           ],
                     *           "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *           "counters": {
                     *             "received": 12,
                     *             "sent": 9,
                     *             "failed": 0,
                     *             "uncertain": 0
                     *           },
                     *           "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "identity": {
                     *             "external_id": "7000000001",
                     *             "handle": "sofa_shop_bot",
                     *             "name": "Sofa shop"
                     *           },
                     *           "last_error": null,
                     *           "last_event_at": "2026-01-01T00:00:00.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/platforms/telegram/connections?page=1&limit=20",
                     *         "last": "/v1/openapi/platforms/telegram/connections?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postPlatformsPlatformConnections: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Name of the platform, such as `slack`.
                 * @example telegram
                 */
                platform: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Support bot",
                 *       "credentials": {
                 *         "bot_token": "7000000001:EXAMPLE-TOKEN-OF-THE-BOT"
                 *       },
                 *       "settings": {
                 *         "api_base_url": "https://api.telegram.org"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Credentials of the platform account, by the schema of the platform (`GET /openapi/platforms/{platform}`). */
                    credentials: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Whether the connection reads and writes. Default `true`.
                     * @default true
                     */
                    enabled?: boolean;
                    /** @description Name of the connection, 1 to 256 characters. */
                    name: string;
                    /**
                     * @description Settings of the connection, by the schema of the platform (`GET /openapi/platforms/{platform}`).
                     * @default {}
                     */
                    settings?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "name": "Support bot",
                     *       "enabled": true,
                     *       "status": "connecting",
                     *       "health": {
                     *         "code": "connecting",
                     *         "message": "Connecting.",
                     *         "fix": null,
                     *         "since": "2026-01-01T00:00:02.000Z"
                     *       },
                     *       "gaps": [],
                     *       "settings": {
                     *         "api_base_url": "https://api.telegram.org",
                     *         "ingress": "poll",
                     *         "uncertain_policy": "hold",
                     *         "unlinked_chats": "create"
                     *       },
                     *       "credentials_set": [
                     *         "bot_token",
                     *         "webhook_secret"
                     *       ],
                     *       "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *       "counters": {
                     *         "received": 0,
                     *         "sent": 0,
                     *         "failed": 0,
                     *         "uncertain": 0
                     *       },
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "identity": null,
                     *       "last_error": null,
                     *       "last_event_at": null,
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformsConnections: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, platform, name
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "name": "Support bot",
                     *           "enabled": true,
                     *           "status": "connected",
                     *           "health": {
                     *             "code": "ok",
                     *             "message": "Connected.",
                     *             "fix": null,
                     *             "since": "2026-01-01T00:00:02.000Z"
                     *           },
                     *           "gaps": [],
                     *           "settings": {
                     *             "api_base_url": "https://api.telegram.org",
                     *             "ingress": "poll",
                     *             "uncertain_policy": "hold",
                     *             "unlinked_chats": "create"
                     *           },
                     *           "credentials_set": [
                     *             "bot_token",
                     *             "webhook_secret"
                     *           ],
                     *           "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *           "counters": {
                     *             "received": 12,
                     *             "sent": 9,
                     *             "failed": 0,
                     *             "uncertain": 0
                     *           },
                     *           "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *           "identity": {
                     *             "external_id": "7000000001",
                     *             "handle": "sofa_shop_bot",
                     *             "name": "Sofa shop"
                     *           },
                     *           "last_error": null,
                     *           "last_event_at": "2026-01-01T00:00:00.000Z",
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/platforms/connections?page=1&limit=20",
                     *         "last": "/v1/openapi/platforms/connections?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Connection"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getPlatformsConnectionsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 019b76da-a800-7000-8000-0000000000c0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "name": "Support bot",
                     *       "enabled": true,
                     *       "status": "connected",
                     *       "health": {
                     *         "code": "ok",
                     *         "message": "Connected.",
                     *         "fix": null,
                     *         "since": "2026-01-01T00:00:02.000Z"
                     *       },
                     *       "gaps": [],
                     *       "settings": {
                     *         "api_base_url": "https://api.telegram.org",
                     *         "ingress": "poll",
                     *         "uncertain_policy": "hold",
                     *         "unlinked_chats": "create"
                     *       },
                     *       "credentials_set": [
                     *         "bot_token",
                     *         "webhook_secret"
                     *       ],
                     *       "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *       "counters": {
                     *         "received": 12,
                     *         "sent": 9,
                     *         "failed": 0,
                     *         "uncertain": 0
                     *       },
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "identity": {
                     *         "external_id": "7000000001",
                     *         "handle": "sofa_shop_bot",
                     *         "name": "Sofa shop"
                     *       },
                     *       "last_error": null,
                     *       "last_event_at": "2026-01-01T00:00:00.000Z",
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deletePlatformsConnectionsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 019b76da-a800-7000-8000-0000000000c0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchPlatformsConnectionsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 019b76da-a800-7000-8000-0000000000c0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Sales bot",
                 *       "settings": {
                 *         "unlinked_chats": "ignore"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Credentials of the platform account, by the schema of the platform (`GET /openapi/platforms/{platform}`). */
                    credentials?: {
                        [key: string]: unknown;
                    };
                    /** @description Whether the connection reads and writes. Default `true`. */
                    enabled?: boolean;
                    /** @description Name of the connection, 1 to 256 characters. */
                    name?: string;
                    /** @description Settings of the connection, by the schema of the platform (`GET /openapi/platforms/{platform}`). */
                    settings?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "name": "Sales bot",
                     *       "enabled": true,
                     *       "status": "connected",
                     *       "health": {
                     *         "code": "ok",
                     *         "message": "Connected.",
                     *         "fix": null,
                     *         "since": "2026-01-01T00:00:02.000Z"
                     *       },
                     *       "gaps": [],
                     *       "settings": {
                     *         "api_base_url": "https://api.telegram.org",
                     *         "ingress": "poll",
                     *         "uncertain_policy": "hold",
                     *         "unlinked_chats": "ignore"
                     *       },
                     *       "credentials_set": [
                     *         "bot_token",
                     *         "webhook_secret"
                     *       ],
                     *       "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *       "counters": {
                     *         "received": 12,
                     *         "sent": 9,
                     *         "failed": 0,
                     *         "uncertain": 0
                     *       },
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "identity": {
                     *         "external_id": "7000000001",
                     *         "handle": "sofa_shop_bot",
                     *         "name": "Sofa shop"
                     *       },
                     *       "last_error": null,
                     *       "last_event_at": "2026-01-01T00:00:00.000Z",
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postPlatformsConnectionsIdReconnect: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 019b76da-a800-7000-8000-0000000000c0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000c0",
                     *       "platform": "telegram",
                     *       "name": "Support bot",
                     *       "enabled": true,
                     *       "status": "connecting",
                     *       "health": {
                     *         "code": "connecting",
                     *         "message": "Connecting.",
                     *         "fix": null,
                     *         "since": "2026-01-01T00:00:02.000Z"
                     *       },
                     *       "gaps": [],
                     *       "settings": {
                     *         "api_base_url": "https://api.telegram.org",
                     *         "ingress": "poll",
                     *         "uncertain_policy": "hold",
                     *         "unlinked_chats": "create"
                     *       },
                     *       "credentials_set": [
                     *         "bot_token",
                     *         "webhook_secret"
                     *       ],
                     *       "webhook_url": "https://bridge.example/hooks/telegram/019b76da-a800-7000-8000-0000000000c0",
                     *       "counters": {
                     *         "received": 0,
                     *         "sent": 0,
                     *         "failed": 0,
                     *         "uncertain": 0
                     *       },
                     *       "created_by": "019b76da-a800-7000-8000-0000000000e1",
                     *       "identity": null,
                     *       "last_error": null,
                     *       "last_event_at": null,
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postPlatformsConnectionsIdTest: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the connection.
                 * @example 019b76da-a800-7000-8000-0000000000c0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ok": true,
                     *       "latency_ms": 84,
                     *       "checks": [
                     *         {
                     *           "name": "credentials",
                     *           "ok": true,
                     *           "message": "Telegram accepts the token."
                     *         }
                     *       ],
                     *       "identity": {
                     *         "external_id": "7000000001",
                     *         "handle": "sofa_shop_bot",
                     *         "name": "Sofa shop"
                     *       },
                     *       "error": null
                     *     }
                     */
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getProtocols: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /** @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, name */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "telegram",
                     *           "name": "Telegram",
                     *           "version": "1.0.0",
                     *           "contract_version": 2,
                     *           "ingress": [
                     *             "poll",
                     *             "webhook"
                     *           ],
                     *           "capabilities": {
                     *             "v": 1,
                     *             "hash": "5f2b6c0e",
                     *             "text": {
                     *               "max": 4096,
                     *               "unit": "utf16",
                     *               "formats": {
                     *                 "bold": "native",
                     *                 "italic": "native",
                     *                 "code": "native",
                     *                 "link": "native"
                     *               }
                     *             },
                     *             "ops": {
                     *               "edit": "native",
                     *               "delete": "native",
                     *               "react": "native",
                     *               "reply": "native",
                     *               "thread": "native",
                     *               "typing": "native",
                     *               "read_out": "dropped",
                     *               "read_in": "unknown",
                     *               "delivered": "unknown",
                     *               "buttons": "dropped",
                     *               "schedule": "emulated",
                     *               "history": "rejected",
                     *               "membership": "native",
                     *               "persona_override": "emulated",
                     *               "location": "native",
                     *               "live_location": "native",
                     *               "calls": "rejected",
                     *               "initiate": "rejected"
                     *             },
                     *             "media": {
                     *               "image": {
                     *                 "mime": {
                     *                   "image/jpeg": "native",
                     *                   "image/png": "native"
                     *                 },
                     *                 "max_bytes": 10485760,
                     *                 "caption_max": 1024,
                     *                 "per_message": 10
                     *               }
                     *             },
                     *             "edit": {
                     *               "max_age_s": null,
                     *               "max_count": null,
                     *               "media": true
                     *             },
                     *             "delete": {
                     *               "max_age_s": 172800,
                     *               "others": false
                     *             },
                     *             "react": {
                     *               "per_user": 1,
                     *               "allowed": null
                     *             }
                     *           },
                     *           "rate": {
                     *             "per_second": 30,
                     *             "per_chat_per_second": 1
                     *           },
                     *           "config_schema": {
                     *             "credentials": [
                     *               {
                     *                 "name": "bot_token",
                     *                 "type": "secret",
                     *                 "required": true,
                     *                 "default": null,
                     *                 "enum": null,
                     *                 "description": "As BotFather gives it.",
                     *                 "title": null,
                     *                 "enum_titles": null
                     *               }
                     *             ],
                     *             "settings": [
                     *               {
                     *                 "name": "unlinked_chats",
                     *                 "type": "string",
                     *                 "required": false,
                     *                 "default": "create",
                     *                 "enum": [
                     *                   "create",
                     *                   "ignore"
                     *                 ],
                     *                 "description": null,
                     *                 "title": "When a person writes in a chat that is not linked",
                     *                 "enum_titles": {
                     *                   "create": "Create a conversation",
                     *                   "ignore": "Ignore the message"
                     *                 }
                     *               }
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/protocols?page=1&limit=20",
                     *         "last": "/v1/openapi/protocols?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Protocol"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getProtocolsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Number of the protocol.
                 * @example telegram
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "telegram",
                     *       "name": "Telegram",
                     *       "version": "1.0.0",
                     *       "contract_version": 2,
                     *       "ingress": [
                     *         "poll",
                     *         "webhook"
                     *       ],
                     *       "capabilities": {
                     *         "v": 1,
                     *         "hash": "5f2b6c0e",
                     *         "text": {
                     *           "max": 4096,
                     *           "unit": "utf16",
                     *           "formats": {
                     *             "bold": "native",
                     *             "italic": "native",
                     *             "code": "native",
                     *             "link": "native"
                     *           }
                     *         },
                     *         "ops": {
                     *           "edit": "native",
                     *           "delete": "native",
                     *           "react": "native",
                     *           "reply": "native",
                     *           "thread": "native",
                     *           "typing": "native",
                     *           "read_out": "dropped",
                     *           "read_in": "unknown",
                     *           "delivered": "unknown",
                     *           "buttons": "dropped",
                     *           "schedule": "emulated",
                     *           "history": "rejected",
                     *           "membership": "native",
                     *           "persona_override": "emulated",
                     *           "location": "native",
                     *           "live_location": "native",
                     *           "calls": "rejected",
                     *           "initiate": "rejected"
                     *         },
                     *         "media": {
                     *           "image": {
                     *             "mime": {
                     *               "image/jpeg": "native",
                     *               "image/png": "native"
                     *             },
                     *             "max_bytes": 10485760,
                     *             "caption_max": 1024,
                     *             "per_message": 10
                     *           }
                     *         },
                     *         "edit": {
                     *           "max_age_s": null,
                     *           "max_count": null,
                     *           "media": true
                     *         },
                     *         "delete": {
                     *           "max_age_s": 172800,
                     *           "others": false
                     *         },
                     *         "react": {
                     *           "per_user": 1,
                     *           "allowed": null
                     *         }
                     *       },
                     *       "rate": {
                     *         "per_second": 30,
                     *         "per_chat_per_second": 1
                     *       },
                     *       "config_schema": {
                     *         "credentials": [
                     *           {
                     *             "name": "bot_token",
                     *             "type": "secret",
                     *             "required": true,
                     *             "default": null,
                     *             "enum": null,
                     *             "description": "As BotFather gives it.",
                     *             "title": null,
                     *             "enum_titles": null
                     *           }
                     *         ],
                     *         "settings": [
                     *           {
                     *             "name": "unlinked_chats",
                     *             "type": "string",
                     *             "required": false,
                     *             "default": "create",
                     *             "enum": [
                     *               "create",
                     *               "ignore"
                     *             ],
                     *             "description": null,
                     *             "title": "When a person writes in a chat that is not linked",
                     *             "enum_titles": {
                     *               "create": "Create a conversation",
                     *               "ignore": "Ignore the message"
                     *             }
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Protocol"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getRtc: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The connection is a WebSocket from here on */
            101: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getRtcIceServers: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "ice_servers": [
                     *         {
                     *           "urls": [
                     *             "stun:stun.example:3478"
                     *           ]
                     *         },
                     *         {
                     *           "urls": [
                     *             "turn:turn.example:3478?transport=udp"
                     *           ],
                     *           "username": "1767226200:019b76da-a800-7000-8000-0000000000e1",
                     *           "credential": "Zm9yIHRlbiBtaW51dGVz"
                     *         }
                     *       ],
                     *       "expires_at": "2026-01-01T00:10:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["IceServers"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postSandboxInbound: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "address": "deliver",
                 *       "text": "Hello",
                 *       "external_message_id": "in-1"
                 *     }
                 */
                "application/json": {
                    /** @description Postal address or name of the place, up to 512 characters. */
                    address: string;
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /** @description Id of the message on the simulated platform. A repeated id is the same message. */
                    external_message_id?: string;
                    /** @description The text, up to 10,000 characters. It may be empty when there is an attachment. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Created */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "outbound",
                     *       "status": "sent",
                     *       "platform": "telegram",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [
                     *         {
                     *           "emoji": "👍",
                     *           "count": 1,
                     *           "user_ids": [
                     *             "019b76da-a800-7000-8000-0000000000e2"
                     *           ]
                     *         }
                     *       ],
                     *       "deliveries": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000d1",
                     *           "message_id": "019b76da-a800-7000-8000-0000000000a1",
                     *           "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *           "link_id": "019b76da-a800-7000-8000-000000000011",
                     *           "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *           "platform": "telegram",
                     *           "external_chat_id": "884422",
                     *           "status": "sent",
                     *           "parts": [
                     *             {
                     *               "index": 0,
                     *               "kind": "text",
                     *               "status": "sent",
                     *               "external_id": "512",
                     *               "sent_at": "2026-01-01T00:00:02.000Z"
                     *             }
                     *           ],
                     *           "attempt_count": 1,
                     *           "revision": 1,
                     *           "degradations": [],
                     *           "error": null,
                     *           "resolution": null,
                     *           "superseded_by": null,
                     *           "next_attempt_at": null,
                     *           "expires_at": "2026-01-02T00:00:00.000Z",
                     *           "uncertain_at": null,
                     *           "sent_at": "2026-01-01T00:00:02.000Z",
                     *           "delivered_at": null,
                     *           "read_at": null,
                     *           "failed_at": null,
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:02.000Z"
                     *         }
                     *       ],
                     *       "origin": null,
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": "2026-01-02T00:00:00.000Z",
                     *       "sent_at": "2026-01-01T00:00:02.000Z",
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000a1",
                     *       "conversation_id": "019b76da-a800-7000-8000-0000000000c1",
                     *       "conversation_number": 1,
                     *       "sender_id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "text": "Hello",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "read_by": [],
                     *       "direction": "inbound",
                     *       "status": "received",
                     *       "platform": "sandbox",
                     *       "category": "conversational",
                     *       "reply_to_id": null,
                     *       "thread_id": null,
                     *       "thread_count": 0,
                     *       "revision": 1,
                     *       "reactions": [],
                     *       "deliveries": [],
                     *       "origin": {
                     *         "connection_id": "019b76da-a800-7000-8000-0000000000c0",
                     *         "link_id": "019b76da-a800-7000-8000-000000000011",
                     *         "external_id": "in-1",
                     *         "external_sender_id": "deliver"
                     *       },
                     *       "error": null,
                     *       "broadcast_id": null,
                     *       "send_at": null,
                     *       "expires_at": null,
                     *       "sent_at": null,
                     *       "delivered_at": null,
                     *       "failed_at": null,
                     *       "edited_at": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:02.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Message"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSegments: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, name, kind, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-00000000005e",
                     *           "name": "Berlin",
                     *           "kind": "static",
                     *           "size": 1,
                     *           "filter": null,
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/segments?page=1&limit=20",
                     *         "last": "/v1/openapi/segments?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Segment"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postSegments: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Berlin",
                 *       "user_ids": [
                 *         "019b76da-a800-7000-8000-0000000000e2"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Filter of `GET /openapi/users` that finds the members, up to 1,024 characters. Either this or `user_ids`. */
                    filter?: string | null;
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Name of the segment, 1 to 256 characters. */
                    name: string;
                    /** @description Ids of up to 10,000 users. Either this or `filter`. */
                    user_ids?: string[];
                };
                /**
                 * @example {
                 *       "name": "Berlin",
                 *       "file": "user_id,day\n019b76da-a800-7000-8000-0000000000e2,Monday\n"
                 *     }
                 */
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description CSV file with a header line. Each row names a recipient.
                     */
                    file: Blob;
                    /** @description Name of the segment, 1 to 256 characters. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000005e",
                     *       "name": "Berlin",
                     *       "kind": "static",
                     *       "size": 1,
                     *       "filter": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getSegmentsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the segment.
                 * @example 019b76da-a800-7000-8000-00000000005e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000005e",
                     *       "name": "Berlin",
                     *       "kind": "static",
                     *       "size": 1,
                     *       "filter": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteSegmentsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the segment.
                 * @example 019b76da-a800-7000-8000-00000000005e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchSegmentsId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the segment.
                 * @example 019b76da-a800-7000-8000-00000000005e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Berlin and around"
                 *     }
                 */
                "application/json": {
                    /** @description Filter of `GET /openapi/users` that finds the members, up to 1,024 characters. Either this or `user_ids`. */
                    filter?: string | null;
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Name of the segment, 1 to 256 characters. */
                    name?: string;
                    /** @description Ids of up to 10,000 users. Either this or `filter`. */
                    user_ids?: string[];
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000005e",
                     *       "name": "Berlin and around",
                     *       "kind": "static",
                     *       "size": 1,
                     *       "filter": null,
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Segment"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getStatus: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "operational",
                     *       "version": "1.0",
                     *       "time": "2026-01-01T00:00:00.000Z",
                     *       "uptime_seconds": 86400,
                     *       "versions": [
                     *         {
                     *           "version": "1.0",
                     *           "status": "stable",
                     *           "path": "/v1",
                     *           "sunset_at": null
                     *         },
                     *         {
                     *           "version": "2.0",
                     *           "status": "beta",
                     *           "path": "/v2",
                     *           "sunset_at": null
                     *         }
                     *       ],
                     *       "build": {
                     *         "version": "0.1.0",
                     *         "commit": "d8876e3"
                     *       },
                     *       "components": [
                     *         {
                     *           "name": "database",
                     *           "status": "operational",
                     *           "latency_ms": 1,
                     *           "message": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApiStatus"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTemplates: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, name, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-00000000007e",
                     *           "name": "Appointment",
                     *           "text": "Hello {{user.display_name}}, we come on {{day}}.",
                     *           "content_type": "text",
                     *           "attachments": [],
                     *           "variables": [
                     *             "user.display_name",
                     *             "day"
                     *           ],
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/templates?page=1&limit=20",
                     *         "last": "/v1/openapi/templates?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Template"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postTemplates: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Appointment",
                 *       "text": "Hello {{user.display_name}}, we come on {{day}}."
                 *     }
                 */
                "application/json": {
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /**
                     * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                     * @default text
                     * @enum {string}
                     */
                    content_type?: "text" | "markdown";
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Name of the template, 1 to 256 characters. */
                    name: string;
                    /** @description The text, up to 10,000 characters. It may be empty when there is an attachment. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000007e",
                     *       "name": "Appointment",
                     *       "text": "Hello {{user.display_name}}, we come on {{day}}.",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": [
                     *         "user.display_name",
                     *         "day"
                     *       ],
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTemplatesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the template.
                 * @example 019b76da-a800-7000-8000-00000000007e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000007e",
                     *       "name": "Appointment",
                     *       "text": "Hello {{user.display_name}}, we come on {{day}}.",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": [
                     *         "user.display_name",
                     *         "day"
                     *       ],
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteTemplatesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the template.
                 * @example 019b76da-a800-7000-8000-00000000007e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchTemplatesId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the template.
                 * @example 019b76da-a800-7000-8000-00000000007e
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Appointment, short",
                 *       "text": "We come on {{day}}."
                 *     }
                 */
                "application/json": {
                    /** @description Up to 10 attachments: objects, or URLs of files. */
                    attachments?: (string | {
                        /** @description Description of the content for people who cannot see it, up to 1,000 characters. */
                        alt_text?: string | null;
                        /** @description Latitude of a location in degrees, -90 to 90. Required for type `location`. */
                        latitude?: number | null;
                        /** @description Longitude of a location in degrees, -180 to 180. Required for type `location`. */
                        longitude?: number | null;
                        /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                        metadata?: {
                            [key: string]: unknown;
                        };
                        /** @description Media type, such as `image/png`. Default: found from the file. */
                        mime_type?: string | null;
                        /** @description File name that is shown, 1 to 255 characters. Default: the name in the URL or of the upload. */
                        name?: string | null;
                        /**
                         * @description Kind of attachment. Default: found from the file. `location` and `contact` have no file.
                         * @enum {string}
                         */
                        type?: "image" | "video" | "audio" | "file" | "location" | "contact" | "sticker";
                        /**
                         * Format: uuid
                         * @description Id of an uploaded attachment (`POST /openapi/attachments`). Either this or `url`.
                         */
                        upload_id?: string;
                        /**
                         * Format: uri
                         * @description Public http(s) URL of a file, which the service fetches. Either this or `upload_id`.
                         */
                        url?: string;
                    })[];
                    /**
                     * @description How the text is read: `text` as it stands, or `markdown`. Default `text`.
                     * @enum {string}
                     */
                    content_type?: "text" | "markdown";
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Name of the template, 1 to 256 characters. */
                    name?: string;
                    /** @description The text, up to 10,000 characters. It may be empty when there is an attachment. */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-00000000007e",
                     *       "name": "Appointment, short",
                     *       "text": "We come on {{day}}.",
                     *       "content_type": "text",
                     *       "attachments": [],
                     *       "variables": [
                     *         "day"
                     *       ],
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T01:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Template"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postTranslations: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "text": "Hello",
                 *       "target_language": "de"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the message whose text is translated. Either this or `text`.
                     */
                    message_id?: string;
                    /** @description Language of the text, as a BCP 47 tag. Default: detected. */
                    source_language?: string | null;
                    /** @description Language to translate into, as a BCP 47 tag such as `de`. */
                    target_language: string;
                    /** @description Text to translate, 1 to 10,000 characters. Either this or `message_id`. */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "text": "Hallo",
                     *       "detected_language": "en",
                     *       "target_language": "de",
                     *       "provider": "libretranslate",
                     *       "cached": false
                     *     }
                     */
                    "application/json": components["schemas"]["Translation"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTvNetworks: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /** @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, country */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "name";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "one.example.uk",
                     *           "name": "One",
                     *           "languages": [
                     *             "en"
                     *           ],
                     *           "country": "GB",
                     *           "icon_url": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/tv/networks?page=1&limit=20",
                     *         "last": "/v1/openapi/tv/networks?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TvNetwork"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTvNetworksId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the television network.
                 * @example one.example.uk
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "one.example.uk",
                     *       "name": "One",
                     *       "languages": [
                     *         "en"
                     *       ],
                     *       "country": "GB",
                     *       "icon_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["TvNetwork"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getTvNetworksIdSchedule: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /** @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: title, category, start_at */
                filter?: string[];
                /**
                 * @description Begin of the period of the schedule. Default: now.
                 * @example 2026-01-01T00:00:00.000Z
                 */
                from?: string;
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "start_at";
                /**
                 * @description End of the period, at most 14 days after `from`. Default: 24 hours after `from`.
                 * @example 2026-01-02T00:00:00.000Z
                 */
                to?: string;
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the television network.
                 * @example one.example.uk
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "one.example.uk:2026-01-01T00:00:00.000Z",
                     *           "network_id": "one.example.uk",
                     *           "title": "News at midnight",
                     *           "start_at": "2026-01-01T00:00:00.000Z",
                     *           "end_at": "2026-01-01T01:00:00.000Z",
                     *           "categories": [
                     *             "News"
                     *           ],
                     *           "description": null,
                     *           "icon_url": null
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/tv/networks/one.example.uk/schedule?page=1&limit=20",
                     *         "last": "/v1/openapi/tv/networks/one.example.uk/schedule?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TvProgramme"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUsers: {
        parameters: {
            query?: {
                /** @description Opaque; the empty string is the first page */
                cursor?: string;
                /**
                 * @description field:value clauses, all of which must hold; `|` between values, `-` before a clause negates it; fields: id, created_at, updated_at, status, kind, presence, username, display_name, email, phone, platform, identities.address, metadata.<key>
                 * @example [
                 *       "created_at:>=2026-01-01T00:00:00Z"
                 *     ]
                 */
                filter?: string[];
                /** @description Items per page */
                limit?: number;
                /** @description Direction; ties are broken by id */
                order?: "asc" | "desc";
                /** @description Page by offset; not with cursor */
                page?: number;
                /** @description Field to sort by */
                sort?: "created_at" | "updated_at" | "display_name" | "last_seen_at";
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019b76da-a800-7000-8000-0000000000e2",
                     *           "username": "ada",
                     *           "display_name": "Ada Lovelace",
                     *           "email": "ada@example.com",
                     *           "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e2.svg",
                     *           "status": "active",
                     *           "kind": "contact",
                     *           "presence": "offline",
                     *           "last_seen_at": null,
                     *           "phone": "+4915112345678",
                     *           "locale": "en-GB",
                     *           "timezone": "Europe/London",
                     *           "identities": [
                     *             {
                     *               "platform": "telegram",
                     *               "external_id": "884422",
                     *               "handle": "ada",
                     *               "verified": true,
                     *               "reachable": true,
                     *               "opt_out": []
                     *             }
                     *           ],
                     *           "channel_priority": [
                     *             "telegram",
                     *             "sms"
                     *           ],
                     *           "consent": {
                     *             "marketing": "granted",
                     *             "notification": "unknown",
                     *             "tracking": "unknown"
                     *           },
                     *           "metadata": {},
                     *           "created_at": "2026-01-01T00:00:00.000Z",
                     *           "updated_at": "2026-01-01T00:00:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "current_page": 1,
                     *         "total_pages": 1,
                     *         "total_items": 1,
                     *         "items_per_page": 20
                     *       },
                     *       "links": {
                     *         "first": "/v1/openapi/users?page=1&limit=20",
                     *         "last": "/v1/openapi/users?page=1&limit=20",
                     *         "prev": null,
                     *         "next": null
                     *       },
                     *       "pagination": {
                     *         "nextCursor": null,
                     *         "prevCursor": null,
                     *         "limit": 20,
                     *         "hasMore": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["User"][];
                        links?: components["schemas"]["ListLinks"];
                        meta?: components["schemas"]["ListMeta"];
                        pagination?: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postUsers: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Ada Lovelace",
                 *       "email": "ada@example.com",
                 *       "phone": "+4915112345678",
                 *       "identities": [
                 *         {
                 *           "platform": "telegram",
                 *           "external_id": "884422",
                 *           "handle": "ada"
                 *         }
                 *       ],
                 *       "channel_priority": [
                 *         "telegram",
                 *         "sms"
                 *       ],
                 *       "consent": {
                 *         "marketing": "granted"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Up to 50 platforms in the order in which to reach the contact. Default: the identity used last.
                     * @default []
                     */
                    channel_priority?: string[];
                    /**
                     * @description Consents to change; the others stay as they are.
                     * @default {}
                     */
                    consent?: {
                        /**
                         * @description Whether the contact takes marketing messages. Default `unknown`.
                         * @enum {string}
                         */
                        marketing?: "unknown" | "granted" | "denied";
                        /**
                         * @description Whether the contact takes notifications. Default `unknown`.
                         * @enum {string}
                         */
                        notification?: "unknown" | "granted" | "denied";
                        /**
                         * @description Whether the contact agrees to location tracking. Default `unknown`.
                         * @enum {string}
                         */
                        tracking?: "unknown" | "granted" | "denied";
                    };
                    /** @description Name that people see, 1 to 128 characters. */
                    display_name: string;
                    /**
                     * @description E-mail address, up to 254 characters. Default: empty.
                     * @default
                     */
                    email?: string;
                    /**
                     * @description Up to 50 addresses of the contact on platforms. In a change they replace all identities.
                     * @default []
                     */
                    identities?: {
                        /** @description Id of the person on the platform, 1 to 256 characters; a phone number for `sms`. */
                        external_id: string;
                        /** @description Name that the platform shows for the person, such as `@ada`, 1 to 256 characters. */
                        handle?: string | null;
                        /** @description Platform of the identity. */
                        platform: string;
                    }[];
                    /** @description Language as a BCP 47 tag, such as `de-DE`, up to 64 characters. */
                    locale?: string | null;
                    /**
                     * @description Data of your own as a JSON object. The service stores it and does not read it.
                     * @default {}
                     */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Phone number in E.164 form, such as `+12025550100`; null removes it. Spaces and `-().` are left out. */
                    phone?: string | null;
                    /**
                     * Format: uri
                     * @description URL of a picture, up to 2,048 characters. An empty string removes it.
                     */
                    profile_image?: string;
                    /** @description IANA time zone, such as `Europe/Berlin`. */
                    timezone?: string | null;
                    /** @description Unique name in the workspace: 3 to 64 of `a-z`, `0-9`, `_`, `.` and `-`. */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "username": "ada",
                     *       "display_name": "Ada Lovelace",
                     *       "email": "ada@example.com",
                     *       "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e2.svg",
                     *       "status": "active",
                     *       "kind": "contact",
                     *       "presence": "offline",
                     *       "last_seen_at": null,
                     *       "phone": "+4915112345678",
                     *       "locale": "en-GB",
                     *       "timezone": "Europe/London",
                     *       "identities": [
                     *         {
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "handle": "ada",
                     *           "verified": true,
                     *           "reachable": true,
                     *           "opt_out": []
                     *         }
                     *       ],
                     *       "channel_priority": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "consent": {
                     *         "marketing": "granted",
                     *         "notification": "unknown",
                     *         "tracking": "unknown"
                     *       },
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUsersId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 019b76da-a800-7000-8000-0000000000e2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "username": "ada",
                     *       "display_name": "Ada Lovelace",
                     *       "email": "ada@example.com",
                     *       "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e2.svg",
                     *       "status": "active",
                     *       "kind": "contact",
                     *       "presence": "offline",
                     *       "last_seen_at": null,
                     *       "phone": "+4915112345678",
                     *       "locale": "en-GB",
                     *       "timezone": "Europe/London",
                     *       "identities": [
                     *         {
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "handle": "ada",
                     *           "verified": true,
                     *           "reachable": true,
                     *           "opt_out": []
                     *         }
                     *       ],
                     *       "channel_priority": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "consent": {
                     *         "marketing": "granted",
                     *         "notification": "unknown",
                     *         "tracking": "unknown"
                     *       },
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    deleteUsersId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 019b76da-a800-7000-8000-0000000000e2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, no content */
            204: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchUsersId: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 019b76da-a800-7000-8000-0000000000e2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Ada King",
                 *       "consent": {
                 *         "tracking": "granted"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Up to 50 platforms in the order in which to reach the contact. Default: the identity used last. */
                    channel_priority?: string[];
                    /** @description Consents to change; the others stay as they are. */
                    consent?: {
                        /**
                         * @description Whether the contact takes marketing messages. Default `unknown`.
                         * @enum {string}
                         */
                        marketing?: "unknown" | "granted" | "denied";
                        /**
                         * @description Whether the contact takes notifications. Default `unknown`.
                         * @enum {string}
                         */
                        notification?: "unknown" | "granted" | "denied";
                        /**
                         * @description Whether the contact agrees to location tracking. Default `unknown`.
                         * @enum {string}
                         */
                        tracking?: "unknown" | "granted" | "denied";
                    };
                    /** @description Name that people see, 1 to 128 characters. */
                    display_name?: string;
                    /** @description E-mail address, up to 254 characters. Default: empty. */
                    email?: string;
                    /** @description Up to 50 addresses of the contact on platforms. In a change they replace all identities. */
                    identities?: {
                        /** @description Id of the person on the platform, 1 to 256 characters; a phone number for `sms`. */
                        external_id: string;
                        /** @description Name that the platform shows for the person, such as `@ada`, 1 to 256 characters. */
                        handle?: string | null;
                        /** @description Platform of the identity. */
                        platform: string;
                    }[];
                    /** @description Language as a BCP 47 tag, such as `de-DE`, up to 64 characters. */
                    locale?: string | null;
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /** @description Phone number in E.164 form, such as `+12025550100`; null removes it. Spaces and `-().` are left out. */
                    phone?: string | null;
                    /**
                     * @description Whether the user is there. Once set, it stays until it is changed.
                     * @enum {string}
                     */
                    presence?: "online" | "away" | "busy" | "offline";
                    /**
                     * Format: uri
                     * @description URL of a picture, up to 2,048 characters. An empty string removes it.
                     */
                    profile_image?: string;
                    /**
                     * @description `blocked` stops all messages to and from the contact; `active` ends that.
                     * @enum {string}
                     */
                    status?: "active" | "blocked";
                    /** @description IANA time zone, such as `Europe/Berlin`. */
                    timezone?: string | null;
                    /** @description Unique name in the workspace: 3 to 64 of `a-z`, `0-9`, `_`, `.` and `-`. */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "username": "ada",
                     *       "display_name": "Ada King",
                     *       "email": "ada@example.com",
                     *       "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e2.svg",
                     *       "status": "active",
                     *       "kind": "contact",
                     *       "presence": "offline",
                     *       "last_seen_at": null,
                     *       "phone": "+4915112345678",
                     *       "locale": "en-GB",
                     *       "timezone": "Europe/London",
                     *       "identities": [
                     *         {
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "handle": "ada",
                     *           "verified": true,
                     *           "reachable": true,
                     *           "opt_out": []
                     *         }
                     *       ],
                     *       "channel_priority": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "consent": {
                     *         "marketing": "granted",
                     *         "notification": "unknown",
                     *         "tracking": "granted"
                     *       },
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    postUsersIdMerge: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /**
                 * @description Of any number of requests with one key, exactly one takes effect; the others get its response. Kept for 24 hours
                 * @example order-4711-confirmation
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /**
                 * @description Id of the user.
                 * @example 019b76da-a800-7000-8000-0000000000e2
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "source_id": "019b76da-a800-7000-8000-0000000000e3"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the contact that is merged into the one of the path and then removed.
                     */
                    source_id: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000e2",
                     *       "username": "ada",
                     *       "display_name": "Ada Lovelace",
                     *       "email": "ada@example.com",
                     *       "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e2.svg",
                     *       "status": "active",
                     *       "kind": "contact",
                     *       "presence": "offline",
                     *       "last_seen_at": null,
                     *       "phone": "+4915112345678",
                     *       "locale": "en-GB",
                     *       "timezone": "Europe/London",
                     *       "identities": [
                     *         {
                     *           "platform": "telegram",
                     *           "external_id": "884422",
                     *           "handle": "ada",
                     *           "verified": true,
                     *           "reachable": true,
                     *           "opt_out": []
                     *         }
                     *       ],
                     *       "channel_priority": [
                     *         "telegram",
                     *         "sms"
                     *       ],
                     *       "consent": {
                     *         "marketing": "granted",
                     *         "notification": "unknown",
                     *         "tracking": "unknown"
                     *       },
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    getUsersMe: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "username": "grace",
                     *       "display_name": "Grace Hopper",
                     *       "email": "grace@example.com",
                     *       "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e1.svg",
                     *       "status": "active",
                     *       "kind": "member",
                     *       "presence": "offline",
                     *       "last_seen_at": null,
                     *       "phone": null,
                     *       "locale": "en-GB",
                     *       "timezone": "Europe/London",
                     *       "identities": [],
                     *       "channel_priority": [],
                     *       "consent": {
                     *         "marketing": "granted",
                     *         "notification": "unknown",
                     *         "tracking": "unknown"
                     *       },
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    patchUsersMe: {
        parameters: {
            query?: {
                /** @description Version of the API; takes precedence over both headers */
                version?: components["parameters"]["Version"];
            };
            header?: {
                /** @description Version of the API */
                "Accept-Version"?: components["parameters"]["AcceptVersion"];
                /** @description Version of the API; takes precedence over Accept-Version */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
                /** @description Repeated in the response and in the log; generated if missing */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "display_name": "Grace Hopper",
                 *       "presence": "busy"
                 *     }
                 */
                "application/json": {
                    /** @description Name that people see, 1 to 128 characters. */
                    display_name?: string;
                    /** @description Language as a BCP 47 tag, such as `de-DE`, up to 64 characters. */
                    locale?: string | null;
                    /** @description Data of your own as a JSON object. The service stores it and does not read it. */
                    metadata?: {
                        [key: string]: unknown;
                    };
                    /**
                     * @description Whether the user is there. Once set, it stays until it is changed.
                     * @enum {string}
                     */
                    presence?: "online" | "away" | "busy" | "offline";
                    /**
                     * Format: uri
                     * @description URL of a picture, up to 2,048 characters. An empty string removes it.
                     */
                    profile_image?: string;
                    /** @description IANA time zone, such as `Europe/Berlin`. */
                    timezone?: string | null;
                    /** @description Unique name in the workspace: 3 to 64 of `a-z`, `0-9`, `_`, `.` and `-`. */
                    username?: string;
                };
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019b76da-a800-7000-8000-0000000000e1",
                     *       "username": "grace",
                     *       "display_name": "Grace Hopper",
                     *       "email": "grace@example.com",
                     *       "profile_image": "https://bridge.example/avatars/019b76da-a800-7000-8000-0000000000e1.svg",
                     *       "status": "active",
                     *       "kind": "member",
                     *       "presence": "busy",
                     *       "last_seen_at": null,
                     *       "phone": null,
                     *       "locale": "en-GB",
                     *       "timezone": "Europe/London",
                     *       "identities": [],
                     *       "channel_priority": [],
                     *       "consent": {
                     *         "marketing": "granted",
                     *         "notification": "unknown",
                     *         "tracking": "unknown"
                     *       },
                     *       "metadata": {},
                     *       "created_at": "2026-01-01T00:00:00.000Z",
                     *       "updated_at": "2026-01-01T00:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["Error400"];
            401: components["responses"]["Error401"];
            /** @description Insufficient permissions */
            403: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["Error404"];
            /** @description Request conflicts with the current state */
            409: {
                headers: {
                    "X-API-Version": components["headers"]["X-API-Version"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["Error429"];
            500: components["responses"]["Error500"];
            503: components["responses"]["Error503"];
        };
    };
    receiveBroadcastCanceled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastCanceledEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBroadcastCompleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastCompletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBroadcastFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBroadcastPaused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastPausedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBroadcastResumed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastResumedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBroadcastScheduled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastScheduledEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveBroadcastStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BroadcastStartedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallAnswered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallAnsweredEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallEnded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallEndedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallParticipantJoined: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallParticipantJoinedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallParticipantLeft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallParticipantLeftEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveCallRinging: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallRingingEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationAssigned: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationAssignedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationDeletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationLinkAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationLinkAddedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationLinkRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationLinkRemovedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationLinkUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationLinkUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationParticipantAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationParticipantAddedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationParticipantRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationParticipantRemovedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationStatusChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationStatusChangedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveConversationUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDeliveryFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDeliveryUncertain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryUncertainEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveDeliveryUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeliveryUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveLocationUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LocationUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageDeletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageDelivered: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageDeliveredEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageReadEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageRerouted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageReroutedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageSent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageSentEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveMessageUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePlatformConnected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlatformConnectedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePlatformDisconnected: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlatformDisconnectedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePlatformError: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlatformErrorEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePlatformGap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlatformGapEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReactionAdded: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReactionAddedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveReactionRemoved: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReactionRemovedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveServiceBacklogGrown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceBacklogGrownEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveServiceBackupFailed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ServiceBackupFailedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTrackingExpired: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackingExpiredEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTrackingStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackingStartedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTrackingStopped: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackingStoppedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTypingStarted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TypingStartedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveTypingStopped: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TypingStoppedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserCreated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserDeleted: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserDeletedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserMerged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserMergedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserOptedIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserOptedInEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserOptedOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserOptedOutEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserPresenceChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPresenceChangedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserStatusChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserStatusChangedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveUserUpdated: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookDisabled: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookDisabledEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookTest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description Received */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The receiver is gone: the webhook is disabled */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
