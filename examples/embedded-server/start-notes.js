import { randomBytes } from 'node:crypto';
import { createServer } from 'cl-apiserver';
import { builtInResources, createClient } from 'cl-apiserver/client';

/** Starts an API server in this program, and a client that needs no connection. */
export async function startNotes() {
  const token = randomBytes(16).toString('hex');
  const server = await createServer({
    store: { kind: 'memory' },
    tokens: [{ token, username: 'program', groups: ['system:masters'] }],
  });
  const client = createClient({
    server: server.url,
    ca: server.ca,
    token,
    namespace: 'default',
    direct: server.direct,
  });
  const notes = client.resource(builtInResources().configmaps);
  return {
    url: server.url,
    /** Keeps a note under a name. */
    write: (name, text) =>
      notes.apply(
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text } },
        { fieldManager: 'notes' },
      ),
    read: async (name) => (await notes.get(name)).data?.text,
    async stop() {
      await client.close();
      await server.close();
    },
  };
}
