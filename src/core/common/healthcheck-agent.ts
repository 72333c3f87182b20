/** User agent of the health check on the same machine. It sends no other requests, and no user waits for its response. */
export const healthcheckAgent = 'trunkline-healthcheck';
