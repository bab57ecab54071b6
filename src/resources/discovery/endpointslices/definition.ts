import type { EndpointSlice, Endpoint, EndpointPort } from '../../../gen/stored/discovery-v1.ts';
import { builtIn, typedConversion } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { joinFirst, ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { equalValues } from '../../../scheme/model/equal-values.ts';
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { sameValue } from '../../../meta/read-field.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../../status/field-error.ts';
import { checkEach, checkString, repeatsOf } from '../../rules/fields/field-checks.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkIpAddress, checkNotSpecial, isIpAddress } from '../../rules/fields/ip.ts';
import { checkLabels } from '../../rules/fields/labels.ts';

/** Maximum counts in one slice. Larger services have several slices. */
const limits = { endpoints: 1000, addresses: 100, ports: 100, hints: 8 };

/** The strategy of endpoint slices. */
const strategy: Strategy<EndpointSlice> = {
  generation: true,
  raisesGeneration: ({ metadata }, { metadata: old }) => !sameValue(metadata.labels ?? {}, old.labels ?? {}),
  prepareForCreate: (slice, { version }) => dropTopology(slice, undefined, version),
  prepareForUpdate: (slice, old, { version }) => dropTopology(slice, old, version),
  validate: (slice, { emulated }, old) => validateSlice(slice, emulated.release, old),
  validateUpdate: ({ addressType }, old) => checkImmutable('addressType', addressType, old.addressType),
};

/**
 * Drops `deprecatedTopology` that a client of v1 wrote: it is read-only there. A stored topology
 * stays while the endpoints do not change, and so does a single label that an old endpoint had.
 */
function dropTopology({ endpoints }: EndpointSlice, old: EndpointSlice | undefined, version: string): void {
  if (version !== 'v1' || (old && equalValues(endpoints, old.endpoints))) return;
  const stored = new Set((old?.endpoints ?? []).map(({ deprecatedTopology }) => JSON.stringify(deprecatedTopology)));
  for (const endpoint of endpoints ?? []) {
    const topology = endpoint.deprecatedTopology ?? {};
    const isKept = Object.keys(topology).length === 1 && stored.has(JSON.stringify(topology));
    if (!isKept) delete endpoint.deprecatedTopology;
  }
}

const addressTypes: ReadonlySet<string> = new Set(['FQDN', 'IPv4', 'IPv6']);

function validateSlice(
  { addressType: type, ...slice }: EndpointSlice,
  release: string,
  old: EndpointSlice | undefined,
): FieldError[] {
  const [endpoints, ports] = [slice.endpoints ?? [], slice.ports ?? []];
  // Unchanged endpoints are not validated again: rules may have become stricter.
  const isKept = isSince(release, '1.33') && old !== undefined && equalValues(slice.endpoints, old.endpoints);
  const repeats = repeatsOf(ports, ({ name }) => name);
  return [
    ...(isKept ? [] : endpointListErrors(endpoints, type, release)),
    ...(ports.length > limits.ports
      ? [tooMany('ports', ports.length, limits.ports)]
      : ports.flatMap((port, index) => portErrors(port, `ports[${index}]`, repeats.has(index)))),
  ];
}

function endpointListErrors(endpoints: readonly Endpoint[], type: string, release: string): readonly FieldError[] {
  if (endpoints.length > limits.endpoints) return [tooMany('endpoints', endpoints.length, limits.endpoints)];
  return checkEach('endpoints', endpoints, (endpoint, path) => endpointErrors(endpoint, path, { type, release }));
}

/** The address type of a slice, and the release whose rules apply. */
interface AddressRules {
  readonly type: string;
  readonly release: string;
}

function endpointErrors(endpoint: Endpoint, path: string, rules: AddressRules): FieldError[] {
  const { hostname, nodeName } = endpoint;
  const addresses = endpoint.addresses ?? [];
  return [
    ...(addresses.length > limits.addresses ? [tooMany(`${path}.addresses`, addresses.length, limits.addresses)] : []),
    ...checkEach(`${path}.addresses`, addresses, (address, at) => addressErrors(address, at, rules)),
    ...(nodeName === undefined ? [] : checkString(`${path}.nodeName`, nodeName, validateDnsSubdomain)),
    ...checkLabels(`${path}.topology`, endpoint.deprecatedTopology),
    ...(hostname === undefined ? [] : checkString(`${path}.hostname`, hostname, validateDnsLabel)),
    ...hintErrors(endpoint.hints?.forZones, `${path}.hints.forZones`, validateLabelValue),
    ...hintErrors(endpoint.hints?.forNodes, `${path}.hints.forNodes`, validateDnsSubdomain),
  ];
}

/** Checks the zone or node hints of an endpoint. */
function hintErrors(
  places: readonly { readonly name: string }[] = [],
  path: string,
  rule: (name: string) => readonly string[],
): readonly FieldError[] {
  if (places.length > limits.hints) return [tooMany(path, places.length, limits.hints)];
  const repeats = repeatsOf(places, ({ name }) => name);
  return places.flatMap(({ name }, index) => [
    ...(repeats.has(index) ? [duplicate(`${path}[${index}].name`, name)] : []),
    ...(name === '' ? [] : checkString(`${path}[${index}].name`, name, rule)),
  ]);
}

function addressErrors(address: string, field: string, { type, release }: AddressRules): readonly FieldError[] {
  if (type === 'FQDN') return domainErrors(address.endsWith('.') ? address.slice(0, -1) : address, field);
  if (!addressTypes.has(type)) return [];
  const version = type === 'IPv4' ? 'v4' : 'v6';
  if (isSince(release, '1.33')) return newerAddressErrors(address, field, version);
  const fits = isIpAddress(address) && address.includes(':') === (version === 'v6');
  return [
    ...(fits ? [] : [invalid(field, address, `must be a valid IP${version} address`)]),
    ...checkNotSpecial(field, address),
  ];
}

/** The errors of an address since 1.33. An address of the wrong family is reported at the list. */
function newerAddressErrors(address: string, field: string, version: 'v4' | 'v6'): readonly FieldError[] {
  const errors = checkIpAddress(field, address);
  if (errors.length > 0) return errors;
  const fits = address.includes(':') === (version === 'v6');
  const list = field.slice(0, field.lastIndexOf('['));
  return [
    ...(fits ? [] : [invalid(list, address, `must be an IP${version} address`)]),
    ...checkNotSpecial(field, address),
  ];
}

/** Checks a domain: it has at least two labels. */
function domainErrors(name: string, field: string): FieldError[] {
  if (name === '') return [required(field)];
  const labels = name.split('.');
  const joined = (value: string, messages: readonly string[]): FieldError[] =>
    messages.length > 0 ? [invalid(field, value, messages.join(','))] : [];
  const errors = joined(name, validateDnsSubdomain(name));
  if (errors.length > 0) return errors;
  return labels.length < 2
    ? [invalid(field, name, 'should be a domain with at least two segments separated by dots')]
    : labels.flatMap((label) => joined(label, validateDnsLabel(label)));
}

function portErrors({ name, appProtocol }: EndpointPort, path: string, repeated: boolean): FieldError[] {
  return [
    ...(name === '' ? [] : checkString(`${path}.name`, name, validateDnsLabel)),
    ...(repeated ? [duplicate(`${path}.name`, name)] : []),
    ...(appProtocol === undefined ? [] : checkString(`${path}.appProtocol`, appProtocol, validateQualifiedName)),
  ];
}

type BetaEndpoint = Omit<Endpoint, 'deprecatedTopology' | 'zone'> & { readonly topology?: Record<string, string> };

interface BetaSlice {
  readonly endpoints: readonly BetaEndpoint[] | null;
}

/**
 * The conversion of endpoint slices (spec 9.3). v1beta1 has the position of an endpoint in
 * `topology`. v1 has `zone` and `nodeName`, and the rest in the read-only `deprecatedTopology`.
 */
const endpointSliceConversion = typedConversion<BetaSlice, Pick<EndpointSlice, 'endpoints'>>({
  toStorage: (slice, identifiers) => ({
    ...slice,
    endpoints: slice.endpoints?.map((endpoint) => endpointToStorage(endpoint, identifiers)) ?? null,
  }),
  fromStorage: (slice, identifiers) => ({
    ...slice,
    endpoints: slice.endpoints?.map((endpoint) => endpointFromStorage(endpoint, identifiers)) ?? null,
  }),
});

function zoneLabel({ labelDomain }: Identifiers): string {
  return `topology.${labelDomain}/zone`;
}

function hostLabel({ labelDomain }: Identifiers): string {
  return `${labelDomain}/hostname`;
}

function endpointToStorage({ topology, ...endpoint }: BetaEndpoint, identifiers: Identifiers): Endpoint {
  if (!topology) return endpoint;
  const zone = getOwn(topology, zoneLabel(identifiers));
  const host = getOwn(topology, hostLabel(identifiers));
  const { nodeName = host } = endpoint;
  // The label of the host name is dropped only if it repeats `nodeName` or becomes it.
  const dropped = new Set([zoneLabel(identifiers), ...(nodeName === host ? [hostLabel(identifiers)] : [])]);
  const labels = Object.entries(topology).filter(([name]) => !dropped.has(name));
  return {
    ...endpoint,
    ...(labels.length > 0 ? { deprecatedTopology: Object.fromEntries(labels) } : {}),
    ...(nodeName ? { nodeName } : {}),
    ...(zone ? { zone } : {}),
  };
}

function endpointFromStorage(
  { deprecatedTopology, zone, ...endpoint }: Endpoint,
  identifiers: Identifiers,
): BetaEndpoint {
  const topology = { ...deprecatedTopology };
  if (zone !== undefined) topology[zoneLabel(identifiers)] = zone;
  if (endpoint.nodeName) topology[hostLabel(identifiers)] ??= endpoint.nodeName;
  return Object.keys(topology).length > 0 ? { ...endpoint, topology } : endpoint;
}

const shownItems = 3;

/** The columns of endpoint slices. */
const columns: readonly Column<EndpointSlice>[] = [
  nameColumn,
  textColumn('AddressType', 'Type of the addresses.', ({ addressType }) => addressType),
  textColumn('Ports', 'Ports of all endpoints.', ({ ports }) =>
    // A port without number is shown by its name.
    joinOrUnset((ports ?? []).map(({ port, name: own }) => `${port ?? own}`)),
  ),
  textColumn('Endpoints', 'Addresses of the endpoints.', ({ endpoints }) =>
    joinOrUnset((endpoints ?? []).flatMap(({ addresses }) => addresses ?? [])),
  ),
  ageColumn,
];

function joinOrUnset(texts: readonly string[]): string {
  return joinFirst(texts, shownItems) || '<unset>';
}

/** The resource `endpointslices` of the group `discovery`. */
export const endpointSlices = builtIn<EndpointSlice>({
  group: 'discovery',
  resource: 'endpointslices',
  kind: 'EndpointSlice',
  namespaced: true,
  versions: {
    v1: { introduced: '1.21' },
    v1beta1: {
      introduced: '1.17',
      deprecated: { since: '1.21', removed: '1.25', replacement: 'v1' },
      conversion: endpointSliceConversion,
    },
  },
  columns,
  strategy,
  earlierRules: { before: '1.27', hooks: { raisesGeneration: () => false } },
});
