/**
 * A snowflake contains its time: milliseconds since 2015 above 22 bits
 * (https://docs.discord.com/developers/reference#snowflakes).
 */
const EPOCH_MS = 1_420_070_400_000;

/** Whether a string is a valid Discord id. */
export const isSnowflake = (value: string): boolean => /^\d{15,20}$/.test(value);

/** The smallest id of this time. */
export function snowflakeAt(unixMs: number): string {
  return String(BigInt(Math.max(0, Math.floor(unixMs) - EPOCH_MS)) << 22n);
}

/** Unix milliseconds of an id. */
export function snowflakeTime(id: string): number {
  return Number(BigInt(id) >> 22n) + EPOCH_MS;
}
