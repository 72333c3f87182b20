/** Server settings by name, as given to `postgres -c name=value`. */
export type Settings = Record<string, string>;

/** Tuned for one small server that shares its machine with the application and must not lose a commit. */
const TUNING: Settings = {
  shared_buffers: '128MB',
  // A broadcast writes some megabytes of log between two commits. With the default size, it would wait for these writes.
  wal_buffers: '8MB',
  max_connections: '100',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  jit: 'off',

  // Durability: a 201 promises that a power loss keeps the message.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // No replicas read from this server, so the log holds what crash recovery needs and no more.
  wal_level: 'minimal',
  max_wal_senders: '0',
  wal_compression: 'on',
  min_wal_size: '80MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '10min',
  checkpoint_completion_target: '0.9',

  // Queue tables change all the time, so they are cleaned often and in small batches. But after each vacuum or analyze of a
  // table, every connection plans its statements again. Small tables that change all the time therefore wait for some thousand
  // changes.
  autovacuum_naptime: '5s',
  autovacuum_max_workers: '2',
  autovacuum_vacuum_threshold: '2000',
  autovacuum_vacuum_insert_threshold: '10000',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_vacuum_cost_delay: '0',
  autovacuum_analyze_threshold: '20000',
  autovacuum_analyze_scale_factor: '0.2',

  // Containers have little shared memory, and no query here gains from parallel workers.
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',

  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** The server's own log goes to ours, so it must not quote statements or values of rows. */
const LOGGING: Settings = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

/** The command line of a server that listens on one private Unix socket only. */
export function serverArguments(dataDirectory: string, socketDirectory: string, extra: Settings): string[] {
  const settings: Settings = {
    ...TUNING,
    ...LOGGING,
    ...extra,
    listen_addresses: '',
    unix_socket_directories: socketDirectory,
    unix_socket_permissions: '0700',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataDirectory, ...options];
}
