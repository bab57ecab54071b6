/** The part of a structured logger that HTTP uses; a pino logger is one. */
export interface Log {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
  debug(details: object, message: string): void;
}
