/** Logs a message with its details. */
export type StorageLog = (message: string, details: Readonly<Record<string, unknown>>) => void;
