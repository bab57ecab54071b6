import { setTimeout as sleep } from 'node:timers/promises';
import type { SoakTarget } from '../soak-client.ts';
import { type DefinitionClient, openDefinitionClient } from './definition-client.ts';
import { definitionOf, objectOf, resourceOf } from './definition-of.ts';

const definitions = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
const table = { accept: 'application/json;as=Table;v=v1;g=meta.cl.io' };
const protobuf = { accept: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf' };
const apply = { 'content-type': 'application/apply-patch+yaml' };

const connections = 6;
const pollMs = 300;

/** A group of kinds that come and go together. */
export interface DefinedGroup {
  readonly group: string;
  readonly kinds: number;
}

/** Adds definitions, uses each in every way for which a server may keep something, and removes them. */
export async function useDefinitions(
  target: SoakTarget,
  { group, kinds }: DefinedGroup,
  onUsed: () => void = () => {},
): Promise<void> {
  const clients = Array.from({ length: connections }, () => openDefinitionClient(target));
  const [first] = clients;
  if (!first) return;
  const each = (work: (client: DefinitionClient, kind: number) => Promise<unknown>) => eachKind(clients, kinds, work);
  await each((client, kind) => client.send('POST', definitions, definitionOf(group, kind)));
  await until(async () => (await statesOf(first)).filter(isEstablished).length >= kinds);
  await each((client, kind) => useKind(client, group, kind));
  await readDocuments(first, group);
  onUsed();
  await each((client, kind) => client.send('DELETE', `${definitions}/${resourceOf(kind)}.${group}`));
  await until(async () => (await statesOf(first)).length === 0);
  await Promise.all(clients.map((client) => client.close()));
}

async function useKind(client: DefinitionClient, group: string, kind: number): Promise<void> {
  const at = `/apis/${group}/v1/namespaces/default/${resourceOf(kind)}`;
  for (const name of ['a', 'b', 'c']) await client.send('POST', at, objectOf(group, kind, name));
  const applied = `${at}/a?fieldManager=one&force=true`;
  await client.send('PATCH', applied, objectOf(group, kind, 'a'), apply);
  await client.send('GET', `${at}/b`);
  await client.send('GET', at);
  await client.send('GET', at, undefined, table);
}

async function readDocuments(client: DefinitionClient, group: string): Promise<void> {
  const paths = [
    '/openapi/v2',
    '/openapi/v3',
    `/openapi/v3/apis/${group}/v1`,
    '/apis',
    `/apis/${group}/v1`,
    '/metrics',
  ];
  for (const path of paths) await client.send('GET', path);
  await client.send('GET', '/openapi/v2', undefined, protobuf);
}

interface DefinitionState {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

async function statesOf(client: DefinitionClient): Promise<readonly DefinitionState[]> {
  const list = JSON.parse((await client.send('GET', definitions)).toString()) as { items: DefinitionState[] };
  return list.items;
}

function isEstablished({ status }: DefinitionState): boolean {
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') ?? false;
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(pollMs);
}

async function eachKind(
  clients: readonly DefinitionClient[],
  kinds: number,
  work: (client: DefinitionClient, kind: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async (client: DefinitionClient): Promise<void> => {
    while (next < kinds) await work(client, next++);
  };
  await Promise.all(clients.map(run));
}
