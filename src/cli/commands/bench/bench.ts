import { randomBytes } from 'node:crypto';
import type { GenericObject } from '../../../client/api-object.ts';
import type { Client } from '../../../client/client.ts';
import type { ResourceClient } from '../../../client/resource-client.ts';
import type { CliIo } from '../../cli-io.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import type { benchFlags } from './flags.ts';
import { type BenchPhase, type BenchResult, measure, plot } from './measure.ts';

/** `cl bench`: a short load of creates, reads, changes, watches and deletes. */
export async function bench({ options, io }: Invocation<typeof benchFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces', namespaced: false });
    const namespace = `bench-${randomBytes(4).toString('hex')}`;
    await namespaces.create(
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      { signal: io.signal },
    );
    try {
      const results: BenchResult[] = [];
      if (options.output === undefined) io.stdout.write(heading);
      for await (const result of run(client, namespace, { ...options, signal: io.signal })) {
        results.push(result);
        if (options.output === undefined) io.stdout.write(lineOf(result));
      }
      if (options.output === 'json') io.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
    } finally {
      await clear(client, namespace, io);
    }
  });
}

/** Runs after an interruption too. Only controllers end the deletion of the namespace. */
async function clear(client: Client, namespace: string, io: CliIo): Promise<void> {
  try {
    await client.resource(configMaps).deleteCollection({ namespace });
    await client.resource({ group: '', version: 'v1', resource: 'namespaces', namespaced: false }).delete(namespace);
  } catch (error) {
    io.stderr.write(
      `namespace ${namespace} was not deleted: ${error instanceof Error ? error.message : String(error)}\n`,
    );
  }
}

const configMaps = { group: '', version: 'v1', resource: 'configmaps' };

interface BenchOptions {
  readonly clients: number;
  readonly for: number;
  readonly size: number;
  readonly objects: number;
  readonly signal: AbortSignal;
}

async function* run(client: Client, namespace: string, options: BenchOptions): AsyncIterable<BenchResult> {
  const { clients, for: forMs, signal } = options;
  const settings = { clients, forMs, signal };
  const objects = client.resource(configMaps);
  const data = { text: 'x'.repeat(options.size) };
  const at = { namespace, signal };
  const make = (name: string): Promise<GenericObject> => objects.create(objectOf(name, data), at);
  const created = await measure(
    { name: 'create', limit: options.objects, call: (index) => make(`object-${index}`) },
    settings,
  );
  yield created;
  const nameAt = (index: number): string => `object-${index % Math.max(created.calls, 1)}`;
  const phases: readonly BenchPhase[] = [
    { name: 'get', call: (index) => objects.get(nameAt(index), at) },
    { name: 'list', call: () => objects.list(at) },
    { name: 'list, cached', call: () => objects.list({ ...at, resourceVersion: '0' }) },
    {
      name: 'patch',
      call: (index) => objects.patch(nameAt(index), { data: { count: String(index) } }, { ...at, type: 'merge' }),
    },
    {
      name: 'apply',
      call: (index) =>
        objects.apply(objectOf(nameAt(index), { own: String(index) }), { ...at, fieldManager: 'cl-bench' }),
    },
  ];
  for (const phase of phases) yield measure(phase, settings);
  yield watched(objects, namespace, settings);
  yield measure({ name: 'delete', limit: created.calls, call: (index) => objects.delete(nameAt(index), at) }, settings);
}

function objectOf(name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** The time from the start of a write until a watch tells it. */
async function watched(
  objects: ResourceClient,
  namespace: string,
  settings: Parameters<typeof measure>[1],
): Promise<BenchResult> {
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, settings.signal]);
  const { metadata } = await objects.list({ namespace, limit: 1, signal });
  const waiting = new Map<string, () => void>();
  const reading = (async () => {
    const events = objects.watch({ namespace, resourceVersion: metadata.resourceVersion, signal });
    for await (const { object } of events) waiting.get(object.metadata?.name ?? '')?.();
  })();
  const call = async (index: number): Promise<void> => {
    const name = `watched-${index}`;
    const event = new Promise<void>((resolve) => waiting.set(name, resolve));
    await objects.create(objectOf(name, {}), { namespace, signal });
    await event;
    waiting.delete(name);
  };
  try {
    return await Promise.race([measure({ name: 'write to event', call }, settings), reading.then(ended)]);
  } finally {
    stop.abort();
    await reading.catch(() => undefined);
  }
}

function ended(): never {
  throw new Error('the watch ended');
}

const heading = `${'REQUEST'.padEnd(16)}${'CALLS'.padStart(8)}${'PER S'.padStart(9)}${'P50 MS'.padStart(9)}${'P99 MS'.padStart(9)}${'FAILED'.padStart(8)}   OVER TIME\n`;

function lineOf({ name, calls, perSecond, p50, p99, failures, overTime }: BenchResult): string {
  const numbers = [
    String(calls).padStart(8),
    perSecond.toFixed(0).padStart(9),
    p50.toFixed(1).padStart(9),
    p99.toFixed(1).padStart(9),
    String(failures).padStart(8),
  ];
  return `${name.padEnd(16)}${numbers.join('')}   ${plot(overTime)}\n`;
}
