/** Receives the exit code of a command that has ended. */
export type Finish = (code: number) => void;
