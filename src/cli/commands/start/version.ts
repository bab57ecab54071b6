import { readObject } from '../../../client/read-object.ts';
import type { Invocation } from '../../command.ts';
import type { versionFlags } from './flags.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import type { CliIo } from '../../cli-io.ts';
import { visibleText } from '../../format-rows.ts';
import { withClient } from '../../connect.ts';
import { packageVersion } from '../../../package/package-root.ts';
import { printJson } from '../../printers/json.ts';
import { printYaml } from '../../printers/yaml.ts';

/** `cl version`: prints the versions of this program and of the server. */
export async function version({ options, io }: Invocation<typeof versionFlags>): Promise<void> {
  const own = packageVersion();
  // In text format the client's line is printed before the server is contacted, so that it is shown
  // even if that fails.
  if (options.output === undefined) io.stdout.write(`client ${own}\n`);
  const server = options.client ? undefined : await serverVersion(options, io);
  if (options.output === undefined) {
    if (server !== undefined) io.stdout.write(`server ${gitVersion(server)}\n`);
    return;
  }
  const value = {
    clientVersion: { version: own, node: process.version },
    ...(server === undefined ? {} : { serverVersion: server }),
  };
  io.stdout.write(options.output === 'yaml' ? printYaml(value) : printJson(value));
}

async function serverVersion(options: Invocation['options'], io: CliIo): Promise<JsonObject> {
  return withClient({ options, io }, async (client) => {
    const request = { method: 'GET', path: '/version', signal: io.signal };
    return readObject(client.codec, await client.transport.request(request), request) as JsonObject;
  });
}

function gitVersion(server: JsonObject): string {
  return typeof server.gitVersion === 'string' ? visibleText(server.gitVersion) : 'unknown';
}
