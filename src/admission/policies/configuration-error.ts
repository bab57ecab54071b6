/**
 * Thrown when a policy or binding cannot be evaluated. The client of the request sees the message.
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
}
