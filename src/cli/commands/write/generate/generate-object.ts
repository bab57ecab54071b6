import type { Invocation } from '../../../command.ts';
import type { Identifiers } from '../../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import type { CliIo } from '../../../cli-io.ts';
import { withClient } from '../../../connect.ts';
import type { Session } from '../../../find-type.ts';
import { createResourceFinder } from '../../../manifests/manifest-resource.ts';
import { createWrittenObjects } from '../../../objects/written-objects.ts';
import { serverIdentifiers } from '../../../server-identifiers.ts';
import { fieldValidationOf } from '../../../write-flags.ts';
import type { generateFlags } from './flags.ts';

/** The words and the environment of a command that makes an object. */
export interface Generation {
  readonly name: string;
  /** The words after the name. */
  readonly rest: readonly string[];
  /** The words after `--`: a command line of a container. */
  readonly command: readonly string[];
  readonly io: CliIo;
  readonly session: Session;
  readonly identifiers: Identifiers;
}

/** An object, or its parts besides the metadata, with the kind. */
export interface Generated extends JsonObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Makes an object from flags, and creates or shows it. */
export async function generateObject(
  invocation: Invocation<typeof generateFlags>,
  make: (generation: Generation) => Generated | Promise<Generated>,
): Promise<void> {
  await withGeneration(invocation, async (generation) => {
    await writeGenerated(generation.session, invocation.options, await make(generation));
  });
}

/** Connects, and reads the name and the other words of a command that makes an object. */
export async function withGeneration(
  { words, wordsBeforeDashes, options, io, command }: Invocation<typeof generateFlags>,
  use: (generation: Generation) => Promise<void>,
): Promise<void> {
  const named = wordsBeforeDashes === undefined ? words : words.slice(0, wordsBeforeDashes);
  const [name, ...rest] = named;
  if (name === undefined) {
    throw new CliError('exactly one NAME is required, got 0', { hint: `see ${command} --help` });
  }
  await withClient({ options, io }, async (client) => {
    const session = { client, options, io };
    const identifiers = await serverIdentifiers(session);
    const after = words.slice(named.length);
    await use({ name, rest, command: after, io, session, identifiers });
  });
}

/** The flags of a command that creates an object. */
type WriteOptions = Invocation<typeof generateFlags>['options'];

/** Creates or shows an object; `done` is what is said of it. */
export async function writeGenerated(
  session: Session,
  options: WriteOptions,
  generated: Generated,
  done = 'created',
): Promise<void> {
  const printer = await createWrittenObjects(options, session.io);
  printer.print(await createGenerated(session, options, generated), done);
}

/** Creates an object, and returns it; with `--dry-run` as it would be. */
export async function createGenerated(
  { client, io }: Session,
  options: WriteOptions,
  generated: Generated,
): Promise<JsonObject> {
  const object = options.namespace === undefined ? generated : withNamespace(generated, options.namespace);
  if (options.dryRun === 'client') return object;
  const resource = await createResourceFinder(client, io.signal)({ object, where: 'the object' });
  const created = await client.resource(resource).create(object, {
    fieldManager: options.fieldManager,
    fieldValidation: fieldValidationOf(options.validate),
    dryRun: options.dryRun === 'server',
    signal: io.signal,
  });
  // The codec of the client returns JSON values.
  return created as JsonObject;
}

const clusterKinds: ReadonlySet<string> = new Set(['Namespace', 'ClusterRole', 'ClusterRoleBinding', 'PriorityClass']);

function withNamespace(object: Generated, namespace: string): Generated {
  if (clusterKinds.has(object.kind)) return object;
  return { ...object, metadata: { ...(isJsonObject(object.metadata) ? object.metadata : {}), namespace } };
}
