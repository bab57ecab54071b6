import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type AggregatedWorld, startAggregatedWorld } from '../http/aggregation/aggregated-world.ts';

const run = promisify(execFile);

describe('kubectl and aggregated servers', () => {
  let world: AggregatedWorld;
  let directory: string;
  let kubectl: string;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-kubectl-aggregation-'));
    world = await startAggregatedWorld({ identifiers: 'kubernetes' });
    await writeFile(path.join(directory, 'config'), world.server.clientConfig);
    await world.serve('shop.example.com');
    await world.create('down.example.com', { service: { namespace: 'default', name: 'missing', port: 443 } });
  });

  after(async () => {
    await world[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  async function kube(...args: string[]): Promise<string> {
    const env = { ...process.env, KUBECONFIG: path.join(directory, 'config'), HOME: directory };
    const { stdout } = await run(kubectl, args, { env, cwd: directory });
    return stdout;
  }

  it('shows APIServices, and waits for them', async () => {
    const listed = await kube('get', 'apiservices');
    assert.match(listed, /^v1\.shop\.example\.com +default\/backend +True /m);
    assert.match(listed, /^v1\.down\.example\.com +default\/missing +False \(ServiceNotFound\) /m);
    assert.match(listed, /^v1\.apps +Local +True /m);
    const waited = await kube('wait', '--for=condition=Available', 'apiservice/v1.shop.example.com');
    assert.equal(waited.trim(), 'apiservice.apiregistration.k8s.io/v1.shop.example.com condition met');
    const never = kube('wait', '--for=condition=Available', 'apiservice/v1.down.example.com', '--timeout=1s');
    await assert.rejects(never, /timed out waiting for the condition/);
  });

  it('lists the resources of the other servers while one of them is down', async () => {
    const refused: unknown = await kube('api-resources').catch((error: unknown) => error);
    assert.ok(refused instanceof Error && 'stdout' in refused && 'stderr' in refused);
    assert.match(String(refused.stdout), /^things +shop\.example\.com(?:\/v1)? +true +Thing$/m);
    assert.match(
      String(refused.stderr),
      /down\.example\.com\/v1: the server is currently unable to handle the request/,
    );
    assert.match(await kube('get', '--raw', '/apis/shop.example.com/v1/things'), /"url"/);
    assert.match(await kube('get', 'configmaps', '-n', 'kube-system'), /^NAME/);
  });
});
