/** The environment variable with the number of a worker's place. */
export const slotVariable = 'CL_APISERVER_WORKER';

/** The number of this worker's place, from 1; undefined for a process that is no worker. */
export function workerSlot(): string | undefined {
  return process.connected ? process.env[slotVariable] : undefined;
}
