import type { DiscoveredResource } from '../../../client/discovery.ts';
import { formatApiVersion } from '../../../meta/group-version-kind.ts';
import { defined, type JsonObject } from '../../../meta/json-value.ts';
import type { Invocation } from '../../command.ts';
import { withClient } from '../../connect.ts';
import { resourcesOf } from '../../find-type.ts';
import { columnWidths, formatRows, visibleText } from '../../format-rows.ts';
import { preferredResources } from '../../preferred-resources.ts';
import { objectPrinter } from '../../printers/print-object.ts';
import type { apiResourcesFlags } from './flags.ts';

type Options = Invocation<typeof apiResourcesFlags>['options'];

/** `cl api-resources`: the types of objects of the server, each in its preferred version. */
export async function apiResources({ options, io, given }: Invocation<typeof apiResourcesFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const all = preferredResources(await resourcesOf({ client, options, io }));
    const { verbs, categories, apiGroup, namespaced } = options;
    const resources = all
      .filter((each) => apiGroup === undefined || each.group === apiGroup)
      .filter((each) => !given('namespaced') || each.namespaced === namespaced)
      .filter((each) => verbs.every((verb) => each.verbs.includes(verb)))
      .filter((each) => categories.every((category) => each.categories.includes(category)))
      .toSorted(inOrder(options));
    io.stdout.write(await textOf(resources, options));
  });
}

type Order = (one: DiscoveredResource, other: DiscoveredResource) => number;

function inOrder({ sortBy }: Options): Order {
  if (sortBy === 'kind') return (one, other) => compare(one.kind, other.kind);
  const byName: Order = (one, other) => compare(one.resource, other.resource);
  return sortBy === 'name' ? byName : (one, other) => compare(one.group, other.group) || byName(one, other);
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

async function textOf(resources: readonly DiscoveredResource[], options: Options): Promise<string> {
  const { output } = options;
  if (output === 'name') {
    return resources
      .map(({ resource, group }) => `${visibleText(group ? `${resource}.${group}` : resource)}\n`)
      .join('');
  }
  if (output === 'json' || output === 'yaml')
    return (await objectPrinter({ output }, { directory: '.' }))(listOf(resources));
  const isWide = output === 'wide';
  const heading = [
    'NAME',
    'SHORTNAMES',
    'APIVERSION',
    'NAMESPACED',
    'KIND',
    ...(isWide ? ['VERBS', 'CATEGORIES'] : []),
  ];
  const rows = [
    ...(options.noHeaders ? [] : [heading]),
    ...resources.map((each) => cellsOf(each, isWide).map(visibleText)),
  ];
  return formatRows(rows, columnWidths(rows));
}

function cellsOf(each: DiscoveredResource, isWide: boolean): string[] {
  return [
    each.resource,
    each.shortNames.join(','),
    formatApiVersion(each.group, each.version),
    String(each.namespaced),
    each.kind,
    ...(isWide ? [each.verbs.toSorted().join(','), each.categories.join(',')] : []),
  ];
}

function listOf(resources: readonly DiscoveredResource[]): JsonObject {
  const items = resources.map(({ resource, singular, namespaced, group, version, kind, verbs, ...names }) =>
    defined({
      name: resource,
      singularName: singular,
      namespaced,
      group: group || undefined,
      version,
      kind,
      verbs: [...verbs],
      shortNames: names.shortNames.length > 0 ? [...names.shortNames] : undefined,
      categories: names.categories.length > 0 ? [...names.categories] : undefined,
    }),
  );
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources: items };
}
