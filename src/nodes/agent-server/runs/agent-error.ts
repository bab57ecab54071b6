/** A request that the agent refuses, with the status and the text of the response. */
export class AgentError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'AgentError';
    this.status = status;
  }
}
