import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { identifiersOf } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { isSince } from '../../scheme/api-release.ts';
import { duplicate, type FieldError, invalid, notSupported, required } from '../../status/field-error.ts';
import { type ConfigurationShape, parseConfiguration, shapeErrors } from '../../config/configuration-file.ts';
import type { ServerOptions } from '../../config/server-options.ts';

/** The egress types, in the order of messages. */
const egressNames = ['cluster', 'controlplane', 'etcd'] as const;

/** An egress type: the kind of server that connections lead to. */
export type EgressName = (typeof egressNames)[number];

/** How connections of a type are opened: directly, or by CONNECT through a proxy. */
export type EgressSelection =
  | { readonly name: EgressName; readonly protocol: 'Direct' }
  | { readonly name: EgressName; readonly protocol: 'HTTPConnect'; readonly transport: EgressTransport };

/** The address of a proxy, and the files for TLS. */
export type EgressTransport =
  | { readonly socketPath: string }
  | { readonly url: string; readonly tls?: EgressTlsFiles | undefined };

/** The PEM files of the TLS connection to a proxy. */
export interface EgressTlsFiles {
  /** The trusted CAs; '' for the system's. */
  readonly caBundle: string;
  readonly clientCert: string;
  readonly clientKey: string;
  /** The name in the proxy's certificate; '' for its host. */
  readonly serverName: string;
}

/** The versions of the file, each with the first release that reads it. */
const versions = [
  ['v1alpha1', '1.16'],
  ['v1beta1', '1.18'],
] as const;

const string = 'string';
const shape: ConfigurationShape = {
  fields: {
    apiVersion: string,
    kind: string,
    egressSelections: {
      list: {
        fields: {
          name: string,
          connection: {
            fields: {
              proxyProtocol: string,
              transport: {
                fields: {
                  tcp: {
                    fields: {
                      url: string,
                      tlsConfig: {
                        fields: { caBundle: string, clientKey: string, clientCert: string, tlsServerName: string },
                      },
                    },
                  },
                  uds: { fields: { udsName: string } },
                },
              },
            },
          },
        },
      },
    },
  },
};

/**
 * Reads the file of `--egress-selector-config-file`; undefined without one. Rejects if the file is
 * invalid, with the messages of kube-apiserver, or if a selection has the protocol GRPC.
 */
export async function readEgressSelections(
  options: Pick<ServerOptions, 'egressSelectorConfigFile' | 'emulatedRelease' | 'identifiers'>,
): Promise<readonly EgressSelection[] | undefined> {
  const { egressSelectorConfigFile: file, emulatedRelease: release } = options;
  if (file === undefined) return undefined;
  if (!existsSync(file)) throw new Error(`egress-selector-config-file ${file} does not exist`);
  const { apiDomain } = identifiersOf(options.identifiers);
  const known = versions.filter(([, since]) => isSince(release, since));
  const content = await readContent(
    file,
    known.map(([version]) => `apiserver.${apiDomain}/${version}`),
  );
  const selections = objectsAt(content, 'egressSelections');
  refuse('failed to validate egress selector configuration', [
    ...selections.flatMap((selection) => connectionErrors(objectAt(selection, 'connection'))),
    ...nameErrors(selections),
  ]);
  return selections.map((selection) => selectionOf(selection, file));
}

async function readContent(file: string, apiVersions: readonly string[]): Promise<JsonObject> {
  try {
    const content = parseConfiguration(await readFile(file, 'utf8'), {
      kind: 'EgressSelectorConfiguration',
      apiVersions,
    });
    refuseUnknown(content);
    return content;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`failed to read egress selector config: ${why}`, { cause });
  }
}

const unknownField = 'Forbidden: unknown field';

function refuseUnknown(content: JsonObject): void {
  const errors = shapeErrors('', content, shape);
  const unknown = errors.filter(({ message }) => message === unknownField);
  if (unknown.length > 0) {
    const texts = unknown.map(({ field }) => `unknown field ${JSON.stringify(field)}`);
    throw new Error(`strict decoding error: ${texts.join(', ')}`);
  }
  refuse('unable to decode', errors);
}

function refuse(what: string, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  throw new Error(`${what}: ${texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`}`);
}

/** The path of every connection in kube-apiserver's messages. */
const at = 'service.connection';

function connectionErrors(connection: JsonObject): FieldError[] {
  const protocol = stringAt(connection, 'proxyProtocol');
  const rules = Object.hasOwn(protocols, protocol) ? protocols[protocol] : undefined;
  return rules ? rules(connection) : [notSupported(`${at}.protocol`, protocol, Object.keys(protocols))];
}

/** The rules of each protocol. */
const protocols: Readonly<Record<string, (connection: JsonObject) => FieldError[]>> = {
  Direct: (connection) =>
    isSet(connection, 'transport')
      ? [invalid(`${at}.transport`, 'direct', 'config must be absent for direct connect')]
      : [],
  HTTPConnect: (connection) =>
    isSet(connection, 'transport')
      ? httpConnectErrors(objectAt(connection, 'transport'))
      : [required(`${at}.transport`, 'transport must be set for HTTPConnect')],
  GRPC: (connection) =>
    isSet(connection, 'transport')
      ? grpcErrors(objectAt(connection, 'transport'))
      : [required(`${at}.transport`, 'transport must be set for GRPC')],
};

function httpConnectErrors(transport: JsonObject): FieldError[] {
  const [hasTcp, hasUds] = [isSet(transport, 'tcp'), isSet(transport, 'uds')];
  const tcp = objectAt(transport, 'tcp');
  if (hasTcp && hasUds) return [invalid(`${at}.tcp`, shownTcp(tcp), 'TCP and UDS cannot both be set')];
  if (hasTcp) return tcpErrors(tcp);
  return hasUds ? socketErrors(objectAt(transport, 'uds')) : [required(`${at}.tcp`, 'One of TCP or UDS must be set')];
}

function grpcErrors(transport: JsonObject): FieldError[] {
  return isSet(transport, 'uds')
    ? socketErrors(objectAt(transport, 'uds'))
    : [required(`${at}.uds`, 'UDS must be set with GRPC')];
}

/** A TCP transport with the field names of kube-apiserver's structs. */
function shownTcp(tcp: JsonObject): object {
  const tls = objectAt(tcp, 'tlsConfig');
  const shownTls = {
    CABundle: stringAt(tls, 'caBundle'),
    ClientKey: stringAt(tls, 'clientKey'),
    ClientCert: stringAt(tls, 'clientCert'),
    TLSServerName: stringAt(tls, 'tlsServerName'),
  };
  return { URL: stringAt(tcp, 'url'), TLSConfig: isSet(tcp, 'tlsConfig') ? shownTls : null };
}

function socketErrors(uds: JsonObject): FieldError[] {
  return stringAt(uds, 'udsName') === ''
    ? [invalid(`${at}.udsName`, 'nil', 'must be present for UDS connections')]
    : [];
}

function tcpErrors(tcp: JsonObject): FieldError[] {
  const url = stringAt(tcp, 'url');
  const hasTls = isSet(tcp, 'tlsConfig');
  if (url.startsWith('https://')) {
    if (!hasTls) return [required(`${at}.tlsConfig`, 'TLSConfig must be present when using HTTPS')];
    return [...tlsErrors(objectAt(tcp, 'tlsConfig')), ...addressErrors(url)];
  }
  if (!url.startsWith('http://')) {
    return [invalid(`${at}.url`, url, 'supported connection protocols are http:// and https://')];
  }
  return [
    ...(hasTls ? [invalid(`${at}.tlsConfig`, 'nil', 'config must not be present when using HTTP')] : []),
    ...addressErrors(url),
  ];
}

function addressErrors(url: string): FieldError[] {
  return URL.canParse(url) ? [] : [invalid(`${at}.url`, url, 'must be a URL with a host')];
}

function tlsErrors(tls: JsonObject): FieldError[] {
  const [ca, cert, key] = [stringAt(tls, 'caBundle'), stringAt(tls, 'clientCert'), stringAt(tls, 'clientKey')];
  const place = `${at}.tlsConfig`;
  return [
    ...(ca !== '' && !existsSync(ca) ? [invalid(`${place}.caBundle`, ca, 'TLS config ca bundle does not exist')] : []),
    ...fileErrors(`${place}.clientCert`, cert, 'Using TLS requires clientCert', 'TLS client cert does not exist'),
    ...fileErrors(`${place}.clientKey`, key, 'Using TLS requires requires clientKey', 'TLS client key does not exist'),
  ];
}

function fileErrors(field: string, file: string, missing: string, unknown: string): FieldError[] {
  if (file === '') return [invalid(field, 'nil', missing)];
  return existsSync(file) ? [] : [invalid(field, file, unknown)];
}

function nameErrors(selections: readonly JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return selections.flatMap((selection, index) => {
    const name = nameOf(selection);
    if (seen.has(name)) return [duplicate(`${at}[${index}]`, name)];
    seen.add(name);
    return isEgressName(name) ? [] : [notSupported(at, name, egressNames)];
  });
}

/** The name of a selection; `master` is the former name of `controlplane`. */
function nameOf(selection: JsonObject): string {
  const name = stringAt(selection, 'name');
  return name === 'master' ? 'controlplane' : name.toLowerCase();
}

function isEgressName(name: string): name is EgressName {
  return (egressNames as readonly string[]).includes(name);
}

/** The selection of a valid entry. */
function selectionOf(selection: JsonObject, file: string): EgressSelection {
  const name = nameOf(selection);
  const connection = objectAt(selection, 'connection');
  const protocol = stringAt(connection, 'proxyProtocol');
  if (!isEgressName(name)) throw new RangeError(name);
  if (protocol === 'Direct') return { name, protocol };
  if (protocol === 'HTTPConnect') return { name, protocol, transport: transportOf(objectAt(connection, 'transport')) };
  const why = 'the protocol GRPC of konnectivity is not supported';
  throw new Error(
    `--egress-selector-config-file=${file}: the selection "${name}": ${why}: use HTTPConnect, and run its proxy server with --mode=http-connect`,
  );
}

function transportOf(transport: JsonObject): EgressTransport {
  if (isSet(transport, 'uds')) return { socketPath: stringAt(objectAt(transport, 'uds'), 'udsName') };
  const tcp = objectAt(transport, 'tcp');
  const tls = objectAt(tcp, 'tlsConfig');
  const files = {
    caBundle: stringAt(tls, 'caBundle'),
    clientCert: stringAt(tls, 'clientCert'),
    clientKey: stringAt(tls, 'clientKey'),
    serverName: stringAt(tls, 'tlsServerName'),
  };
  return { url: stringAt(tcp, 'url'), tls: isSet(tcp, 'tlsConfig') ? files : undefined };
}
