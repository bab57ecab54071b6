import type { Invocation } from '../../command.ts';
import type { clusterInfoFlags } from './flags.ts';
import { withClient } from '../../connect.ts';
import { serverIdentifiers } from '../../server-identifiers.ts';
import type { CliIo } from '../../cli-io.ts';
import { builtIn, listAll, openSource } from './describe/parts/related.ts';
import { itemsAt, partAt, plain, textAt } from './describe/parts/values.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { visibleText } from '../../format-rows.ts';

/** `cl cluster-info`: shows the addresses of the control plane and of the cluster's Services. */
export async function clusterInfo({ options, io }: Invocation<typeof clusterInfoFlags>): Promise<void> {
  await withClient({ options, io }, async (client) => {
    const source = await openSource({ client, options, io });
    const services = builtIn(source.resources, '', 'services');
    const { server } = client.settings;
    const { product, prefix, labelDomain } = await serverIdentifiers({ client, options, io });
    const selection = { namespace: `${prefix}system`, labelSelector: `${labelDomain}/cluster-service=true` };
    const found = services ? await listAll(source, services, selection) : [];
    const paint = painter(io);
    const planes = [[`${capitalised(product)} control plane`, server] as const];
    for (const [label, address] of [
      ...planes,
      ...found.map((service) => serviceAddress(service, server, labelDomain)),
    ]) {
      io.stdout.write(`${paint(label, 32)} is running at ${paint(address, 33)}\n`);
    }
    io.stdout.write("\nTo look closer: 'cl cluster-info dump' shows everything, 'cl why' explains an object.\n");
  });
}

function serviceAddress(service: JsonObject, server: string, labelDomain: string): readonly [string, string] {
  const name = textAt(service, 'metadata.name');
  const label = plain(partAt(service, 'metadata.labels')[`${labelDomain}/name`]) || name;
  const [ingress] = itemsAt(service, 'status.loadBalancer.ingress');
  const [port = {}] = itemsAt(service, 'spec.ports');
  if (ingress) {
    const host = textAt(ingress, 'ip') || textAt(ingress, 'hostname');
    const ports = itemsAt(service, 'spec.ports').map((each) => `http://${host}:${textAt(each, 'port')}`);
    return [label, ports.join(' ')];
  }
  const scheme = textAt(port, 'port') === '443' || textAt(port, 'name') === 'https' ? 'https:' : '';
  const portName = textAt(port, 'name');
  const target = `${scheme}${name}${portName || scheme ? `:${portName}` : ''}`;
  const namespace = textAt(service, 'metadata.namespace');
  return [label, `${server}/api/v1/namespaces/${namespace}/services/${target}/proxy`];
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function painter({ stdout, env }: CliIo): (text: string, colour: number) => string {
  const isTerminal = 'isTTY' in stdout && stdout.isTTY === true && !env.NO_COLOR;
  return (text, colour) => {
    const shown = visibleText(text);
    return isTerminal ? `\u001b[0;${colour}m${shown}\u001b[0m` : shown;
  };
}
