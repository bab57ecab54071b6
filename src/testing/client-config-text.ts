/** The server's address and CA, and the client's token. */
interface ClientConfigFacts {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

/**
 * The text of a client config file with one context. JSON is valid YAML, so every client reads it.
 */
export function clientConfigText(facts: ClientConfigFacts): string {
  const name = 'test';
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: facts.server, 'certificate-authority-data': Buffer.from(facts.ca).toString('base64') },
      },
    ],
    users: [{ name, user: { token: facts.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
