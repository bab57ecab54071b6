import { openSoakClient, type SoakClient, type SoakRequest } from '../soak-client.ts';
import { repeat, type SoakContext } from '../soak-context.ts';
import { colors, namespaces } from '../selections.ts';

/** Objects that the writers create, change and delete, in each namespace. */
const objectsEach = 200;
/** The most bytes of a small and of a large object. */
const smallBytes = 4_000;
const largeBytes = 40_000;

/** Writers rest for the second half of each period, so that what is cached of unchanged objects is read, too. */
const periodMs = 6_000;

/** Statuses that writers who contend for the same objects may be answered. */
const expectedStatuses: ReadonlySet<number> = new Set([200, 201, 404, 409]);

/** Creates every object once, so that the load starts with a full collection. */
export async function fillCollection(context: SoakContext): Promise<void> {
  const client = openSoakClient(context.target, 'http1', context.fault);
  try {
    for (const name of ['other', 'batch']) {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await client.send({ method: 'POST', path: '/api/v1/namespaces', body });
      await fillNamespace(context, client, name);
    }
    await fillNamespace(context, client, 'default');
  } finally {
    await client.close();
  }
}

/** Deletes and recreates a namespace's objects now and then, so that lists meet objects that no list has read yet. */
export async function runRefiller(context: SoakContext, pauseMs: number): Promise<void> {
  const client = openSoakClient(context.target, 'http2', context.fault);
  await repeat(context, 'refill', pauseMs, async () => {
    const { status } = await client.send({ method: 'DELETE', path: collection('batch') });
    if (status !== 200) context.fault(`deletecollection was answered ${status}`);
    await fillNamespace(context, client, 'batch');
    context.count('refills');
  });
  await client.close();
}

async function fillNamespace(context: SoakContext, client: SoakClient, namespace: string): Promise<void> {
  for (let index = 0; index < objectsEach && !context.signal.aborted; index++) {
    const body = JSON.stringify(configMap(context, namespace, `object-${index}`));
    const { status } = await client.send({ method: 'POST', path: collection(namespace), body });
    if (status !== 201) throw new Error(`filling the collection was answered ${status}`);
  }
}

/** Changes the collection by every verb until the load ends. */
export async function runWriter(context: SoakContext, protocol: 'http1' | 'http2', pauseMs: number): Promise<void> {
  const client = openSoakClient(context.target, protocol, context.fault);
  await repeat(context, 'write', pauseMs, async () => {
    if (performance.now() % periodMs > periodMs / 2) return;
    const request = someWrite(context);
    const { status, body } = await client.send(request);
    context.count('writes');
    if (!expectedStatuses.has(status)) {
      context.fault(`${request.method} ${request.path}: ${status} ${body.toString().slice(0, 200)}`);
    }
  });
  await client.close();
}

function someWrite(context: SoakContext): SoakRequest {
  const { random } = context;
  const namespace = random.pick(namespaces);
  const name = `object-${random.between(0, objectsEach - 1)}`;
  const path = `${collection(namespace)}/${name}`;
  const whole = (): string => JSON.stringify(configMap(context, namespace, name));
  const draw = random.next();
  if (draw < 0.1) return { method: 'DELETE', path };
  if (draw < 0.35) return { method: 'POST', path: collection(namespace), body: whole() };
  if (draw < 0.6) return { method: 'PUT', path, body: whole() };
  if (draw < 0.7) {
    const type = 'application/apply-patch+yaml';
    return { method: 'PATCH', path: `${path}?fieldManager=soak&force=true`, body: whole(), type };
  }
  // A merge patch removes the label that is null.
  const body = JSON.stringify({
    metadata: { labels: { canary: null, ...someLabels(context) } },
    data: { mark: String(random.next()) },
  });
  return { method: 'PATCH', path, body, type: 'application/merge-patch+json' };
}

function collection(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

function configMap(context: SoakContext, namespace: string, name: string): object {
  const { random } = context;
  const size = random.between(1_000, random.next() < 0.02 ? largeBytes : smallBytes);
  const data = { mark: String(random.next()), filling: 'x'.repeat(size) };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name, labels: someLabels(context) },
    data,
  };
}

/** Few objects are canaries, so that a selector without them matches long runs of neighbours. */
function someLabels({ random }: SoakContext): Record<string, string> {
  return { color: random.pick(colors), ...(random.next() < 0.02 ? { canary: 'true' } : {}) };
}
