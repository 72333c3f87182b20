/** The database can't be used: it is unreachable, refuses the connection, or does not exist. The message says what to do. */
export class DatabaseUnreachableError extends Error {
  override readonly name = 'DatabaseUnreachableError';
}

/** Another live Trunkline process runs the embedded database of this data directory. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** The embedded PostgreSQL can't be started on this machine. The message says what to do. */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}

/** The database has a schema of a newer version of Trunkline that this one can't work with. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
}

/** A schema file that ran differs from the file of the same number. */
export class SchemaChangedError extends Error {
  override readonly name = 'SchemaChangedError';
}

/** The server of DATABASE_URL is a PostgreSQL that this version does not work with. The message says which one it needs. */
export class DatabaseUnsupportedError extends Error {
  override readonly name = 'DatabaseUnsupportedError';
}
