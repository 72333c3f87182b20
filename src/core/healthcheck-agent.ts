/** How the healthcheck of the machine itself names itself: it sends no requests to the service, and nobody waits for it. */
export const healthcheckAgent = 'trunkline-healthcheck';
