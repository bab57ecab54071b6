import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Agent, request } from 'undici';
import { startServer } from '../../src/testing/index.ts';
import { freePort } from '../free-ports.ts';
import { until } from '../http/until.ts';

/** A running API server with its controllers. */
export interface Plane {
  /** Sends a request as an administrator. Rejects unless it succeeds. */
  readonly send: (method: string, at: string, body?: object, type?: string) => Promise<unknown>;
  readonly stop: () => Promise<void>;
}

/** The store that both servers use, one after the other. */
export interface SharedStore {
  readonly directory: string;
  readonly etcd: string;
  /** The EncryptionConfiguration. */
  readonly encryption: string;
  readonly release: string;
}

const range = '10.0.0.0/16';

/** Starts kube-apiserver and its controllers. */
export async function startTheirs(
  { apiserver, manager }: { readonly apiserver: string; readonly manager: string },
  { directory, etcd, encryption, release }: SharedStore,
): Promise<Plane> {
  const file = (name: string): string => path.join(directory, name);
  const port = await freePort();
  await writeFile(file('tokens.csv'), 't,admin,admin,"system:masters"\n');
  await writeKey(file('sa.key'));
  const isNew = hasPluginGate(release);
  const api = run(apiserver, file('apiserver.log'), [
    `--etcd-servers=${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${file('certs')}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-account-issuer=https://issuer',
    `--service-cluster-ip-range=${range}`,
    '--disable-admission-plugins=ServiceAccount',
    `--encryption-provider-config=${encryption}`,
    ...(isNew ? [`--feature-gates=${pluginGate}`] : []),
  ]);
  const url = `https://127.0.0.1:${port}`;
  const send = sender(url, 't', undefined);
  await until('kube-apiserver', () =>
    send('GET', '/readyz').then(
      () => true,
      () => false,
    ),
  );
  const clusters = [{ name: 'c', cluster: { server: url, 'insecure-skip-tls-verify': true } }];
  const users = [{ name: 'u', user: { token: 't' } }];
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  const config = { apiVersion: 'v1', kind: 'Config', clusters, users, contexts, 'current-context': 'x' };
  await writeFile(file('kubeconfig'), JSON.stringify(config));
  const controllers = run(manager, file('manager.log'), [
    `--kubeconfig=${file('kubeconfig')}`,
    '--leader-elect=false',
    ...(isNew ? [] : ['--port=0']),
    `--secure-port=${await freePort()}`,
    `--service-account-private-key-file=${file('sa.key')}`,
  ]);
  return {
    send,
    async stop() {
      await end(controllers);
      await end(api);
    },
  };
}

/** Starts this server and its controllers. */
export async function startOurs({ etcd, encryption, release }: SharedStore): Promise<Plane> {
  const server = await startServer({
    identifiers: 'kubernetes',
    storageMediaType: 'application/vnd.kubernetes.protobuf',
    emulatedRelease: release as '1.20',
    ...(hasPluginGate(release) ? { featureGates: [pluginGate] } : {}),
    store: { kind: 'etcd', servers: [etcd] },
    encryptionConfigFile: encryption,
    serviceClusterIpRange: range,
    controllers: true,
  });
  return { send: sender(server.url, server.token, server.ca), stop: () => server.stop() };
}

/** Without this gate releases since 1.28 refuse plugins of version 1. */
const pluginGate = 'KMSv1=true';

function hasPluginGate(release: string): boolean {
  return Number(release.slice(2)) >= 28;
}

async function writeKey(file: string): Promise<void> {
  const { generateKeyPairSync } = await import('node:crypto');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(file, privateKey.export({ type: 'pkcs1', format: 'pem' }), { flag: 'wx' }).catch(() => undefined);
}

function run(program: string, log: string, args: readonly string[]): ChildProcess {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const out = createWriteStream(log, { flags: 'a' });
  child.stdout?.pipe(out);
  child.stderr?.pipe(out);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await ended;
  clearTimeout(timer);
}

function sender(url: string, token: string, ca: string | undefined): Plane['send'] {
  const dispatcher = new Agent({ connect: ca === undefined ? { rejectUnauthorized: false } : { ca } });
  return async (method, at, body, type = 'application/json') => {
    const headers = { authorization: `Bearer ${token}`, ...(body ? { 'content-type': type } : {}) };
    const response = await request(`${url}${at}`, {
      method: method as 'GET',
      headers,
      dispatcher,
      headersTimeout: 10_000,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.body.text();
    if (response.statusCode >= 300) throw new Error(`${method} ${at}: ${response.statusCode} ${text.slice(0, 2000)}`);
    return text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
  };
}
