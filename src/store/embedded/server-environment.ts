/**
 * The whole environment of the programs of PostgreSQL, and of those that start them. Ours holds secrets, and the environment of a
 * process can be read by every process of the same user.
 */
export const serverEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
};
