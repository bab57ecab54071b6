import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultServerOptions } from '../../src/config/server-options.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../src/testing/index.ts';
import { request } from '../http/http-client.ts';
import { type NodeAgent, startNodeAgent } from './start-node-agent.ts';

/** A server with a node `n`, whose agent runs in this process, and the pod `p` on it. */
export interface NodeWorld extends AsyncDisposable {
  readonly server: TestServer;
  readonly agent: NodeAgent;
  /** A directory for files, removed at the end. */
  readonly directory: string;
  /** Creates a pod in the namespace `default`. */
  createPod(name: string, spec: object, podIp?: string): Promise<void>;
  /** Merges a patch into an object; the status too. */
  patchStatus(path: string, status: object): Promise<void>;
}

/** The path of pods in the namespace `default`. */
export const podsPath = '/api/v1/namespaces/default/pods';

const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** Starts a server that may connect to the loopback interface, unless the options say otherwise. */
export async function startNodeWorld(options: TestServerOptions = {}): Promise<NodeWorld> {
  const agent = await startNodeAgent('n');
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-node-'));
  const file = async (name: string, text: string): Promise<string> => {
    const place = path.join(directory, name);
    await writeFile(place, text, { mode: 0o600 });
    return place;
  };
  const server = await startServer({
    proxyAllowedNetworks: ['127.0.0.0/8'],
    ...options,
    nodeAgent: options.nodeAgent ?? {
      ...defaultServerOptions.nodeAgent,
      certificateAuthorityFile: await file('agents.crt', agent.ca),
      clientCertificateFile: await file('client.crt', agent.cert),
      clientKeyFile: await file('client.key', agent.key),
    },
  });
  const world: NodeWorld = {
    server,
    agent,
    directory,
    async createPod(name, spec, podIp) {
      const response = await request(server, 'POST', podsPath, { metadata: { name }, spec });
      assert.equal(response.status, 201, response.text);
      if (podIp) await world.patchStatus(`${podsPath}/${name}`, { podIP: podIp, podIPs: [{ ip: podIp }] });
    },
    async patchStatus(at, status) {
      const response = await request(server, 'PATCH', `${at}/status`, { status }, mergePatch);
      assert.equal(response.status, 200, response.text);
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await agent[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
  await createNode(world, 'n', agent.port);
  await world.createPod('p', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] });
  return world;
}

/** Creates a node whose agent is on a port of the loopback interface. */
export async function createNode(world: NodeWorld, name: string, port: number): Promise<void> {
  const created = await request(world.server, 'POST', '/api/v1/nodes', { metadata: { name } });
  assert.equal(created.status, 201, created.text);
  await world.patchStatus(`/api/v1/nodes/${name}`, {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  });
}
