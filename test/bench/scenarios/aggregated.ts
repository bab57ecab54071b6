import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../src/pki/issue-certificate.ts';
import { type CustomKindShape, customDefinition, customObject, customObjectsPath } from '../custom-kind.ts';
import { type Lab, type Subject, withClients } from '../lab.ts';
import type { LoadRequest } from '../load/http-client.ts';
import { compare, pressHttp, type Scenario } from './scenario.ts';

const shape: CustomKindShape = { group: 'aggregated.example.com', plural: 'gadgets', versions: 1, schemaBytes: 1_000 };
const collection = customObjectsPath(shape, 'default');
const clients = 32;
const hour = 3_600_000;

/** The CPU time of a request that is passed on, as a multiple of that of the server which answers it. */
const bar = 6;

/** Gets of an object of a server behind another one: the CPU time of the one in front, beside that of the other. */
export const aggregated: Scenario = {
  name: 'aggregated-get',
  async run({ lab, report }) {
    const files = await certificates(lab);
    const behind = await lab.startServer(
      '/bench-behind',
      `--requestheader-client-ca-file=${files.ca}`,
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
    );
    const front = await lab.startServer(
      '/bench-front',
      '--service-resolver=cluster-ip',
      `--proxy-client-cert-file=${files.cert}`,
      `--proxy-client-key-file=${files.key}`,
    );
    await send(behind, '/apis/apiextensions.cl.io/v1/customresourcedefinitions', customDefinition(shape));
    await eventually(() => send(behind, collection, JSON.parse(customObject(shape, 'object')) as object));
    await register(front, Number(new URL(behind.url).port));
    const get: LoadRequest = { path: `${collection}/object` };
    await eventually(() => withClients(front, 1, async ([client]) => client?.send(get)));
    const load = { clients, seconds: lab.settings.seconds };
    const figures = await compare(lab.settings.rounds, 'cpuMicros', {
      ours: pressHttp(front, load, () => get),
      bare: pressHttp(behind, load, () => get),
    });
    const note = 'CPU of the server in front alone; bare: the other one, asked directly';
    report({ scenario: `aggregated-get, ${clients} clients`, figures, compared: 'cpuMicros', bar, note });
    for (const server of [front, behind]) await lab.stopSubject(server);
  },
};

/** The CA of proxies, and the certificate of one. */
async function certificates(lab: Lab) {
  const key = await generateKey();
  const certificatePem = await issueAuthorityCertificate(key, 'proxies', new Date(Date.now() + hour));
  const proxy = await issueClientCertificate({ key, certificatePem }, { username: 'proxy', groups: [] }, hour);
  const file = async (name: string, text: string): Promise<string> => {
    const at = path.join(lab.directory, name);
    await writeFile(at, text);
    return at;
  };
  return {
    ca: await file('proxies.pem', certificatePem),
    cert: await file('proxy.pem', proxy.certPem),
    key: await file('proxy.key', proxy.keyPem),
  };
}

async function register(front: Subject, port: number): Promise<void> {
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await send(front, '/api/v1/namespaces/default/services', { metadata: { name: 'behind' }, spec });
  const { group } = shape;
  const place = { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 };
  const service = { namespace: 'default', name: 'behind', port };
  const apiService = { metadata: { name: `v1.${group}` }, spec: { ...place, service, insecureSkipTLSVerify: true } };
  await send(front, '/apis/apiregistration.cl.io/v1/apiservices', apiService);
}

function send(server: Subject, where: string, object: object): Promise<void> {
  return withClients(server, 1, async ([client]) => {
    await client?.send({ method: 'POST', path: where, body: JSON.stringify(object) });
  });
}

const tries = 100;

/** Repeats what is refused until something is served. */
async function eventually(work: () => Promise<unknown>): Promise<void> {
  for (let left = tries; ; left--) {
    try {
      await work();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
