import { isDeepStrictEqual } from 'node:util';
import { builtInResources } from '../../client/built-in-resources.ts';
import type { Client } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import { discoverVersion } from '../../client/discovery.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';
import { type Node, nodes } from '../../controllers/resources.ts';
import type { Device, ResourceSlice } from '../../gen/types/resource-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { readAnnotation } from '../agent-server/runs/read-annotation.ts';
import { attributeOf, type DeviceList, deviceListsProblem } from './device-lists.ts';

/** The nodes whose devices are published, and the means to do it. */
interface PublishOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  /** The names of the stand-in nodes. */
  readonly names: ReadonlySet<string>;
  readonly onError: (error: unknown) => void;
}

/**
 * Publishes the devices in the annotations of stand-in nodes, as their drivers would: one
 * ResourceSlice for each driver of a node. Ends when the signal aborts.
 */
export async function publishDevices(options: PublishOptions, signal: AbortSignal): Promise<void> {
  const { client, informers, identifiers, names, onError } = options;
  /** The UIDs of the nodes whose devices this process has published. */
  const published = new Set<string>();
  await controller<Node>({
    name: 'stand_in_devices',
    informers,
    for: nodes,
    onError,
    async reconcile({ object }) {
      if (!object || !names.has(object.metadata.name)) return;
      const lists = listsOf(object, identifiers);
      if (lists.length === 0 && !published.has(object.metadata.uid)) return;
      published.add(object.metadata.uid);
      await publish(client, identifiers, { node: object, lists }, signal);
    },
  }).run(signal);
}

function listsOf({ metadata }: Node, identifiers: Identifiers): readonly DeviceList[] {
  const text = readAnnotation(metadata.annotations, 'devices', identifiers);
  return text === undefined ? [] : (readDeviceLists(text) ?? []);
}

/** Parses the device lists in an annotation; undefined if it is invalid. */
export function readDeviceLists(text: string): readonly DeviceList[] | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return deviceListsProblem(value) === undefined ? (value as unknown as readonly DeviceList[]) : undefined;
  } catch {
    return undefined;
  }
}

async function publish(
  client: Client,
  identifiers: Identifiers,
  { node, lists }: { readonly node: Node; readonly lists: readonly DeviceList[] },
  signal: AbortSignal,
): Promise<void> {
  const reference = await servedSlices(client, identifiers, signal);
  const slices = client.resource<ResourceSlice>(reference);
  const { items } = await slices.list({ fieldSelector: `spec.nodeName=${node.metadata.name}`, signal });
  const drivers = new Set(lists.map(({ driver }) => driver));
  for (const driver of drivers) {
    const name = nameOf(node, driver);
    const own = lists.filter((list) => list.driver === driver);
    const devices = devicesOf(own, reference.version);
    const present = items.find(({ metadata }) => metadata?.name === name);
    if (present && isDeepStrictEqual(present.spec?.devices, devices)) continue;
    const generation = (present?.spec?.pool.generation ?? 0) + 1;
    const spec = {
      driver,
      pool: { name: node.metadata.name, generation, resourceSliceCount: 1 },
      nodeName: node.metadata.name,
      devices,
    };
    if (present) await ignoreReasons(slices.update({ ...present, spec }, { signal }), 'Conflict', 'NotFound');
    else await slices.create({ metadata: { name, ownerReferences: [ownerOf(node)] }, spec }, { signal });
  }
  for (const { metadata, spec } of items) {
    const driver = spec?.driver ?? '';
    const isOwn = metadata?.name === nameOf(node, driver);
    if (isOwn && !drivers.has(driver)) await ignoreReasons(slices.delete(nameOf(node, driver), { signal }), 'NotFound');
  }
}

const versions = ['v1', 'v1beta2', 'v1beta1', 'v1alpha3'];

/** The resource of ResourceSlices in the newest served version. Throws if none is served. */
async function servedSlices(
  client: Client,
  { set }: Identifiers,
  signal: AbortSignal,
): Promise<ResourceReference<ResourceSlice>> {
  const { resourceslices } = builtInResources(set);
  for (const version of versions) {
    const found = await discoverVersion(client, resourceslices.group, version, signal).catch((error: unknown) => {
      if (hasReason(error, 'Forbidden')) return undefined;
      throw error;
    });
    if (found?.some(({ resource }) => resource === resourceslices.resource)) return { ...resourceslices, version };
  }
  throw new Error('devices of stand-in nodes are not published: the server has no ResourceSlices');
}

function nameOf({ metadata }: Node, driver: string): string {
  return `${metadata.name}-${driver}`;
}

function ownerOf({ metadata: { name, uid } }: Node) {
  return { apiVersion: 'v1', kind: 'Node', name, uid, controller: true };
}

/** The devices in a version. Before v1beta2 their properties are in `basic`. */
function devicesOf(lists: readonly DeviceList[], version: string): Device[] {
  const isFlat = version === 'v1' || version === 'v1beta2';
  return lists.flatMap(({ count, name = 'device', attributes = {}, capacity = {} }) =>
    Array.from({ length: count }, (_, index) => {
      const named = Object.entries(attributes).map(([key, value]) => [key, attributeOf(value)] as const);
      const amounts = Object.entries(capacity).map(
        ([key, value]) => [key, version === 'v1alpha3' ? value : { value }] as const,
      );
      const properties = {
        ...(named.length > 0 ? { attributes: Object.fromEntries(named) } : {}),
        ...(amounts.length > 0 ? { capacity: Object.fromEntries(amounts) } : {}),
      };
      const device = { name: `${name}-${index}`, ...(isFlat ? properties : { basic: properties }) };
      return device as Device;
    }),
  );
}
