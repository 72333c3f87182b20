/**
 * The whole environment of PostgreSQL's programs and of the programs that start them. The environment of this process holds
 * secrets, and every process of the same user can read the environment of a process.
 */
export const serverEnvironment: NodeJS.ProcessEnv = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
};
