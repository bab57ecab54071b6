/** A policy or binding that cannot be carried out. The sender of a request gets the message. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
