/** How the healthcheck of the machine itself names itself: it sends no other requests, and no user waits for it. */
export const healthcheckAgent = 'trunkline-healthcheck';
